// SPDX-License-Identifier: MIT

/// A Swift type that corresponds to exactly one type of D-Bus's wire format.
package protocol WireConvertible: Sendable {
  /// The type in the wire format, such as `as` for an array of strings.
  static var wireType: WireType { get }
  /// The value as a message carries it.
  var wireValue: WireValue { get }
  /// The value from a message; nil when it is of another type.
  init?(wire: WireValue)
}

/// A Swift type that may be the key of a dictionary. Dictionaries are written in the order of their keys, so that equal
/// ones always have the same bytes and compare equal as values.
package protocol WireBasic: WireConvertible, Hashable, Comparable {
  /// The type in the wire format. It is also the `wireType`.
  static var basicType: BasicType { get }
}

extension WireBasic {
  package static var wireType: WireType { .basic(basicType) }
}

extension Int32: WireBasic {
  package static var basicType: BasicType { .int32 }
  package var wireValue: WireValue { .int32(self) }
  package init?(wire: WireValue) {
    guard case .int32(let value) = wire else { return nil }
    self = value
  }
}

extension UInt32: WireBasic {
  package static var basicType: BasicType { .uint32 }
  package var wireValue: WireValue { .uint32(self) }
  package init?(wire: WireValue) {
    guard case .uint32(let value) = wire else { return nil }
    self = value
  }
}

extension Int64: WireBasic {
  package static var basicType: BasicType { .int64 }
  package var wireValue: WireValue { .int64(self) }
  package init?(wire: WireValue) {
    guard case .int64(let value) = wire else { return nil }
    self = value
  }
}

extension UInt64: WireBasic {
  package static var basicType: BasicType { .uint64 }
  package var wireValue: WireValue { .uint64(self) }
  package init?(wire: WireValue) {
    guard case .uint64(let value) = wire else { return nil }
    self = value
  }
}

extension Double: WireBasic {
  package static var basicType: BasicType { .double }
  package var wireValue: WireValue { .double(self) }
  package init?(wire: WireValue) {
    guard case .double(let value) = wire else { return nil }
    self = value
  }
}

extension String: WireBasic {
  package static var basicType: BasicType { .string }
  package var wireValue: WireValue { .string(self) }
  package init?(wire: WireValue) {
    guard case .string(let value) = wire else { return nil }
    self = value
  }
}

extension ObjectPath: WireBasic {
  package static var basicType: BasicType { .objectPath }
  package var wireValue: WireValue { .objectPath(self) }
  package init?(wire: WireValue) {
    guard case .objectPath(let value) = wire else { return nil }
    self = value
  }
}

extension Bool: WireConvertible {
  package static var wireType: WireType { .boolean }
  package var wireValue: WireValue { .boolean(self) }
  package init?(wire: WireValue) {
    guard case .boolean(let value) = wire else { return nil }
    self = value
  }
}

/// A `WireValue` counts as a D-Bus variant, a value that carries its own type: it is sent inside one, and read out of one.
extension WireValue: WireConvertible {
  package static var wireType: WireType { .variant }
  package var wireValue: WireValue { .variant(self) }
  package init?(wire: WireValue) {
    guard case .variant(let inner) = wire else { return nil }
    self = inner
  }
}

extension Array: WireConvertible where Element: WireConvertible {
  package static var wireType: WireType { .array(Element.wireType) }
  package var wireValue: WireValue { .array(Element.wireType, map(\.wireValue)) }
  package init?(wire: WireValue) {
    guard case .array(let type, let values) = wire, type == Element.wireType else { return nil }
    self = []
    reserveCapacity(values.count)
    for value in values {
      guard let element = Element(wire: value) else { return nil }
      append(element)
    }
  }
}

extension Dictionary: WireConvertible where Key: WireBasic, Value: WireConvertible {
  package static var wireType: WireType { .dictionary(Key.basicType, Value.wireType) }
  /// The entries in the order of their keys.
  package var wireValue: WireValue {
    let entries = sorted { $0.key < $1.key }
    return .dictionary(
      Key.basicType, Value.wireType, entries.map { DictionaryEntry($0.key.wireValue, $0.value.wireValue) })
  }
  /// The entries; nil if the keys or values have other types. If two entries have the same key, the later one counts.
  package init?(wire: WireValue) {
    guard case .dictionary(let keyType, let valueType, let entries) = wire, keyType == Key.basicType,
      valueType == Value.wireType
    else { return nil }
    self.init(minimumCapacity: entries.count)
    for entry in entries {
      guard let key = Key(wire: entry.key), let value = Value(wire: entry.value) else { return nil }
      self[key] = value
    }
  }
}

extension [WireValue] {
  /// The arguments of a message from Swift values.
  package static func arguments<each Argument: WireConvertible>(_ arguments: repeat each Argument)
    -> [WireValue]
  {
    var values: [WireValue] = []
    repeat values.append((each arguments).wireValue)
    return values
  }

  /// The arguments as Swift values of these types. Throws `InvalidArgs`, which says what is wrong, if their number or types differ.
  package func decoded<each Argument: WireConvertible>(
    as types: repeat (each Argument).Type
  ) throws(BusError) -> (repeat each Argument) {
    var expected: [WireType] = []
    repeat expected.append((each types).wireType)
    guard count == expected.count else { throw .argumentCount(expected: expected, found: count) }
    var next = 0
    return (repeat try argument(each types, &next))
  }

  private func argument<Argument: WireConvertible>(
    _ type: Argument.Type, _ next: inout Int
  ) throws(BusError) -> Argument {
    defer { next += 1 }
    guard let argument = Argument(wire: self[next]) else {
      throw .argumentType(at: next, expected: type.wireType, found: self[next].type)
    }
    return argument
  }

  /// Throws `InvalidArgs` unless the arguments are of exactly these types.
  package func check(as types: [WireType]) throws(BusError) {
    guard count == types.count else { throw .argumentCount(expected: types, found: count) }
    for (index, type) in types.enumerated() where self[index].type != type {
      throw .argumentType(at: index, expected: type, found: self[index].type)
    }
  }

  /// The types of the arguments, as text.
  package var signatureText: String {
    var bytes: [UInt8] = []
    for value in self { value.type.append(to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
