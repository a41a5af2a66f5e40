// SPDX-License-Identifier: MIT

/// An error as a message carries it: a name that programs branch on, and a text for people.
package struct BusError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Error names follow the rules of interface names.
  package typealias Name = InterfaceName

  /// What programs branch on.
  package var name: Name
  /// A text for people: what failed, why, and what to do instead.
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
  /// Any error that no other name fits.
  package static let failed: InterfaceName = "org.freedesktop.DBus.Error.Failed"
  /// Nobody answered in time.
  package static let noReply: InterfaceName = "org.freedesktop.DBus.Error.NoReply"
  /// The connection is gone.
  package static let disconnected: InterfaceName = "org.freedesktop.DBus.Error.Disconnected"
  /// There is no bus at this address.
  package static let noServer: InterfaceName = "org.freedesktop.DBus.Error.NoServer"
  /// The request goes beyond a limit.
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
  /// Nobody has this name, and no program can be started to get it.
  package static let serviceUnknown: InterfaceName = "org.freedesktop.DBus.Error.ServiceUnknown"
  /// The task that waited for the answer was cancelled. Made on this side only; it is never sent.
  package static let cancelled: InterfaceName = "org.fermata.Error.Cancelled"
}
