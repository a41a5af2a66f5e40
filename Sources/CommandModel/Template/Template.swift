// SPDX-License-Identifier: MIT

/// A line with fields that are replaced by values, as `status --format` takes it.
///
///     template  = { text | field }
///     field     = "{" name [ "?" template ] [ "|" template ] "}"
///
/// `{title}` is replaced by the value, or by nothing if there is none. `{album?text}` gives the text if there is a
/// value, `{album|text}` gives it if there is none, and both can be combined. Such a text may contain fields too. A
/// backslash makes the next character literal, but `\n` is a line break and `\t` is a tab.
package struct Template: Sendable, Hashable {
  indirect enum Part: Sendable, Hashable {
    case text(String)
    case field(String, present: [Part]?, absent: [Part])
  }

  let parts: [Part]

  /// Parses a template. Throws on an unknown field, with a list of the known ones, and on braces that don't match.
  package init(_ text: String, fields: [String]) throws(TemplateError) {
    var reader = TemplateReader(text, fields: fields)
    parts = try reader.template()
  }

  /// The line with the values filled in, each made safe for a terminal. `value` returns nil or an empty text for an
  /// absent value.
  package func text(_ value: (String) -> String?) -> String {
    Self.text(parts) { name in value(name).flatMap { $0.isEmpty ? nil : TerminalText.printable($0) } }
  }

  private static func text(_ parts: [Part], _ value: (String) -> String?) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .field(let name, let present, let absent):
        if let found = value(name) {
          present.map { Self.text($0, value) } ?? found
        } else {
          Self.text(absent, value)
        }
      }
    }.joined()
  }
}
