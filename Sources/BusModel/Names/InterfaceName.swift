// SPDX-License-Identifier: MIT

/// The name of an interface, such as `org.mpris.MediaPlayer2.Player`, or of an error.
package struct InterfaceName: WireName {
  /// The text as it stands in a message.
  package let text: String
  /// A text that was checked before; see `WireName`.
  package init(unchecked text: String) { self.text = text }
  /// Whether the grammar allows a text.
  package static func allows(_ text: String.UTF8View) -> Bool { NameGrammar.isInterface(text) }
}
