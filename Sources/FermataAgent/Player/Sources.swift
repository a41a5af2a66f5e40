// SPDX-License-Identifier: MIT
package import AgentLoop
package import MediaModel
package import ReaderIO
import ReaderModel
package import SourceIO
import Synchronization

/// Finds the sounds in the files and folders that people name. Files of a small folder are ordered by disc and track, as the library knows them or as
/// their tags say.
package enum Sources {
  /// Looks files up in the library: one answer for each, in order; nil for a file that it does not know as it is now. Nil if it does not answer in time.
  package typealias LibraryPlaces = @Sendable ([FilePath]) -> [TrackPlace?]?

  /// All sounds that the requests stand for; relative paths begin at `base`. Blocks on the disk. `reader` reads the tags. `job` is told which file is
  /// being looked at, and the search ends when it is cancelled. `library` looks the files up that need not be read.
  ///
  /// - Throws: if none of them can be played, or if a file or folder that was named does not exist.
  package static func expand(
    _ requests: [SourceRequest], from base: FilePath, reader: ReaderClient, library: LibraryPlaces? = nil,
    _ job: BlockingJob = BlockingJob()
  ) throws(SourceError) -> SourceExpansion {
    for case .path(let path) in requests.prefix(1) { job.looks(at: path.text) }
    let library = library.map(PromptLibrary.init)
    return try SourceExpander(
      base: base, charset: reader.charset,
      placesOf: { files in
        if let file = files.first { job.looks(at: file.text) }
        var places = library?.places(of: files) ?? Array(repeating: nil, count: files.count)
        let unknown = files.indices.filter { places[$0] == nil }
        let read = reader.read(unknown.map { files[$0] }) { job.looks(at: $0.text) }
        for (index, found) in zip(unknown, read) { places[index] = try? TrackPlace(found.get().tags) }
        return places
      },
      refusal: { path in
        job.looks(at: path.text)
        return SoundOpener.refusal(of: path.location)
      }
    ).expand(requests, progress: { job.looks(at: $0.current.text) }, isCancelled: { !job.goesOn() })
  }
}

/// The library as long as it answers in time. While a scan keeps it busy, a question for each of thousands of folders would wait in vain.
private final class PromptLibrary: Sendable {
  private let ask: Sources.LibraryPlaces
  private let isBusy = Atomic<Bool>(false)

  init(_ ask: @escaping Sources.LibraryPlaces) { self.ask = ask }

  func places(of files: [FilePath]) -> [TrackPlace?]? {
    guard !isBusy.load(ordering: .relaxed) else { return nil }
    let places = ask(files)
    if places == nil { isBusy.store(true, ordering: .relaxed) }
    return places
  }
}
