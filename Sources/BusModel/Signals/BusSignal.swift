// SPDX-License-Identifier: MIT

/// A signal that came, or that is to go out.
public struct BusSignal: Sendable, Hashable {
  /// Whose it is, by the connection's own name; the bus fills it in.
  public var sender: BusName?
  /// The object that it is about.
  public var path: ObjectPath
  /// The interface that it belongs to.
  public var interface: InterfaceName
  /// What it is called.
  public var member: MemberName
  /// What it says.
  public var arguments: [WireValue]

  /// A signal with these parts.
  public init(
    sender: BusName? = nil, path: ObjectPath, interface: InterfaceName, member: MemberName,
    arguments: [WireValue] = []
  ) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }
}
