// SPDX-License-Identifier: MIT

/// An error as it travels: a name that programs branch on, and a text for people.
public struct BusError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Names of errors follow the rules of interface names.
  public typealias Name = InterfaceName

  /// What programs branch on.
  public var name: Name
  /// The thing, the reason and the alternative, for people.
  public var message: String

  /// An error with a name and a text.
  public init(_ name: Name, _ message: String) {
    self.name = name
    self.message = message
  }

  /// Name and text.
  public var description: String { message.isEmpty ? name.text : "\(message) (\(name))" }
}

extension InterfaceName {
  /// Anything that has no name of its own.
  public static let failed: InterfaceName = "org.freedesktop.DBus.Error.Failed"
  /// Nobody answered in time.
  public static let noReply: InterfaceName = "org.freedesktop.DBus.Error.NoReply"
  /// The connection is gone.
  public static let disconnected: InterfaceName = "org.freedesktop.DBus.Error.Disconnected"
  /// There is no bus at this address.
  public static let noServer: InterfaceName = "org.freedesktop.DBus.Error.NoServer"
  /// More than somebody is willing to bear.
  public static let limitsExceeded: InterfaceName = "org.freedesktop.DBus.Error.LimitsExceeded"
  /// Arguments of the wrong number, type or value.
  public static let invalidArgs: InterfaceName = "org.freedesktop.DBus.Error.InvalidArgs"
  /// No such object.
  public static let unknownObject: InterfaceName = "org.freedesktop.DBus.Error.UnknownObject"
  /// The object has no such interface.
  public static let unknownInterface: InterfaceName = "org.freedesktop.DBus.Error.UnknownInterface"
  /// The interface has no such method.
  public static let unknownMethod: InterfaceName = "org.freedesktop.DBus.Error.UnknownMethod"
  /// The interface has no such property.
  public static let unknownProperty: InterfaceName = "org.freedesktop.DBus.Error.UnknownProperty"
  /// The property may be read, not set.
  public static let propertyReadOnly: InterfaceName = "org.freedesktop.DBus.Error.PropertyReadOnly"
  /// Nobody has this name.
  public static let nameHasNoOwner: InterfaceName = "org.freedesktop.DBus.Error.NameHasNoOwner"
  /// Nobody has this name, nor can be started for it.
  public static let serviceUnknown: InterfaceName = "org.freedesktop.DBus.Error.ServiceUnknown"
  /// The asker ended before the answer came. Never travels.
  public static let cancelled: InterfaceName = "org.fermata.Error.Cancelled"
}
