// SPDX-License-Identifier: MIT

/// A Swift type that corresponds to exactly one type of the wire format.
package protocol WireConvertible: Sendable {
  /// The type on the wire.
  static var wireType: WireType { get }
  /// The value as a message carries it.
  var wireValue: WireValue { get }
  /// The value from a message; nil when it is of another type.
  init?(wire: WireValue)
}
