// SPDX-License-Identifier: MIT

/// A type that holds no other type. Only these may be the key of a dictionary.
///
/// The raw value is the type's code in a signature. Unix file descriptors (`h`) are left out on purpose: nothing here
/// takes them over, and a descriptor that nobody takes over leaks.
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

  /// Its code as the text of a signature.
  var text: String {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    }
  }
}
