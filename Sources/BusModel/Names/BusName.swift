// SPDX-License-Identifier: MIT

/// The name of a connection: a well-known one, such as `org.fermata.Agent`, or the
/// unique one that the bus gave it, such as `:1.42`.
package struct BusName: WireName {
  /// The text as it stands in a message.
  package let text: String
  /// A text that was checked before; see `WireName`.
  package init(unchecked text: String) { self.text = text }
  /// Whether the grammar allows a text.
  package static func allows(_ text: String.UTF8View) -> Bool { NameGrammar.isBusName(text) }

  /// The bus itself.
  package static let bus: BusName = "org.freedesktop.DBus"

  /// Whether this is a unique name: one that the bus gave to a connection for as long as that exists.
  package var isUnique: Bool { text.utf8.first == UInt8(ascii: ":") }
}
