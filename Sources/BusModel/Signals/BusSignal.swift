// SPDX-License-Identifier: MIT

/// A signal that arrived or is to be sent.
package struct BusSignal: Sendable, Hashable {
  /// The unique name of the connection that sent it; the bus fills it in.
  package var sender: BusName?
  /// The object that it is about.
  package var path: ObjectPath
  /// The interface that it belongs to.
  package var interface: InterfaceName
  /// Its name.
  package var member: MemberName
  /// Its arguments.
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
