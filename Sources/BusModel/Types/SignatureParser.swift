// SPDX-License-Identifier: MIT

/// Reads a signature's text from left to right. It recurses once for each level of nesting, which the specification limits.
struct SignatureParser {
  private let text: String
  private let bytes: [UInt8]
  private var next = 0
  private var arrays = 0
  private var structures = 0

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8.prefix(Signature.longest + 1))
  }

  /// Every type of the text.
  mutating func all() throws(SignatureError) -> [WireType] {
    guard bytes.count <= Signature.longest else { throw .tooLong(text.utf8.count) }
    var types: [WireType] = []
    while next < bytes.count { types.append(try one()) }
    return types
  }

  private mutating func one() throws(SignatureError) -> WireType {
    let code = try take()
    if let basic = BasicType(rawValue: code) { return .basic(basic) }
    switch code {
    case UInt8(ascii: "v"): return .variant
    case UInt8(ascii: "a"): return try array()
    case UInt8(ascii: "("): return try structure()
    case UInt8(ascii: "{"): throw .entryOutsideArray(text)
    case UInt8(ascii: "h"): throw .fileDescriptor(text)
    default: throw .unknownCode(Character(UnicodeScalar(code)), in: text)
    }
  }

  private mutating func array() throws(SignatureError) -> WireType {
    arrays += 1
    defer { arrays -= 1 }
    guard arrays <= Signature.deepest else { throw .tooDeep(text) }
    guard peek == UInt8(ascii: "{") else { return .array(try one()) }
    next += 1
    return try entry()
  }

  private mutating func entry() throws(SignatureError) -> WireType {
    structures += 1
    defer { structures -= 1 }
    guard structures <= Signature.deepest else { throw .tooDeep(text) }
    let code = try take()
    guard code != UInt8(ascii: "h") else { throw .fileDescriptor(text) }
    guard code != UInt8(ascii: "}") else { throw .entryNotAPair(text) }
    guard let key = BasicType(rawValue: code) else { throw .badKey(Character(UnicodeScalar(code)), in: text) }
    guard peek != UInt8(ascii: "}") else { throw .entryNotAPair(text) }
    let value = try one()
    guard try take() == UInt8(ascii: "}") else { throw .entryNotAPair(text) }
    return .dictionary(key, value)
  }

  private mutating func structure() throws(SignatureError) -> WireType {
    structures += 1
    defer { structures -= 1 }
    guard structures <= Signature.deepest else { throw .tooDeep(text) }
    var fields: [WireType] = []
    while peek != UInt8(ascii: ")") { fields.append(try one()) }
    next += 1
    guard !fields.isEmpty else { throw .emptyStructure(text) }
    return .structure(fields)
  }

  private var peek: UInt8? { next < bytes.count ? bytes[next] : nil }

  private mutating func take() throws(SignatureError) -> UInt8 {
    guard let byte = peek else { throw .endsEarly(text) }
    next += 1
    return byte
  }
}
