// SPDX-License-Identifier: MIT

/// The type of one D-Bus value.
///
/// In the format a dictionary is an array of entries. Here it is one type, so that an entry outside an array, or a container as a key, cannot be
/// expressed. Types that can be expressed here but not sent (an empty structure, nesting beyond the limits) are refused by `Signature`.
package enum WireType: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  case basic(BasicType)
  case variant
  indirect case array(WireType)
  indirect case dictionary(BasicType, WireType)
  case structure([WireType])

  /// Reads the text of a type, such as `as`. Throws unless the text is exactly one type.
  package init(_ text: String) throws(SignatureError) {
    let types = try Signature(text).types
    guard let only = types.first, types.count == 1 else { throw .notOneType(text) }
    self = only
  }

  /// A type in our own source. A malformed one is a bug and traps.
  package init(stringLiteral text: String) {
    do { self = try WireType(text) } catch { preconditionFailure("\(error)") }
  }

  /// The type's text in a signature.
  package var description: String {
    if let text = commonText { return text }
    var text: [UInt8] = []
    append(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// The texts of the most common types, which need not be built each time; nil for any other type.
  private var commonText: String? {
    switch self {
    case .basic(let type): type.text
    case .variant: "v"
    case .array(.basic(.string)): "as"
    case .dictionary(.string, .variant): "a{sv}"
    default: nil
    }
  }

  /// Whether the type holds at most one level of others, so that it is certainly within the format's limits.
  var isShallow: Bool {
    switch self {
    case .basic, .variant, .array(.basic), .array(.variant), .dictionary(_, .basic), .dictionary(_, .variant):
      true
    default: false
    }
  }

  /// Adds the type's text to a signature.
  func append(to text: inout [UInt8]) {
    switch self {
    case .basic(let type): text.append(type.rawValue)
    case .variant: text.append(UInt8(ascii: "v"))
    case .array(let element):
      text.append(UInt8(ascii: "a"))
      element.append(to: &text)
    case .dictionary(let key, let value):
      text += [UInt8(ascii: "a"), UInt8(ascii: "{"), key.rawValue]
      value.append(to: &text)
      text.append(UInt8(ascii: "}"))
    case .structure(let fields):
      text.append(UInt8(ascii: "("))
      for field in fields { field.append(to: &text) }
      text.append(UInt8(ascii: ")"))
    }
  }
}

extension WireType {
  package static let byte = WireType.basic(.byte)
  package static let boolean = WireType.basic(.boolean)
  package static let int16 = WireType.basic(.int16)
  package static let uint16 = WireType.basic(.uint16)
  package static let int32 = WireType.basic(.int32)
  package static let uint32 = WireType.basic(.uint32)
  package static let int64 = WireType.basic(.int64)
  package static let uint64 = WireType.basic(.uint64)
  package static let double = WireType.basic(.double)
  package static let string = WireType.basic(.string)
  package static let objectPath = WireType.basic(.objectPath)
  package static let signature = WireType.basic(.signature)
}

/// A type that holds no other type. Only these may be the key of a dictionary.
///
/// The raw value is the type's code in a signature. Unix file descriptors (`h`) are left out on purpose: a descriptor that arrives in a
/// value stays open for ever unless somebody takes it over. `BusConnection.callForDescriptor` is the one call that takes one.
package enum BasicType: UInt8, Sendable, Hashable, CaseIterable {
  case byte = 0x79
  case boolean = 0x62
  case int16 = 0x6E
  case uint16 = 0x71
  case int32 = 0x69
  case uint32 = 0x75
  case int64 = 0x78
  case uint64 = 0x74
  case double = 0x64
  case string = 0x73
  case objectPath = 0x6F
  case signature = 0x67

  /// The type's code as the text of a signature, such as `u`.
  var text: String { String(UnicodeScalar(rawValue)) }
}
