// SPDX-License-Identifier: MIT
package import MediaModel

/// The names of kept playlists, as people say them and as their files have them.
///
/// Any text is a name. What a file's name cannot hold, or should not, is written as `%XX` there: slashes, control characters,
/// a dot at the beginning, and a `%` that would read as such an escape.
package enum PlaylistName {
  /// The most bytes of a file's name.
  package static let longest = 255
  private static let ending = Array(".m3u8".utf8)

  /// The name of the file for a playlist; nil where the name is empty or too long.
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

  /// What the playlist in a file is called; nil where the file is not named like a playlist's, or hidden.
  package static func name(of file: FilePath) -> String? {
    let bytes = Array(file.nameBytes)
    guard bytes.first != dot, file.pathExtension.utf8.elementsEqual(ending.dropFirst()) else { return nil }
    let stem = Array(bytes.dropLast(ending.count))
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
    // The control characters beyond ASCII are two bytes.
    case 0xC2: bytes[index + 1] < 0xA0
    case 0x80..<0xA0: bytes[index - 1] == 0xC2
    default: false
    }
  }

  /// The byte that an escape at the beginning stands for.
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
