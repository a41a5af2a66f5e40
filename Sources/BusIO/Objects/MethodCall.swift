// SPDX-License-Identifier: MIT
public import BusModel

/// A call that arrived, with arguments of the described types.
public struct MethodCall: Sendable {
  /// Who calls, by the connection's own name.
  public let sender: BusName
  /// The object that is called.
  public let path: ObjectPath
  /// The interface, also where the caller named none.
  public let interface: InterfaceName
  /// The method.
  public let member: MemberName
  /// What was given.
  public let arguments: [WireValue]

  /// The arguments as Swift values; throws `InvalidArgs` where they are others.
  public func decoded<each Argument: WireConvertible>(
    as types: repeat (each Argument).Type
  ) throws(BusError) -> (repeat each Argument) {
    try arguments.decoded(as: repeat each types)
  }
}
