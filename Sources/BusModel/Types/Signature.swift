// SPDX-License-Identifier: MIT

/// Any number of complete types, within the limits of the specification.
public struct Signature: Sendable, Hashable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The longest text of a signature.
  public static let longest = 255
  /// How deep arrays may stand in each other, and structures in each other.
  public static let deepest = 32

  /// The types, in order.
  public let types: [WireType]
  /// The same as text.
  public let text: String

  /// The types that a text stands for.
  public init(_ text: String) throws(SignatureError) {
    var parser = SignatureParser(text)
    types = try parser.all()
    self.text = text
  }

  /// These types, if the wire can carry them.
  public init(_ types: [WireType]) throws(SignatureError) {
    var bytes: [UInt8] = []
    for type in types { type.append(to: &bytes) }
    try self.init(String(decoding: bytes, as: UTF8.self))
  }

  /// A signature in our own source; a malformed one is a bug and traps.
  public init(stringLiteral text: String) {
    do { try self.init(text) } catch { preconditionFailure("\(error)") }
  }

  /// The text.
  public var description: String { text }

  /// Order by bytes, for stable output.
  public static func < (one: Signature, other: Signature) -> Bool { one.text < other.text }
  /// Signatures are the same when their texts are.
  public static func == (one: Signature, other: Signature) -> Bool { one.text == other.text }
  /// Adds the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
