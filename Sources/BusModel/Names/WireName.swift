// SPDX-License-Identifier: MIT

/// A text that follows a grammar, such as the names in a message's header.
///
/// Every value of such a type holds a text that libdbus accepts. libdbus ends the process on any other text.
package protocol WireName: Sendable, Hashable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible
{
  /// The text as it stands in a message.
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

  /// The text itself.
  package var description: String { text }

  /// Ordered by the text, so that output is stable.
  package static func < (one: Self, other: Self) -> Bool { one.text < other.text }
}
