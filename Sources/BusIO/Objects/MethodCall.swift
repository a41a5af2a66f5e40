// SPDX-License-Identifier: MIT
package import BusModel

/// A call that arrived, with arguments of the described types.
package struct MethodCall: Sendable {
  /// Who calls, by the unique name of its connection.
  package let sender: BusName
  /// The object that is called.
  package let path: ObjectPath
  /// The interface. It is filled in where the caller named none.
  package let interface: InterfaceName
  /// The method.
  package let member: MemberName
  /// What was given.
  package let arguments: [WireValue]

  /// The arguments as Swift values; throws `InvalidArgs` if they are of other types.
  package func decoded<each Argument: WireConvertible>(
    as types: repeat (each Argument).Type
  ) throws(BusError) -> (repeat each Argument) {
    try arguments.decoded(as: repeat each types)
  }
}
