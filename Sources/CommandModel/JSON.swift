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
    var writer = JSONWriter()
    writer.write(self)
    return String(decoding: writer.output, as: UTF8.self)
  }
}

/// Writes a value as JSON text (RFC 8259), into bytes, because a queue is long.
private struct JSONWriter {
  private(set) var output: [UInt8] = []

  mutating func write(_ value: JSONValue) {
    switch value {
    case .string(let text): quote(text)
    case .number(let number): output += number.text.utf8
    case .bool(let value): output += (value ? "true" : "false").utf8
    case .array(let values): list("[", values, "]") { $0.write($1) }
    case .object(let members):
      list("{", members, "}") { writer, member in
        writer.quote(member.name)
        writer.output.append(UInt8(ascii: ":"))
        writer.write(member.value)
      }
    }
  }

  private mutating func list<Element>(
    _ open: String, _ elements: [Element], _ close: String, write: (inout JSONWriter, Element) -> Void
  ) {
    output += open.utf8
    for (index, element) in elements.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      write(&self, element)
    }
    output += close.utf8
  }

  private mutating func quote(_ text: String) {
    output.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars { append(scalar) }
    output.append(UInt8(ascii: "\""))
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": output += "\\\"".utf8
    case "\\": output += "\\\\".utf8
    case "\n": output += "\\n".utf8
    case "\r": output += "\\r".utf8
    case "\t": output += "\\t".utf8
    case _ where TerminalText.isHazardous(scalar):
      let digits = String(scalar.value, radix: 16)
      output += "\\u".utf8
      output += repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count)
      output += digits.utf8
    default: output += UTF8.encode(scalar).map(Array.init) ?? []
    }
  }
}
