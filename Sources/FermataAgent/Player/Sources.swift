// SPDX-License-Identifier: MIT
package import AgentLoop
package import MediaModel
package import ReaderIO
import ReaderModel
package import SourceIO

/// Finds the sounds in the files and folders that people name. Files of a small folder are ordered by their tags.
package enum Sources {
  /// All sounds that the requests stand for; relative paths begin at `base`. Blocks on the disk. `reader` reads the tags. `job` is told which file is
  /// being looked at, and the search ends when it is cancelled.
  ///
  /// - Throws: if none of them can be played, or if a file or folder that was named does not exist.
  package static func expand(
    _ requests: [SourceRequest], from base: FilePath, reader: ReaderClient, _ job: BlockingJob = BlockingJob()
  ) throws(SourceError) -> SourceExpansion {
    for case .path(let path) in requests.prefix(1) { job.looks(at: path.text) }
    return try SourceExpander(
      base: base,
      tagsOf: { path in
        job.looks(at: path.text)
        return try? reader.tags(of: path).tags
      },
      refusal: { path in
        job.looks(at: path.text)
        return SoundOpener.refusal(of: path.location)
      }
    ).expand(requests, progress: { job.looks(at: $0.current.text) }, isCancelled: { !job.goesOn() })
  }
}
