// SPDX-License-Identifier: MIT
package import BusModel

/// What a call addresses: a connection, its object, and a method of one of the object's interfaces.
package struct BusTarget: Sendable, Hashable {
  /// Who is to answer, by its unique or a well-known name.
  package var destination: BusName
  /// The object.
  package var path: ObjectPath
  /// The interface of the object.
  package var interface: InterfaceName
  /// The method of the interface.
  package var member: MemberName

  /// A method of somebody's object.
  package init(_ destination: BusName, _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
  }

  /// A method of the bus itself.
  static func bus(_ member: MemberName) -> BusTarget {
    BusTarget(.bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", member)
  }
}
