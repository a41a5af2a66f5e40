// SPDX-License-Identifier: MIT

/// A signal that came, or that is to go out.
package struct BusSignal: Sendable, Hashable {
  /// Whose it is, by the connection's own name; the bus fills it in.
  package var sender: BusName?
  /// The object that it is about.
  package var path: ObjectPath
  /// The interface that it belongs to.
  package var interface: InterfaceName
  /// What it is called.
  package var member: MemberName
  /// What it says.
  package var arguments: [WireValue]

  /// A signal with these parts.
  package init(
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
