// SPDX-License-Identifier: MIT
package import MediaModel

/// An entry of a playlist: where something is, and what the playlist says about it.
package struct PlaylistEntry: Sendable, Hashable {
  /// The path or URI as it is written in the playlist; empty for an entry that was not read from a file.
  package var written: [UInt8]
  /// The location that this means; a relative path starts at the playlist's folder.
  package var location: MediaLocation
  /// The part of the file that is meant; nil for the whole file.
  package var part: FilePart?
  /// The title.
  package var title: String?
  /// Who performs it.
  package var performer: String?
  /// The album it is from.
  package var album: String?
  /// The number of the track.
  package var track: Int?
  /// Its length.
  package var duration: Duration?

  /// An entry with only a location.
  package init(location: MediaLocation, written: [UInt8] = [], part: FilePart? = nil) {
    self.location = location
    self.written = written
    self.part = part
  }

  /// Other paths that may be meant, to be tried in this order if the file doesn't exist. Players of other systems
  /// write names in Latin-1, backslashes instead of slashes, and percent-encoding without a scheme.
  package var alternatives: [FilePath] {
    guard case .file(let path) = location else { return [] }
    var others: [FilePath?] = []
    if path.exactText == nil { others.append(FilePath(PlaylistText.fromLatin1(path.bytes))) }
    if path.bytes.contains(UInt8(ascii: "\\")) {
      others.append(FilePath(path.bytes.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 })?.tidied)
    }
    if path.bytes.contains(UInt8(ascii: "%")) {
      others.append(PercentEncoding.decode(path.bytes).flatMap { FilePath($0) })
    }
    return others.compactMap { $0 }.filter { $0 != path }
  }
}
