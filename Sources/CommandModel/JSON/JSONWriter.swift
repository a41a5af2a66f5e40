// SPDX-License-Identifier: MIT

/// Writes values as JSON text (RFC 8259).
///
/// Besides what JSON requires, it escapes characters that a terminal would obey (C1 controls, bidirectional
/// overrides) and those that some readers take for the end of a line (U+2028, U+2029). So unindented text is one safe
/// line wherever it is shown.
package struct JSONWriter {
  private let indented: Bool
  private var output: [UInt8] = []

  private init(indented: Bool) { self.indented = indented }

  /// The JSON text of a value, on one line or indented for reading. It does not end with a line break.
  package static func text(_ value: JSONValue, indented: Bool = false) -> String {
    var writer = JSONWriter(indented: indented)
    writer.write(value, depth: 0)
    return String(decoding: writer.output, as: UTF8.self)
  }

  private mutating func write(_ value: JSONValue, depth: Int) {
    switch value {
    case .string(let text): quote(text)
    case .number(let number): output += number.text.utf8
    case .bool(let value): output += (value ? "true" : "false").utf8
    case .array(let values): list("[", values, "]", depth: depth) { $0.write($1, depth: depth + 1) }
    case .object(let members):
      list("{", members, "}", depth: depth) { writer, member in
        writer.quote(member.name)
        writer.output += (writer.indented ? ": " : ":").utf8
        writer.write(member.value, depth: depth + 1)
      }
    }
  }

  private mutating func list<Element>(
    _ open: String, _ elements: [Element], _ close: String, depth: Int,
    write: (inout JSONWriter, Element) -> Void
  ) {
    output += open.utf8
    for (index, element) in elements.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      newLine(depth + 1)
      write(&self, element)
    }
    if !elements.isEmpty { newLine(depth) }
    output += close.utf8
  }

  private mutating func newLine(_ depth: Int) {
    guard indented else { return }
    output.append(UInt8(ascii: "\n"))
    output += repeatElement(UInt8(ascii: " "), count: depth * 2)
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
