// SPDX-License-Identifier: MIT
package import BusModel
package import MediaModel

/// Playlists as MPRIS names them: object paths. Each is made of its file's path, in which every byte that an
/// object path cannot hold is written as `_` and two digits, so it is the same as long as the file is where
/// it is.
package enum PlaylistPath {
  /// What stands for no playlist.
  package static let none: ObjectPath = "/"

  private static let prefix = "/org/fermata/Playlist/"

  /// The path of a playlist's file.
  package static func path(of file: FilePath) -> ObjectPath {
    // The escapes of a URI, with another mark.
    let escaped = PercentEncoding.encode(file.bytes, keeping: isPlain)
    return ObjectPath(unchecked: prefix + String(escaped.map { $0 == "%" ? "_" : $0 }))
  }

  /// The file that a path stands for; nothing for any other path. Whether there is such a playlist is another
  /// question.
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
