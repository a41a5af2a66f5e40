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
    switch self {
    case .string(let text): Self.quoted(text)
    case .number(let number): number.text
    case .bool(let value): value ? "true" : "false"
    case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { Self.quoted($0.name) + ":" + $0.value.text }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
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
