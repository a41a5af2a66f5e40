// SPDX-License-Identifier: MIT
internal import FileIO
package import PlaybackLogic
package import PlaylistModel
internal import MediaModel

extension PlaylistEntry {
  /// The playlist entry for an entry of the queue. It has no title; a caller that knows the title adds it.
  package init(_ source: EntrySource) {
    let path =
      (try? FilePath(uri: source.location)) ?? FilePath(source.location).flatMap { $0.isAbsolute ? $0 : nil }
    self.init(
      location: path.map { .file($0) } ?? .uri(source.location), part: source.span.flatMap(FilePart.init))
  }
}

extension FilePart {
  fileprivate init?(_ span: CueSpan) {
    self.init(start: DiscTime(frames: Int(span.start)), end: span.end.map { DiscTime(frames: Int($0)) })
  }
}
