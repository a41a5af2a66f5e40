// SPDX-License-Identifier: MIT

/// A value as a message carries it, with its exact type.
///
/// Containers name the types of what they hold, so that an empty one has a type too. `check(as:)` makes sure that the
/// elements have these types; every outgoing message is checked by it.
package enum WireValue: Sendable, Hashable {
  case byte(UInt8)
  case boolean(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case objectPath(ObjectPath)
  case signature(Signature)
  case array(WireType, [WireValue])
  case dictionary(BasicType, WireType, [DictionaryEntry])
  case structure([WireValue])
  indirect case variant(WireValue)

  /// The type that the value claims to be. What it holds is not checked.
  package var type: WireType {
    switch self {
    case .array(let element, _): .array(element)
    case .dictionary(let key, let value, _): .dictionary(key, value)
    case .structure(let fields): .structure(fields.map(\.type))
    case .variant: .variant
    default: .basic(basicType ?? .byte)
    }
  }

  /// Whether `type` of this value is the given type. This is faster than comparing, since no type is built.
  package func isOf(_ type: WireType) -> Bool {
    switch (self, type) {
    case (.variant, .variant): true
    case (.array(let element, _), .array(let expected)): element == expected
    case (.dictionary(let key, let value, _), .dictionary(let expectedKey, let expectedValue)):
      key == expectedKey && value == expectedValue
    case (.structure, _): self.type == type
    case (_, .basic(let expected)): basicType == expected
    default: false
    }
  }

  /// The basic type of a value that holds no others; nil for a container.
  package var basicType: BasicType? {
    switch self {
    case .byte: .byte
    case .boolean: .boolean
    case .int16: .int16
    case .uint16: .uint16
    case .int32: .int32
    case .uint32: .uint32
    case .int64: .int64
    case .uint64: .uint64
    case .double: .double
    case .string: .string
    case .objectPath: .objectPath
    case .signature: .signature
    case .array, .dictionary, .structure, .variant: nil
    }
  }

  /// A dictionary from text to anything, the commonest container on a bus: `a{sv}`.
  package static func properties(_ entries: [(String, WireValue)]) -> WireValue {
    .dictionary(.string, .variant, entries.map { DictionaryEntry(.string($0), .variant($1)) })
  }

  /// The fields of a structure; nil for any other value.
  package var fields: [WireValue]? {
    guard case .structure(let fields) = self else { return nil }
    return fields
  }
}
