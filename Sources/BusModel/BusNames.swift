// SPDX-License-Identifier: MIT

/// A text that follows a grammar, such as the names in a message's header.
///
/// Every value of such a type holds a text that libdbus accepts. libdbus ends the process on any other text.
package protocol WireName: Sendable, Hashable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible
{
  /// The text, in the form in which messages carry it.
  var text: String { get }
  /// Whether the grammar allows a text.
  static func allows(_ text: String.UTF8View) -> Bool
  /// Takes a text that was checked before, by `allows` or by libdbus on its arrival. It is not checked again.
  init(unchecked text: String)
}

extension WireName {
  /// The name; nil if the grammar does not allow the text.
  package init?(_ text: String) {
    guard Self.allows(text.utf8) else { return nil }
    self.init(unchecked: text)
  }

  /// A name in our own source. A malformed one is a bug and traps.
  package init(stringLiteral text: String) {
    precondition(Self.allows(text.utf8), "not a \(Self.self): \(text)")
    self.init(unchecked: text)
  }

  package var description: String { text }

  /// Ordered by the text, so that a dictionary with such keys is always written in the same order.
  package static func < (one: Self, other: Self) -> Bool { one.text < other.text }
}

/// The name of a connection: a well-known one, such as `org.fermata.Agent`, or the
/// unique one that the bus gave it, such as `:1.42`.
package struct BusName: WireName {
  package let text: String
  package init(unchecked text: String) { self.text = text }
  package static func allows(_ text: String.UTF8View) -> Bool { NameGrammar.isBusName(text) }

  /// The bus itself.
  package static let bus: BusName = "org.freedesktop.DBus"

  /// Whether this is a unique name: one that the bus gave to a connection for as long as that exists.
  package var isUnique: Bool { text.utf8.first == UInt8(ascii: ":") }
}

/// The name of an interface, such as `org.mpris.MediaPlayer2.Player`, or of an error.
package struct InterfaceName: WireName {
  package let text: String
  package init(unchecked text: String) { self.text = text }
  package static func allows(_ text: String.UTF8View) -> Bool { NameGrammar.isInterface(text) }
}

/// The name of a method, a signal, a property or an argument: one word.
package struct MemberName: WireName {
  package let text: String
  package init(unchecked text: String) { self.text = text }
  package static func allows(_ text: String.UTF8View) -> Bool { NameGrammar.isMember(text) }
}

/// The path of an object, such as `/org/mpris/MediaPlayer2`.
package struct ObjectPath: WireName {
  package let text: String
  package init(unchecked text: String) { self.text = text }
  package static func allows(_ text: String.UTF8View) -> Bool { NameGrammar.isPath(text) }

  package static let root: ObjectPath = "/"

  /// The element that follows `parent` in this path; nil when this path is not below `parent`.
  package func childName(under parent: ObjectPath) -> String? {
    let prefix = parent == .root ? "/" : parent.text + "/"
    guard text.utf8.count > prefix.utf8.count, text.hasPrefix(prefix) else { return nil }
    return String(text.dropFirst(prefix.count).prefix { $0 != "/" })
  }
}

/// The rules of the D-Bus specification for names, applied to bytes. libdbus accepts exactly the names that pass here. That matters, since libdbus
/// ends the process when we put any other name into a message.
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
