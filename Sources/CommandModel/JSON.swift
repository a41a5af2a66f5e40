// SPDX-License-Identifier: MIT

/// Reads JSON text as RFC 8259 describes it. The nesting of values is limited, so a malicious text costs no more than its length. A null counts as
/// absent, because this program never writes one.
package struct JSONReader {
  /// The error in a text, and the byte at which it is, counted from 1.
  package struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
    package let reason: String
    package let column: Int

    package var description: String { "\(reason) (at byte \(column))" }
  }

  /// The deepest nesting that is read: no real text is deeper, and each level uses some of the stack.
  private static let deepest = 32

  private let bytes: ArraySlice<UInt8>
  private var at: Int

  /// The value of a text that contains exactly one value.
  package static func read(_ bytes: ArraySlice<UInt8>) throws(Fault) -> JSONValue {
    var reader = JSONReader(bytes: bytes, at: bytes.startIndex)
    guard let value = try reader.value(depth: 0) else { throw reader.fault("null stands alone") }
    reader.skipSpace()
    guard reader.at == bytes.endIndex else { throw reader.fault("something follows the value") }
    return value
  }

  private init(bytes: ArraySlice<UInt8>, at: Int) { (self.bytes, self.at) = (bytes, at) }

  private func fault(_ reason: String) -> Fault { Fault(reason: reason, column: at - bytes.startIndex + 1) }

  private var next: UInt8? { at < bytes.endIndex ? bytes[at] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { at += 1 }
  }

  /// Skips the next byte if it is this one. Returns whether it was.
  private mutating func pass(_ byte: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: byte) else { return false }
    at += 1
    return true
  }

  private mutating func pass(word: String) -> Bool {
    guard bytes[at...].starts(with: word.utf8) else { return false }
    at += word.utf8.count
    return true
  }

  /// The next value; nil for null.
  private mutating func value(depth: Int) throws(Fault) -> JSONValue? {
    guard depth <= Self.deepest else { throw fault("values are nested more than \(Self.deepest) deep") }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t") where pass(word: "true"): return .bool(true)
    case UInt8(ascii: "f") where pass(word: "false"): return .bool(false)
    case UInt8(ascii: "n") where pass(word: "null"): return nil
    case .some: return .number(try number())
    case nil: throw fault("a value is missing")
    }
  }

  private mutating func object(depth: Int) throws(Fault) -> JSONValue {
    at += 1
    var members: [JSONValue.Member] = []
    skipSpace()
    if pass("}") { return .object([]) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw fault("a name in quotes is missing") }
      let name = try string()
      skipSpace()
      guard pass(":") else { throw fault("a colon is missing") }
      if let value = try value(depth: depth + 1) { members.append(JSONValue.Member(name, value)) }
      skipSpace()
    } while pass(",")
    guard pass("}") else { throw fault("an object has no end") }
    return .object(members)
  }

  private mutating func array(depth: Int) throws(Fault) -> JSONValue {
    at += 1
    var values: [JSONValue] = []
    skipSpace()
    if pass("]") { return .array([]) }
    repeat {
      if let value = try value(depth: depth + 1) { values.append(value) }
      skipSpace()
    } while pass(",")
    guard pass("]") else { throw fault("a list has no end") }
    return .array(values)
  }

  private mutating func number() throws(Fault) -> DecimalText {
    let start = at
    while let byte = next, byte >= 0x30 && byte <= 0x39 || "+-.eE".utf8.contains(byte) { at += 1 }
    let text = String(decoding: bytes[start..<at], as: UTF8.self)
    if let whole = Int(text) { return DecimalText(whole) }
    guard let number = Double(text), let decimal = DecimalText(number) else {
      at = start
      throw fault(text.isEmpty ? "no value begins like this" : "'\(text.prefix(32))' is no number")
    }
    return decimal
  }

  private mutating func string() throws(Fault) -> String {
    at += 1
    var text: [UInt8] = []
    while let byte = next {
      at += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let valid = String(validating: text, as: UTF8.self) else { throw fault("a text is no UTF-8") }
        return valid
      case UInt8(ascii: "\\"): text += try escape()
      case 0..<0x20: throw fault("a text has a control character")
      default: text.append(byte)
      }
    }
    throw fault("a text has no end")
  }

  /// The bytes that an escape stands for; its backslash has been read already.
  private mutating func escape() throws(Fault) -> [UInt8] {
    guard let letter = next else { throw fault("a text has no end") }
    at += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): return try scalar()
    default: throw fault("there is no such escape")
    }
  }

  /// The character of an escape with four hexadecimal digits. Characters above U+FFFF are written as two such escapes.
  private mutating func scalar() throws(Fault) -> [UInt8] {
    var value = try unit()
    if (0xD800..<0xDC00).contains(value) {
      guard pass(word: "\\u") else { throw fault("half of a character is missing") }
      let low = try unit()
      guard (0xDC00..<0xE000).contains(low) else { throw fault("half of a character is missing") }
      value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(value) else { throw fault("there is no such character") }
    return Array(String(Character(scalar)).utf8)
  }

  private mutating func unit() throws(Fault) -> UInt32 {
    guard bytes.endIndex - at >= 4 else { throw fault("an escape has four digits") }
    var value: UInt32 = 0
    for byte in bytes[at..<at + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw fault("an escape has four digits")
      }
      value = value << 4 | UInt32(digit)
    }
    at += 4
    return value
  }
}

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
