// SPDX-License-Identifier: MIT

/// Any number of complete types, within the limits of the specification.
package struct Signature: Sendable, Hashable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible
{
  /// The longest text of a signature.
  package static let longest = 255
  /// How deep arrays may stand in each other, and structures in each other.
  package static let deepest = 32

  /// The types, in order.
  package let types: [WireType]
  /// The same as text.
  package let text: String

  /// The types that a text stands for.
  package init(_ text: String) throws(SignatureError) {
    var parser = SignatureParser(text)
    types = try parser.all()
    self.text = text
  }

  /// These types, if the wire can carry them.
  package init(_ types: [WireType]) throws(SignatureError) {
    var bytes: [UInt8] = []
    for type in types { type.append(to: &bytes) }
    try self.init(String(decoding: bytes, as: UTF8.self))
  }

  /// A signature in our own source; a malformed one is a bug and traps.
  package init(stringLiteral text: String) {
    do { try self.init(text) } catch { preconditionFailure("\(error)") }
  }

  /// The text.
  package var description: String { text }

  /// Order by bytes, for stable output.
  package static func < (one: Signature, other: Signature) -> Bool { one.text < other.text }
  /// Signatures are the same when their texts are.
  package static func == (one: Signature, other: Signature) -> Bool { one.text == other.text }
  /// Adds the text.
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
