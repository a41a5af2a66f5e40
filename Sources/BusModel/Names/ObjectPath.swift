// SPDX-License-Identifier: MIT

/// The path of an object, such as `/org/mpris/MediaPlayer2`.
package struct ObjectPath: WireName {
  /// The text as it stands in a message.
  package let text: String
  /// A text that was checked before; see `WireName`.
  package init(unchecked text: String) { self.text = text }
  /// Whether the grammar allows a text.
  package static func allows(_ text: String.UTF8View) -> Bool { NameGrammar.isPath(text) }

  /// The path above all others.
  package static let root: ObjectPath = "/"

  /// Whether this path is the other path or below it.
  package func isWithin(_ other: ObjectPath) -> Bool { self == other || childName(under: other) != nil }

  /// The element that follows `parent` in this path; nil when this path is not below `parent`.
  package func childName(under parent: ObjectPath) -> String? {
    let prefix = parent == .root ? "/" : parent.text + "/"
    guard text.utf8.count > prefix.utf8.count, text.hasPrefix(prefix) else { return nil }
    return String(text.dropFirst(prefix.count).prefix { $0 != "/" })
  }
}
