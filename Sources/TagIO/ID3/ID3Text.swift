// SPDX-License-Identifier: MIT
internal import FileIO
internal import MediaModel
internal import Glibc

/// The texts of a frame. The first byte of the frame names their encoding.
struct ID3Text {
  private enum Encoding {
    case latin1, utf8, utf16
  }

  /// The most texts of one frame that are read; nobody shows more.
  private static let mostValues = 256

  private let encoding: Encoding
  /// Whether UTF-16 has its upper byte first; a mark at the beginning of a text may change this.
  private var isBigEndian = false
  private var rest: ArraySlice<UInt8>
  private let legacy: LegacyText

  /// The texts that begin `count` bytes after the first byte. If the first byte names no encoding, it is part of the text.
  init?(_ content: [UInt8], skipping count: Int = 0, _ legacy: LegacyText) {
    guard let first = content.first, content.count >= 1 + count else { return nil }
    self.legacy = legacy
    rest = content.dropFirst(1 + count)
    switch first {
    case 0: encoding = .latin1
    case 1: (encoding, isBigEndian) = (.utf16, Self.seemsBigEndian(rest))
    case 2: (encoding, isBigEndian) = (.utf16, true)
    case 3: encoding = .utf8
    default:
      guard count == 0, first >= 0x20 else { return nil }
      (encoding, rest) = (.latin1, content[...])
    }
  }

  /// Takes the text up to the next terminator; nil after the last one.
  mutating func next() -> String? {
    guard !rest.isEmpty else { return nil }
    return encoding == .utf16 ? nextWide() : nextNarrow()
  }

  mutating func all() -> [String] {
    var texts: [String] = []
    while texts.count < Self.mostValues, let text = next() { texts.append(text) }
    return texts
  }

  private mutating func nextNarrow() -> String {
    let text = rest.prefix { $0 != 0 }
    rest = rest[text.endIndex...].dropFirst()
    return encoding == .utf8 ? String(decoding: text, as: UTF8.self) : legacy.text(text)
  }

  private mutating func nextWide() -> String? {
    var units: [UInt16] = []
    while let low = rest.popFirst(), let high = rest.popFirst() {
      let unit = isBigEndian ? UInt16(low) << 8 | UInt16(high) : UInt16(high) << 8 | UInt16(low)
      if unit == 0 { break }
      if unit == 0xfffe, units.isEmpty {
        isBigEndian.toggle()
      } else if unit != 0xfeff || !units.isEmpty {
        units.append(unit)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// Guesses the byte order of a text without a mark: in most letters the upper byte is zero.
  private static func seemsBigEndian(_ text: ArraySlice<UInt8>) -> Bool {
    var (even, odd) = (0, 0)
    for (index, byte) in text.prefix(256).enumerated() where byte == 0 {
      if index % 2 == 0 { even += 1 } else { odd += 1 }
    }
    return even > odd
  }
}
