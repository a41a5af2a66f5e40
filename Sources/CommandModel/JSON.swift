// SPDX-License-Identifier: MIT

/// A value to be written as JSON. There is no null: absent values are left out.
package enum JSONValue: Sendable, Hashable {
  /// One name and its value in an object.
  package struct Member: Sendable, Hashable {
    package let name: String
    package let value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// Members in the order in which they are written.
  case object([Member])
  case array([JSONValue])
  case string(String)
  case number(DecimalText)
  case bool(Bool)

  /// An object of those members that have a value, in the order given.
  package static func object(present members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(members.compactMap { name, value in value.map { Member(name, $0) } })
  }

  package static func integer(_ number: Int) -> JSONValue { .number(DecimalText(number)) }
  package static func seconds(_ time: Duration) -> JSONValue { .number(DecimalText(seconds: time)) }

  /// The JSON text on one line, without a line break at its end.
  ///
  /// Besides what JSON requires, it escapes characters that a terminal would obey (C1 controls, bidirectional
  /// overrides) and those that some readers take for the end of a line (U+2028, U+2029). So the text is one safe line
  /// wherever it is shown.
  package var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .string(let string): text += Self.quoted(string)
    case .number(let number): text += number.text
    case .bool(let value): text += value ? "true" : "false"
    case .array(let values): Self.write(values, within: "[", "]", to: &text) { $0.write(to: &$1) }
    case .object(let members):
      Self.write(members, within: "{", "}", to: &text) { member, text in
        text += Self.quoted(member.name)
        text += ":"
        member.value.write(to: &text)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], within opening: String, _ closing: String, to text: inout String,
    _ writing: (Element, inout String) -> Void
  ) {
    text += opening
    var isFirst = true
    for element in elements {
      if !isFirst { text += "," }
      isFirst = false
      writing(element, &text)
    }
    text += closing
  }

  private static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy {
      (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    if isPlain { return "\"\(text)\"" }
    guard text.unicodeScalars.contains(where: { escaped($0) != nil }) else { return "\"\(text)\"" }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if let escape = escaped(scalar) { quoted += escape } else { quoted.unicodeScalars.append(scalar) }
    }
    return quoted + "\""
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    case _ where TerminalText.isHazardous(scalar):
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    default: return nil
    }
  }
}
