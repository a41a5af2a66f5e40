// SPDX-License-Identifier: MIT
import AgentLoop
import ArtIO
import BusModel
import FaceModel
import MediaModel
import PictureModel
import ReaderIO
import ReaderModel

/// Finds the pictures of files, at the size that somebody asks for. Loop only; disks and other processes are waited for on a thread.
///
/// A picture of an asked size is decoded and made smaller by the process that reads files, because strangers have made it. It is kept in
/// the cache as a PNG; where there is none to be had, a record is drawn whose colours come from the album's name.
@AgentLoop
final class ArtService {
  private let thread: BlockingThread
  private let cache: ArtCache?
  private let reader: ReaderClient

  init(thread: BlockingThread, cache: ArtCache?, reader: ReaderClient) {
    (self.thread, self.cache, self.reader) = (thread, cache, reader)
  }

  /// The URI of the picture of a sound file, as it came; nil if there is none.
  func picture(of file: FilePath) async throws(BusError) -> String? {
    try await run(file) { [cache, reader] in
      switch Self.source(of: file, reader) {
      case .embedded:
        let picture = try? reader.picture(of: file)
        return picture.flatMap { picture in try? cache?.file(for: picture).uri }
      case .beside(let picture): return picture.uri
      case .none: return nil
      }
    }
  }

  /// The URI of a picture of a sound file that fits into a square of `edge` pixels. If there is no picture, one is drawn for `name`.
  /// Throws if there is nowhere to keep it.
  func picture(of file: FilePath?, named name: String, edge: Int) async throws(BusError) -> String {
    guard let cache else {
      throw AgentError.cannotWrite(
        "pictures can't be kept: neither XDG_CACHE_HOME nor HOME says where; set HOME")
    }
    let kept = try await run(file) { [reader] () -> Result<String, BusError> in
      do throws(ArtCacheError) {
        if let file, let scaled = try Self.scaled(file, edge, cache, reader) { return .success(scaled.uri) }
        return .success(try Self.drawn(name, edge, cache).uri)
      } catch {
        return .failure(AgentError.cannotWrite("\(error)"))
      }
    }
    return try kept.get()
  }

  /// Where a file's picture is.
  private enum Source {
    case embedded
    case beside(FilePath)
    case none
  }

  /// A picture in the file itself counts before one that lies beside it. Blocks.
  private nonisolated static func source(of file: FilePath, _ reader: ReaderClient) -> Source {
    if (try? reader.tags(of: file))?.hasPicture == true { return .embedded }
    return file.parent.flatMap(FolderArt.find).map { .beside($0) } ?? .none
  }

  private nonisolated static func scaled(
    _ file: FilePath, _ edge: Int, _ cache: ArtCache, _ reader: ReaderClient
  ) throws(ArtCacheError) -> FilePath? {
    // The sound file itself is asked about first, so that a picture that is kept costs no process.
    if let key = ArtCache.Key(file, edge: edge), let kept = cache.kept(key) { return kept }
    let origin: FilePath
    switch source(of: file, reader) {
    case .embedded: origin = file
    case .beside(let picture): origin = picture
    case .none: return nil
    }
    guard let key = ArtCache.Key(origin, edge: edge) else { return nil }
    if let kept = cache.kept(key) { return kept }
    guard let picture = try? reader.picture(of: origin, edge: edge) else { return nil }
    return try cache.keep(picture, as: key)
  }

  private nonisolated static func drawn(
    _ name: String, _ edge: Int, _ cache: ArtCache
  ) throws(ArtCacheError) -> FilePath {
    let edge = min(edge, Placeholder.largestEdge)
    let key = ArtCache.Key(drawnFor: name, edge: edge)
    if let key, let kept = cache.kept(key) { return kept }
    let picture = Placeholder(of: name).png(edge: edge)
    guard let key else { return try cache.file(for: picture) }
    return try cache.keep(picture, as: key)
  }

  private func run<Answer: Sendable>(
    _ file: FilePath?, _ body: @escaping @Sendable () -> Answer
  ) async throws(BusError) -> Answer {
    do throws(BlockingFailure) {
      return try await thread.run { job in
        if let file { job.looks(at: file.text) }
        return body()
      }
    } catch { throw AgentError.tryAgain("\(error)") }
  }
}
