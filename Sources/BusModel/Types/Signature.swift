// SPDX-License-Identifier: MIT

/// Any number of complete types, within the limits of the specification.
package struct Signature: Sendable, Hashable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible
{
  /// The longest text of a signature.
  package static let longest = 255
  /// How deep arrays may be nested in arrays, and structures in structures.
  package static let deepest = 32

  /// The types, in order.
  package let types: [WireType]
  /// The same as text.
  package let text: String

  /// Reads the types from a text.
  package init(_ text: String) throws(SignatureError) {
    var parser = SignatureParser(text)
    types = try parser.all()
    self.text = text
  }

  /// A signature of these types; throws if the wire format cannot carry them.
  package init(_ types: [WireType]) throws(SignatureError) {
    var bytes: [UInt8] = []
    for type in types { type.append(to: &bytes) }
    try self.init(String(decoding: bytes, as: UTF8.self))
  }

  /// A signature in our own source. A malformed one is a bug and traps.
  package init(stringLiteral text: String) {
    do { try self.init(text) } catch { preconditionFailure("\(error)") }
  }

  /// The text.
  package var description: String { text }

  /// Ordered by the text, so that output is stable.
  package static func < (one: Signature, other: Signature) -> Bool { one.text < other.text }
  /// Signatures are the same when their texts are.
  package static func == (one: Signature, other: Signature) -> Bool { one.text == other.text }
  /// Adds the text.
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
