// SPDX-License-Identifier: MIT

/// A text with a grammar of its own, as the names in a message's header are.
///
/// Whoever has a value of such a type has a text that libdbus takes; it ends the process on any other.
package protocol WireName: Sendable, Hashable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible
{
  /// The text as it stands in a message.
  var text: String { get }
  /// Whether the grammar allows a text.
  static func allows(_ text: String.UTF8View) -> Bool
  /// A text that was checked before, by `allows` or by libdbus on its arrival; nobody looks at it again.
  init(unchecked text: String)
}

extension WireName {
  /// The name, or nothing where the grammar refuses it.
  package init?(_ text: String) {
    guard Self.allows(text.utf8) else { return nil }
    self.init(unchecked: text)
  }

  /// A name in our own source; a malformed one is a bug and traps.
  package init(stringLiteral text: String) {
    precondition(Self.allows(text.utf8), "not a \(Self.self): \(text)")
    self.init(unchecked: text)
  }

  /// The text itself.
  package var description: String { text }

  /// Order by the text, for stable output.
  package static func < (one: Self, other: Self) -> Bool { one.text < other.text }
}
