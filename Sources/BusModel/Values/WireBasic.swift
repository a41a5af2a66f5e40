// SPDX-License-Identifier: MIT

/// A Swift type that may be the key of a dictionary. Dictionaries are written in the order of their keys, so that equal
/// ones always have the same bytes and compare equal as values.
package protocol WireBasic: WireConvertible, Hashable, Comparable {
  /// The type on the wire.
  static var basicType: BasicType { get }
}

extension WireBasic {
  /// The same as `basicType`.
  package static var wireType: WireType { .basic(basicType) }
}
