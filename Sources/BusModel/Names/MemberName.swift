// SPDX-License-Identifier: MIT

/// The name of a method, a signal, a property or an argument: one word.
package struct MemberName: WireName {
  /// The text as it stands in a message.
  package let text: String
  /// A text that was checked before; see `WireName`.
  package init(unchecked text: String) { self.text = text }
  /// Whether the grammar allows a text.
  package static func allows(_ text: String.UTF8View) -> Bool { NameGrammar.isMember(text) }
}
