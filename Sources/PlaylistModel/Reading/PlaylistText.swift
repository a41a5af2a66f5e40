// SPDX-License-Identifier: MIT

/// Converts the bytes of playlists to text and splits them into lines.
enum PlaylistText {
  /// The most bytes of a line. A path of the greatest length fits even if every byte is percent-encoded.
  static let longestLine = 16_384

  /// The bytes without a byte order mark, converted to UTF-8 if the mark says UTF-16.
  static func normalized(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { return Array(bytes.dropFirst(3)) }
    if bytes.starts(with: [0xff, 0xfe]) { return fromUTF16(bytes.dropFirst(2)) { $1 << 8 | $0 } }
    if bytes.starts(with: [0xfe, 0xff]) { return fromUTF16(bytes.dropFirst(2)) { $0 << 8 | $1 } }
    return bytes
  }

  /// The bytes as text without white space around it. If they are not valid UTF-8, they are taken for Latin-1.
  static func decode(_ bytes: some Collection<UInt8>) -> String {
    let text = String(validating: bytes, as: UTF8.self) ?? String(decoding: fromLatin1(bytes), as: UTF8.self)
    return trimmed(text)
  }

  /// The same, or nil if the text is empty.
  static func words(_ bytes: some Collection<UInt8>) -> String? {
    let text = decode(bytes)
    return text.isEmpty ? nil : text
  }

  /// Converts Latin-1 to UTF-8.
  static func fromLatin1(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    for byte in bytes {
      if byte < 0x80 {
        out.append(byte)
      } else {
        out.append(0xc0 | byte >> 6)
        out.append(0x80 | byte & 0x3f)
      }
    }
    return out
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

  /// Calls `body` for each line with its number, counted from 1. Lines end with LF, CRLF or CR. Empty lines are
  /// skipped; so are lines that are too long, with a problem noted.
  static func eachLine(
    _ bytes: [UInt8], _ gathering: inout Gathering,
    _ body: (Int, ArraySlice<UInt8>, inout Gathering) -> Void
  ) {
    var (number, start, previous) = (1, 0, UInt8(0))
    func end(at index: Int) {
      let line = bytes[start..<index]
      if line.count > longestLine {
        gathering.problem(number, "a line of \(line.count) bytes; \(longestLine) are read")
      } else if !line.allSatisfy(isBlank) {
        body(number, line, &gathering)
      }
    }
    for (index, byte) in bytes.enumerated() {
      if byte == 0x0a && previous == 0x0d {
        start = index + 1
      } else if byte == 0x0a || byte == 0x0d {
        end(at: index)
        start = index + 1
        number += 1
      }
      previous = byte
    }
    end(at: bytes.count)
  }

  private static func trimmed(_ text: String) -> String {
    guard let start = text.firstIndex(where: { !$0.isWhitespace }),
      let end = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(text[start...end])
  }

  private static func fromUTF16(
    _ bytes: ArraySlice<UInt8>, _ join: (UInt16, UInt16) -> UInt16
  ) -> [UInt8] {
    let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
      join(UInt16(bytes[index]), UInt16(bytes[index + 1]))
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
