// SPDX-License-Identifier: MIT

/// An error as it travels: a name that programs branch on, and a text for people.
package struct BusError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Names of errors follow the rules of interface names.
  package typealias Name = InterfaceName

  /// What programs branch on.
  package var name: Name
  /// The thing, the reason and the alternative, for people.
  package var message: String

  /// An error with a name and a text.
  package init(_ name: Name, _ message: String) {
    self.name = name
    self.message = message
  }

  /// Name and text.
  package var description: String { message.isEmpty ? name.text : "\(message) (\(name))" }
}

extension InterfaceName {
  /// Anything that has no name of its own.
  package static let failed: InterfaceName = "org.freedesktop.DBus.Error.Failed"
  /// Nobody answered in time.
  package static let noReply: InterfaceName = "org.freedesktop.DBus.Error.NoReply"
  /// The connection is gone.
  package static let disconnected: InterfaceName = "org.freedesktop.DBus.Error.Disconnected"
  /// There is no bus at this address.
  package static let noServer: InterfaceName = "org.freedesktop.DBus.Error.NoServer"
  /// More than somebody is willing to bear.
  package static let limitsExceeded: InterfaceName = "org.freedesktop.DBus.Error.LimitsExceeded"
  /// Arguments of the wrong number, type or value.
  package static let invalidArgs: InterfaceName = "org.freedesktop.DBus.Error.InvalidArgs"
  /// No such object.
  package static let unknownObject: InterfaceName = "org.freedesktop.DBus.Error.UnknownObject"
  /// The object has no such interface.
  package static let unknownInterface: InterfaceName = "org.freedesktop.DBus.Error.UnknownInterface"
  /// The interface has no such method.
  package static let unknownMethod: InterfaceName = "org.freedesktop.DBus.Error.UnknownMethod"
  /// The interface has no such property.
  package static let unknownProperty: InterfaceName = "org.freedesktop.DBus.Error.UnknownProperty"
  /// The property may be read, not set.
  package static let propertyReadOnly: InterfaceName = "org.freedesktop.DBus.Error.PropertyReadOnly"
  /// Nobody has this name.
  package static let nameHasNoOwner: InterfaceName = "org.freedesktop.DBus.Error.NameHasNoOwner"
  /// Nobody has this name, nor can be started for it.
  package static let serviceUnknown: InterfaceName = "org.freedesktop.DBus.Error.ServiceUnknown"
  /// The asker ended before the answer came. Never travels.
  package static let cancelled: InterfaceName = "org.fermata.Error.Cancelled"
}
