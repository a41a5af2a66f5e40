// SPDX-License-Identifier: MIT
import AgentLoop
import ArtIO
import BusModel
import FaceModel
import MediaModel
import PictureModel
import ReaderIO
import ReaderModel

/// Finds the pictures of sound files, at the size that somebody asks for. Loop only; disks and other processes are waited for on a thread.
///
/// A picture is decoded and made smaller by the reader process, because a file from strangers may be made to attack the decoder. The result is kept
/// in the cache as a PNG. If there is no picture, a gramophone record is drawn in colours that come from the album's name.
@AgentLoop
final class ArtService {
  private let thread: BlockingThread
  private let cache: ArtCache?
  private let reader: ReaderClient

  init(thread: BlockingThread, cache: ArtCache?, reader: ReaderClient) {
    (self.thread, self.cache, self.reader) = (thread, cache, reader)
  }

  /// The URI of the picture of a sound file, in its original size; nil if there is none.
  func picture(of file: FilePath) async throws(BusError) -> String? {
    try await run(file) { [cache, reader] in
      if Self.holdsPicture(file, reader), let picture = try? reader.picture(of: file),
        let kept = try? cache?.file(for: picture)
      {
        return kept.uri
      }
      return Self.picture(beside: file)?.uri
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

  // A picture inside the file is preferred to one in its folder, unless it turns out not to be a picture. These functions block.
  private nonisolated static func holdsPicture(_ file: FilePath, _ reader: ReaderClient) -> Bool {
    (try? reader.tags(of: file))?.hasPicture == true
  }

  private nonisolated static func picture(beside file: FilePath) -> FilePath? {
    file.parent.flatMap(FolderArt.find)
  }

  private nonisolated static func scaled(
    _ file: FilePath, _ edge: Int, _ cache: ArtCache, _ reader: ReaderClient
  ) throws(ArtCacheError) -> FilePath? {
    // The cache is looked at first, because that needs no reader process.
    if let key = ArtCache.Key(file, edge: edge), let kept = cache.kept(key) { return kept }
    if holdsPicture(file, reader), let own = try scaled(from: file, edge, cache, reader) { return own }
    guard let folder = file.parent else { return nil }
    // The first may be too large to be decoded.
    for picture in FolderArt.pictures(in: folder) {
      if let scaled = try scaled(from: picture, edge, cache, reader) { return scaled }
    }
    return nil
  }

  /// The picture that is in this file, or the file itself if it is a picture, made smaller; nil if it can't be decoded.
  private nonisolated static func scaled(
    from origin: FilePath, _ edge: Int, _ cache: ArtCache, _ reader: ReaderClient
  ) throws(ArtCacheError) -> FilePath? {
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
