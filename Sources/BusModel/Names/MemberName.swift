// SPDX-License-Identifier: MIT

/// The name of a method, a signal, a property or an argument: one word.
public struct MemberName: WireName {
  /// The text as it stands in a message.
  public let text: String
  /// A text that was checked before; see `WireName`.
  public init(unchecked text: String) { self.text = text }
  /// Whether the grammar allows a text.
  public static func allows(_ text: String.UTF8View) -> Bool { NameGrammar.isMember(text) }
}
