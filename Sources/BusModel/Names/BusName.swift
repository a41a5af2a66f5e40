// SPDX-License-Identifier: MIT

/// The name of a connection: well-known, such as `org.fermata.Agent`, or its own, such as `:1.42`.
package struct BusName: WireName {
  /// The text as it stands in a message.
  package let text: String
  /// A text that was checked before; see `WireName`.
  package init(unchecked text: String) { self.text = text }
  /// Whether the grammar allows a text.
  package static func allows(_ text: String.UTF8View) -> Bool { NameGrammar.isBusName(text) }

  /// The bus itself.
  package static let bus: BusName = "org.freedesktop.DBus"

  /// Whether the bus gave this name to one connection, for as long as that lives.
  package var isUnique: Bool { text.utf8.first == UInt8(ascii: ":") }
}
