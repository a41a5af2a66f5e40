// SPDX-License-Identifier: MIT

/// The specification's rules for names, applied to bytes. A name that passes here is one that libdbus accepts. That
/// matters, since libdbus ends the process when we put any other name into a message.
enum NameGrammar {
  /// The longest name that a message may carry; object paths have no such limit.
  static let longest = 255

  /// Whether the text is one element, as a member name is.
  static func isMember(_ text: some Collection<UInt8>) -> Bool {
    text.count <= longest && isElement(text, allowing: isWordByte, digitFirst: false)
  }

  /// Whether the text is two or more elements with dots between them, as an interface or error name is.
  static func isInterface(_ text: some Collection<UInt8>) -> Bool {
    isDotted(text, allowing: isWordByte, digitFirst: false)
  }

  /// Whether the text is a well-known name, or a unique name, which begins with a colon.
  static func isBusName(_ text: some Collection<UInt8>) -> Bool {
    guard text.first == UInt8(ascii: ":") else {
      return isDotted(text, allowing: isBusByte, digitFirst: false)
    }
    return text.count <= longest && isDotted(text.dropFirst(), allowing: isBusByte, digitFirst: true)
  }

  /// Whether the text is `/`, or a series of elements that each follow a slash.
  static func isPath(_ text: some Collection<UInt8>) -> Bool {
    guard text.first == UInt8(ascii: "/") else { return false }
    if text.count == 1 { return true }
    return text.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .allSatisfy { isElement($0, allowing: isWordByte, digitFirst: true) }
  }

  private static func isDotted(
    _ text: some Collection<UInt8>, allowing: (UInt8) -> Bool, digitFirst: Bool
  ) -> Bool {
    guard text.count <= longest else { return false }
    let elements = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return elements.count >= 2
      && elements.allSatisfy { isElement($0, allowing: allowing, digitFirst: digitFirst) }
  }

  private static func isElement(
    _ text: some Collection<UInt8>, allowing: (UInt8) -> Bool, digitFirst: Bool
  ) -> Bool {
    guard let first = text.first, digitFirst || !isDigit(first) else { return false }
    return text.allSatisfy(allowing)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z") || isDigit(byte)
      || byte == UInt8(ascii: "_")
  }

  private static func isBusByte(_ byte: UInt8) -> Bool { isWordByte(byte) || byte == UInt8(ascii: "-") }
}
