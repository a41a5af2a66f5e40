// SPDX-License-Identifier: MIT
import BusModel

/// Makes texts from files fit for a message.
enum WireText {
  /// The longest text that is passed on, in bytes. The lyrics of a song fit in; a book does not.
  static let longest = 1 << 16
  /// The most texts that a list may hold.
  static let most = 256

  /// The text without NULs, cut after `longest` bytes. No message can carry a NUL:
  /// one in a single tag would make the whole answer fail.
  static func clean(_ text: String) -> String {
    if text.utf8.count <= longest, !text.utf8.contains(0) { return text }
    return String(decoding: withoutStump(text.utf8.filter { $0 != 0 }), as: UTF8.self)
  }

  /// The first `longest` bytes, less the beginning of a character that would be cut in two.
  private static func withoutStump(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    guard bytes.count > longest else { return bytes[...] }
    var end = longest
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return bytes[..<end]
  }

  static func value(_ text: String) -> WireValue { .string(clean(text)) }

  /// The texts as a list; nil if there are none.
  static func list(_ texts: [String]) -> WireValue? {
    texts.isEmpty ? nil : .array(.string, texts.prefix(most).map(value))
  }
}
