// SPDX-License-Identifier: MIT

/// The types of one or more D-Bus values in a row, such as a message's arguments. It is always within the limits of the D-Bus specification.
package struct Signature: Sendable, Hashable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible
{
  /// The longest text of a signature.
  package static let longest = 255
  /// How deep arrays may be nested in arrays, and structures in structures.
  package static let deepest = 32

  package let types: [WireType]
  /// The types as text, such as `sa{sv}`.
  package let text: String

  package init(_ text: String) throws(SignatureError) {
    var parser = SignatureParser(text)
    types = try parser.all()
    self.text = text
  }

  /// A signature of these types; throws if a D-Bus message cannot carry them.
  package init(_ types: [WireType]) throws(SignatureError) {
    var bytes: [UInt8] = []
    for type in types { type.append(to: &bytes) }
    try self.init(String(decoding: bytes, as: UTF8.self))
  }

  /// A signature in our own source. A malformed one is a bug and traps.
  package init(stringLiteral text: String) {
    do { try self.init(text) } catch { preconditionFailure("\(error)") }
  }

  package var description: String { text }

  /// Ordered by the text, so that a dictionary with such keys is always written in the same order.
  package static func < (one: Signature, other: Signature) -> Bool { one.text < other.text }
  package static func == (one: Signature, other: Signature) -> Bool { one.text == other.text }
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

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

/// Why a text is not a signature.
package enum SignatureError: Error, Sendable, Hashable, CustomStringConvertible {
  case tooLong(Int)
  case tooDeep(String)
  case endsEarly(String)
  case emptyStructure(String)
  case unknownCode(Character, in: String)
  case fileDescriptor(String)
  case badKey(Character, in: String)
  case entryOutsideArray(String)
  case entryNotAPair(String)
  case notOneType(String)

  package var description: String {
    switch self {
    case .tooLong(let count): "a signature of \(count) bytes is longer than \(Signature.longest)"
    case .tooDeep(let text): "the signature \(text) nests deeper than \(Signature.deepest)"
    case .endsEarly(let text): "the signature \(text) ends within a type"
    case .emptyStructure(let text): "the signature \(text) holds a structure without fields"
    case .unknownCode(let code, let text): "the signature \(text) holds \(code), which is no type"
    case .fileDescriptor(let text): "the signature \(text) holds h: file descriptors are not taken here"
    case .badKey(let code, let text):
      "the signature \(text) has a key of type \(code), which is no basic type"
    case .entryOutsideArray(let text): "the signature \(text) has a dictionary entry outside an array"
    case .entryNotAPair(let text):
      "the signature \(text) has a dictionary entry that is not one key and one value"
    case .notOneType(let text): "the signature \"\(text)\" is not exactly one type"
    }
  }
}
