// SPDX-License-Identifier: MIT

/// A Swift type that may be the key of a dictionary. Its order gives dictionaries theirs: the same one always
/// travels as the same bytes, and compares equal.
package protocol WireBasic: WireConvertible, Hashable, Comparable {
  /// The type on the wire.
  static var basicType: BasicType { get }
}

extension WireBasic {
  /// The same as `basicType`.
  package static var wireType: WireType { .basic(basicType) }
}
