// SPDX-License-Identifier: MIT
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

/// Decodes texts that a tag calls Latin-1. Many of them are in the encoding of the system on which they were written, which only the user knows; by
/// default it is that of Windows in the West, which reads Latin-1 too. Owns a converter of the C library; `deinit` closes it. Used by one thread.
@safe final class LegacyText {
  private let converter: iconv_t?

  /// Decodes texts in a character set, by its name in the C library; in Windows-1252 if none is given or it isn't installed.
  init(charset: String?) {
    // `iconv_open` returns -1 for a character set that it can't convert.
    let none = unsafe iconv_t(bitPattern: -1)
    let opened = unsafe charset.flatMap { unsafe iconv_open("UTF-8", $0) }
    unsafe converter = opened == none ? nil : opened
  }

  deinit {
    if let converter = unsafe converter { unsafe iconv_close(converter) }
  }

  /// The text of these bytes; bytes that have no meaning in the character set become question marks.
  func text(_ bytes: ArraySlice<UInt8>) -> String {
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    guard let converter = unsafe converter else { return TagText.windows1252(bytes) }
    return unsafe Self.converted(bytes, converter)
  }

  private static func converted(_ bytes: ArraySlice<UInt8>, _ converter: iconv_t) -> String {
    var bytes = bytes.map { CChar(bitPattern: $0) }
    // One byte becomes four bytes of UTF-8 at most.
    var out = [CChar](repeating: 0, count: bytes.count * 4)
    _ = unsafe iconv(converter, nil, nil, nil, nil)
    let written = unsafe bytes.withUnsafeMutableBufferPointer { input in
      unsafe out.withUnsafeMutableBufferPointer { output in
        var (from, left) = (input.baseAddress, input.count)
        var (to, room) = (output.baseAddress, output.count)
        while left > 0, unsafe iconv(converter, &from, &left, &to, &room) == -1 {
          guard room > 0, left > 0, let place = unsafe to, let bad = unsafe from else { break }
          unsafe place.pointee = CChar(UInt8(ascii: "?"))
          unsafe (to, room) = (place + 1, room - 1)
          unsafe (from, left) = (bad + 1, left - 1)
        }
        return output.count - room
      }
    }
    return String(decoding: out[..<written].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
