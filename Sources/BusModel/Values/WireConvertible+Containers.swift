// SPDX-License-Identifier: MIT

/// A value of any type is sent in a variant.
extension WireValue: WireConvertible {
  /// `v`
  package static var wireType: WireType { .variant }
  /// The value in a variant.
  package var wireValue: WireValue { .variant(self) }
  /// What the variant holds.
  package init?(wire: WireValue) {
    guard case .variant(let inner) = wire else { return nil }
    self = inner
  }
}

extension Array: WireConvertible where Element: WireConvertible {
  /// `a` and the element's type.
  package static var wireType: WireType { .array(Element.wireType) }
  /// The elements in order.
  package var wireValue: WireValue { .array(Element.wireType, map(\.wireValue)) }
  /// The elements, if all are of the type.
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
  /// `a{` the key's and the value's type `}`.
  package static var wireType: WireType { .dictionary(Key.basicType, Value.wireType) }
  /// The entries in the order of their keys.
  package var wireValue: WireValue {
    let entries = sorted { $0.key < $1.key }
    return .dictionary(
      Key.basicType, Value.wireType, entries.map { DictionaryEntry($0.key.wireValue, $0.value.wireValue) })
  }
  /// The entries, if all are of the right types. If two have the same key, the later one counts.
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
