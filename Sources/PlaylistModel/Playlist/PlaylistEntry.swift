// SPDX-License-Identifier: MIT
package import MediaModel

/// A line of a playlist: where something is, and what the playlist says about it.
package struct PlaylistEntry: Sendable, Hashable {
  /// The path or URI as the playlist has it; empty for an entry that was not read.
  package var written: [UInt8]
  /// What that means, seen from the playlist's folder.
  package var location: MediaLocation
  /// The stretch of the file that is meant; nil for all of it.
  package var part: FilePart?
  /// The title.
  package var title: String?
  /// Who performs it.
  package var performer: String?
  /// The album it is from.
  package var album: String?
  /// The number of the track.
  package var track: Int?
  /// How long it sounds.
  package var duration: Duration?

  /// An entry of which only the place is known.
  package init(location: MediaLocation, written: [UInt8] = [], part: FilePart? = nil) {
    self.location = location
    self.written = written
    self.part = part
  }

  /// What else the path could have meant, to be tried in this order where there is no such file: names in Latin-1,
  /// backslashes for slashes, and percent-encoding without a scheme, as other systems' players write them.
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
