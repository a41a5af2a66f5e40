// SPDX-License-Identifier: MIT

/// A Swift type with exactly one type on the wire.
package protocol WireConvertible: Sendable {
  /// The type on the wire.
  static var wireType: WireType { get }
  /// The value as it travels.
  var wireValue: WireValue { get }
  /// The value that arrived; nothing when it is of another type.
  init?(wire: WireValue)
}
