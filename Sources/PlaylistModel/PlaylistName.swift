// SPDX-License-Identifier: MIT
package import MediaModel

/// Converts between the names of kept playlists and the names of their files.
///
/// A playlist's name may be any text. Characters that a file name can't or should not contain are written as `%XX`:
/// slashes, control characters, a dot at the beginning, and a `%` that would be taken for such an escape.
package enum PlaylistName {
  /// The most bytes that a file name may have.
  package static let longest = 255
  /// The extensions of files that count as kept playlists. Ours have the first one; files with the others were put there by somebody.
  package static let endings: [PlaylistFormat] = [.m3u8, .m3u, .pls, .xspf]
  private static let ending = Array(".m3u8".utf8)

  /// The file name for a playlist; nil if the playlist's name is empty or too long.
  package static func file(named name: String) -> FilePath? {
    guard !name.isEmpty else { return nil }
    let bytes = Array(name.utf8)
    var file: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if isEscaped(byte, at: index, of: bytes) {
        file += PercentEncoding.encode([byte]) { _ in false }.utf8
      } else {
        file.append(byte)
      }
    }
    return file.count + ending.count <= longest ? FilePath(file + ending) : nil
  }

  /// The playlist's name for a file; nil if the file is hidden or doesn't have a playlist's extension.
  package static func name(of file: FilePath) -> String? {
    let bytes = Array(file.nameBytes)
    guard bytes.first != dot, let format = PlaylistFormat(name: file), endings.contains(format) else {
      return nil
    }
    let stem = Array(bytes.dropLast(1 + format.rawValue.utf8.count))
    guard !stem.isEmpty else { return nil }
    return String(validating: unescaped(stem), as: UTF8.self) ?? String(decoding: stem, as: UTF8.self)
  }

  private static let dot = UInt8(ascii: ".")
  private static let percent = UInt8(ascii: "%")

  private static func isEscaped(_ byte: UInt8, at index: Int, of bytes: [UInt8]) -> Bool {
    switch byte {
    case 0..<0x20, 0x7F, UInt8(ascii: "/"): true
    case dot: index == 0
    case percent: escape(in: bytes[index...]) != nil
    // The control characters beyond ASCII (C1) have two bytes in UTF-8.
    case 0xC2: bytes[index + 1] < 0xA0
    case 0x80..<0xA0: bytes[index - 1] == 0xC2
    default: false
    }
  }

  /// The byte that an escape at the beginning stands for; nil if there is no escape.
  private static func escape(in bytes: ArraySlice<UInt8>) -> UInt8? {
    guard bytes.count >= 3, bytes.first == percent else { return nil }
    return PercentEncoding.decode(bytes.prefix(3))?.first
  }

  private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
    var (out, rest) = ([UInt8](), bytes[...])
    while let first = rest.first {
      let escape = escape(in: rest)
      out.append(escape ?? first)
      rest = rest.dropFirst(escape == nil ? 1 : 3)
    }
    return out
  }
}
