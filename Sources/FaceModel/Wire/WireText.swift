// SPDX-License-Identifier: MIT
import BusModel

/// A file's texts as a message can carry them.
enum WireText {
  /// The longest text that is passed on, in bytes: words of a song fit in, a book does not.
  static let longest = 1 << 16
  /// The most values of one field.
  static let most = 256

  /// The text without NUL, which no message can carry: one in a tag would take the whole answer with it. Cut
  /// where it is endless.
  static func clean(_ text: String) -> String {
    if text.utf8.count <= longest, !text.utf8.contains(0) { return text }
    return String(decoding: withoutStump(text.utf8.filter { $0 != 0 }), as: UTF8.self)
  }

  /// The beginning, without a character of which the end would be cut off.
  private static func withoutStump(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    guard bytes.count > longest else { return bytes[...] }
    var end = longest
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return bytes[..<end]
  }

  static func value(_ text: String) -> WireValue { .string(clean(text)) }

  /// As a list; nothing where it is empty.
  static func list(_ texts: [String]) -> WireValue? {
    texts.isEmpty ? nil : .array(.string, texts.prefix(most).map(value))
  }
}
