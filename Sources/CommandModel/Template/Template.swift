// SPDX-License-Identifier: MIT

/// A line with places for values, as `status --format` takes it.
///
///     template  = { text | field }
///     field     = "{" name [ "?" template ] [ "|" template ] "}"
///
/// `{title}` is the value, or nothing where there is none. `{album?text}` is the text where there is a value, `{album|text}` where
/// there is none; both together choose. A text may hold fields again. A backslash takes the next letter as it is, but
/// `\n` and `\t` are a line break and a tab.
package struct Template: Sendable, Hashable {
  indirect enum Part: Sendable, Hashable {
    case text(String)
    case field(String, present: [Part]?, absent: [Part])
  }

  let parts: [Part]

  /// Reads a template. Throws on an unknown field, naming the known ones, and on braces that don't match.
  package init(_ text: String, fields: [String]) throws(TemplateError) {
    var reader = TemplateReader(text, fields: fields)
    parts = try reader.template()
  }

  /// The line with its values, each made safe for a terminal. `value` gives none or an empty text for what is absent.
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
