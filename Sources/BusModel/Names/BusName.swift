// SPDX-License-Identifier: MIT

/// The name of a connection: well-known, such as `org.fermata.Agent`, or its own, such as `:1.42`.
public struct BusName: WireName {
  /// The text as it stands in a message.
  public let text: String
  /// A text that was checked before; see `WireName`.
  public init(unchecked text: String) { self.text = text }
  /// Whether the grammar allows a text.
  public static func allows(_ text: String.UTF8View) -> Bool { NameGrammar.isBusName(text) }

  /// The bus itself.
  public static let bus: BusName = "org.freedesktop.DBus"

  /// Whether the bus gave this name to one connection, for as long as that lives.
  public var isUnique: Bool { text.utf8.first == UInt8(ascii: ":") }
}
