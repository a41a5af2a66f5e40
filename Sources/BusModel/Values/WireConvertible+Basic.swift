// SPDX-License-Identifier: MIT

extension UInt8: WireBasic {
  /// `y`
  package static var basicType: BasicType { .byte }
  /// The value as a message carries it.
  package var wireValue: WireValue { .byte(self) }
  /// The value, if it is of exactly this type.
  package init?(wire: WireValue) {
    guard case .byte(let value) = wire else { return nil }
    self = value
  }
}

extension Int16: WireBasic {
  /// `n`
  package static var basicType: BasicType { .int16 }
  /// The value as a message carries it.
  package var wireValue: WireValue { .int16(self) }
  /// The value, if it is of exactly this type.
  package init?(wire: WireValue) {
    guard case .int16(let value) = wire else { return nil }
    self = value
  }
}

extension UInt16: WireBasic {
  /// `q`
  package static var basicType: BasicType { .uint16 }
  /// The value as a message carries it.
  package var wireValue: WireValue { .uint16(self) }
  /// The value, if it is of exactly this type.
  package init?(wire: WireValue) {
    guard case .uint16(let value) = wire else { return nil }
    self = value
  }
}

extension Int32: WireBasic {
  /// `i`
  package static var basicType: BasicType { .int32 }
  /// The value as a message carries it.
  package var wireValue: WireValue { .int32(self) }
  /// The value, if it is of exactly this type.
  package init?(wire: WireValue) {
    guard case .int32(let value) = wire else { return nil }
    self = value
  }
}

extension UInt32: WireBasic {
  /// `u`
  package static var basicType: BasicType { .uint32 }
  /// The value as a message carries it.
  package var wireValue: WireValue { .uint32(self) }
  /// The value, if it is of exactly this type.
  package init?(wire: WireValue) {
    guard case .uint32(let value) = wire else { return nil }
    self = value
  }
}

extension Int64: WireBasic {
  /// `x`
  package static var basicType: BasicType { .int64 }
  /// The value as a message carries it.
  package var wireValue: WireValue { .int64(self) }
  /// The value, if it is of exactly this type.
  package init?(wire: WireValue) {
    guard case .int64(let value) = wire else { return nil }
    self = value
  }
}

extension UInt64: WireBasic {
  /// `t`
  package static var basicType: BasicType { .uint64 }
  /// The value as a message carries it.
  package var wireValue: WireValue { .uint64(self) }
  /// The value, if it is of exactly this type.
  package init?(wire: WireValue) {
    guard case .uint64(let value) = wire else { return nil }
    self = value
  }
}

extension Double: WireBasic {
  /// `d`
  package static var basicType: BasicType { .double }
  /// The value as a message carries it.
  package var wireValue: WireValue { .double(self) }
  /// The value, if it is of exactly this type.
  package init?(wire: WireValue) {
    guard case .double(let value) = wire else { return nil }
    self = value
  }
}

extension String: WireBasic {
  /// `s`
  package static var basicType: BasicType { .string }
  /// The value as a message carries it.
  package var wireValue: WireValue { .string(self) }
  /// The value, if it is of exactly this type.
  package init?(wire: WireValue) {
    guard case .string(let value) = wire else { return nil }
    self = value
  }
}

extension ObjectPath: WireBasic {
  /// `o`
  package static var basicType: BasicType { .objectPath }
  /// The value as a message carries it.
  package var wireValue: WireValue { .objectPath(self) }
  /// The value, if it is of exactly this type.
  package init?(wire: WireValue) {
    guard case .objectPath(let value) = wire else { return nil }
    self = value
  }
}

extension Signature: WireBasic {
  /// `g`
  package static var basicType: BasicType { .signature }
  /// The value as a message carries it.
  package var wireValue: WireValue { .signature(self) }
  /// The value, if it is of exactly this type.
  package init?(wire: WireValue) {
    guard case .signature(let value) = wire else { return nil }
    self = value
  }
}

extension Bool: WireConvertible {
  /// `b`
  package static var wireType: WireType { .boolean }
  /// The value as a message carries it.
  package var wireValue: WireValue { .boolean(self) }
  /// The value, if it is of exactly this type.
  package init?(wire: WireValue) {
    guard case .boolean(let value) = wire else { return nil }
    self = value
  }
}
