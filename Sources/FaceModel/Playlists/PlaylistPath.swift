// SPDX-License-Identifier: MIT
package import BusModel
package import MediaModel

/// Names playlists as MPRIS does: by object paths. A path is made of the path of the playlist's file; every byte that is not an
/// ASCII letter or digit is written as `_` and two hex digits. So it stays the same as long as the file is not moved.
package enum PlaylistPath {
  /// The path that means "no playlist".
  package static let none: ObjectPath = "/"

  private static let prefix = "/org/fermata/Playlist/"

  /// The path of a playlist's file.
  package static func path(of file: FilePath) -> ObjectPath {
    // The same escapes as in a URI, but with `_` instead of `%`.
    let escaped = PercentEncoding.encode(file.bytes, keeping: isPlain)
    return ObjectPath(unchecked: prefix + String(escaped.map { $0 == "%" ? "_" : $0 }))
  }

  /// The file that a path stands for; nil for a path that is not ours. Whether that playlist exists is not checked.
  package static func file(at path: ObjectPath) -> FilePath? {
    guard path.text.utf8.starts(with: prefix.utf8) else { return nil }
    let escaped = path.text.utf8.dropFirst(prefix.utf8.count).map { $0 == mark ? UInt8(ascii: "%") : $0 }
    guard let file = PercentEncoding.decode(escaped).flatMap({ FilePath($0) }), Self.path(of: file) == path
    else { return nil }
    return file
  }

  private static let mark = UInt8(ascii: "_")

  private static func isPlain(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
      || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}
