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
  case number(JSONNumber)
  case bool(Bool)

  /// An object of those members that have a value, in the order given.
  package static func object(present members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(members.compactMap { name, value in value.map { Member(name, $0) } })
  }

  package static func integer(_ number: Int) -> JSONValue { .number(JSONNumber(number)) }
  package static func seconds(_ time: Duration) -> JSONValue { .number(JSONNumber(seconds: time)) }

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

/// A number in the form in which it is written to JSON: decimal, without an exponent and without needless zeros.
package struct JSONNumber: Sendable, Hashable {
  package let text: String

  package init(_ number: Int) { text = String(number) }

  /// A fraction, to six decimals. Nil if it isn't finite, or if it is so large (1e12) that readers would lose digits.
  package init?(_ number: Double) {
    guard number.isFinite, number.magnitude < 1e12 else { return nil }
    // The whole and the fractional part are scaled apart, because a large number times a million is no longer exact.
    let whole = number.rounded(.towardZero)
    text = Self.decimal(Int64(whole) * 1_000_000 + Int64(((number - whole) * 1_000_000).rounded()), places: 6)
  }

  /// A time in seconds, to the millisecond.
  package init(seconds time: Duration) {
    let (seconds, attoseconds) = time.components
    // A time that is too long to count in milliseconds is written in whole seconds.
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    let milliseconds =
      (attoseconds + (attoseconds < 0 ? -1 : 1) * 500_000_000_000_000) / 1_000_000_000_000_000
    let (total, carried) = scaled.addingReportingOverflow(milliseconds)
    text = overflow || carried ? String(seconds) : Self.decimal(total, places: 3)
  }

  // Writes a number that is counted in units of its last decimal place, with the decimal point.
  private static func decimal(_ count: Int64, places: Int) -> String {
    var digits = String(count.magnitude)
    digits = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    var fraction = digits.suffix(places)
    while fraction.last == "0" { fraction.removeLast() }
    let whole = digits.dropLast(places)
    return (count < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
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
