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
  package init(_ text: String, fields: [String]) throws(CommandError) {
    var reader = TemplateReader(text, fields: fields)
    parts = try reader.template()
  }

  /// The names of the fields in the template.
  package var names: Set<String> { Self.names(parts) }

  private static func names(_ parts: [Part]) -> Set<String> {
    parts.reduce(into: []) { names, part in
      guard case .field(let name, let present, let absent) = part else { return }
      names.formUnion([name])
      names.formUnion(self.names((present ?? []) + absent))
    }
  }

  /// The line with the values filled in, each changed by `shown` first, which leaves out what could steer a terminal. `value` returns
  /// nil or an empty text for an absent value.
  package func text(
    shown: (String) -> String = TerminalText.printable, _ value: (String) -> String?
  ) -> String {
    Self.text(parts) { name in value(name).flatMap { $0.isEmpty ? nil : shown($0) } }
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

/// Parses the text of a template from left to right.
private struct TemplateReader {
  // The deepest nesting that is read: nobody nests deeper on purpose, and each level uses some of the stack.
  private static let deepest = 16

  private var rest: Substring
  private let fields: [String]
  private var depth = 0

  init(_ text: String, fields: [String]) {
    rest = text[...]
    self.fields = fields
  }

  // Parses up to the end of the text. Inside a field it stops at the `|` or `}` that ends the part, and leaves that
  // to the caller.
  mutating func template() throws(CommandError) -> [Template.Part] {
    var parts: [Template.Part] = []
    var text = ""
    while let letter = rest.first, depth == 0 || (letter != "|" && letter != "}") {
      rest.removeFirst()
      if letter == "{" {
        if !text.isEmpty { parts.append(.text(text)) }
        text = ""
        parts.append(try field())
      } else {
        text.append(letter == "\\" ? try escaped() : letter)
      }
    }
    return text.isEmpty ? parts : parts + [.text(text)]
  }

  private mutating func field() throws(CommandError) -> Template.Part {
    let name = try name()
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else {
      throw CommandError(.usage, "{\(name)…", "nested too deeply", "use fewer levels")
    }
    let present = try skip("?") ? template() : nil
    let absent = try skip("|") ? template() : []
    guard skip("}") else {
      throw CommandError(
        .usage, "{\(name)…", "the field is not closed",
        "write '}' behind it, or '\\{' for a brace")
    }
    return .field(name, present: present, absent: absent)
  }

  private mutating func name() throws(CommandError) -> String {
    let name = String(rest.prefix { $0 != "?" && $0 != "|" && $0 != "}" })
    rest = rest.dropFirst(name.count)
    guard !fields.contains(name) else { return name }
    let all = "the fields are \(fields.joined(separator: ", "))"
    let nearest = Suggestion.nearest(to: name, among: fields).map {
      "did you mean '{\($0)}'? T" + all.dropFirst()
    }
    throw CommandError(.usage, "{\(name)}", "no such field", nearest ?? all)
  }

  private mutating func escaped() throws(CommandError) -> Character {
    switch rest.popFirst() {
    case "n": return "\n"
    case "t": return "\t"
    case let letter?: return letter
    case nil:
      throw CommandError(.usage, "\\", "nothing stands behind it", "write '\\\\' for a backslash")
    }
  }

  private mutating func skip(_ letter: Character) -> Bool {
    guard rest.first == letter else { return false }
    rest.removeFirst()
    return true
  }
}
