// SPDX-License-Identifier: MIT

/// An error as a message carries it: a name that programs branch on, and a text for people.
package struct BusError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Error names follow the rules of interface names.
  package typealias Name = InterfaceName

  /// The name by which programs tell one error from another.
  package var name: Name
  /// The text for people: what failed, the reason and the remedy.
  package var message: String

  package init(_ name: Name, _ message: String) {
    self.name = name
    self.message = message
  }

  package var description: String { message.isEmpty ? name.text : "\(message) (\(name))" }
}

extension InterfaceName {
  package static let failed: InterfaceName = "org.freedesktop.DBus.Error.Failed"
  package static let noReply: InterfaceName = "org.freedesktop.DBus.Error.NoReply"
  package static let timedOut: InterfaceName = "org.freedesktop.DBus.Error.TimedOut"
  package static let disconnected: InterfaceName = "org.freedesktop.DBus.Error.Disconnected"
  /// No bus answers at the address that was given.
  package static let noServer: InterfaceName = "org.freedesktop.DBus.Error.NoServer"
  package static let limitsExceeded: InterfaceName = "org.freedesktop.DBus.Error.LimitsExceeded"
  package static let invalidArgs: InterfaceName = "org.freedesktop.DBus.Error.InvalidArgs"
  package static let unknownObject: InterfaceName = "org.freedesktop.DBus.Error.UnknownObject"
  package static let unknownInterface: InterfaceName = "org.freedesktop.DBus.Error.UnknownInterface"
  package static let unknownMethod: InterfaceName = "org.freedesktop.DBus.Error.UnknownMethod"
  package static let unknownProperty: InterfaceName = "org.freedesktop.DBus.Error.UnknownProperty"
  package static let propertyReadOnly: InterfaceName = "org.freedesktop.DBus.Error.PropertyReadOnly"
  /// No connection owns the bus name in question.
  package static let nameHasNoOwner: InterfaceName = "org.freedesktop.DBus.Error.NameHasNoOwner"
  /// No connection owns the bus name in question, and the bus knows no program to start for it.
  package static let serviceUnknown: InterfaceName = "org.freedesktop.DBus.Error.ServiceUnknown"
  /// The task that waited for the answer to a call was cancelled. This error is made by the caller itself; no message
  /// carries it.
  package static let cancelled: InterfaceName = "org.fermata.Error.Cancelled"
}

extension BusError {
  package static func failed(_ message: String) -> BusError { BusError(.failed, message) }

  /// Arguments that the method refuses for a reason of its own.
  package static func invalidArguments(_ message: String) -> BusError { BusError(.invalidArgs, message) }

  package static func argumentCount(expected: [WireType], found: Int) -> BusError {
    let types = expected.map(\.description).joined()
    return .invalidArguments("\(expected.count) arguments (\(types)) are expected, \(found) came")
  }

  /// An argument of the wrong type. `index` counts from 0; the text counts from 1.
  package static func argumentType(at index: Int, expected: WireType, found: WireType) -> BusError {
    .invalidArguments("argument \(index + 1) is of type \(found), expected is \(expected)")
  }

  package static func propertyType(_ property: MemberName, expected: WireType, found: WireType) -> BusError {
    .invalidArguments("the property \(property) is of type \(expected), the value is of type \(found)")
  }

  package static func unknownObject(_ path: ObjectPath) -> BusError {
    BusError(.unknownObject, "there is no object at \(path)")
  }

  package static func unknownInterface(_ interface: String, at path: ObjectPath) -> BusError {
    BusError(.unknownInterface, "the object \(path) has no interface \(interface)")
  }

  /// A call of a method that the interface does not have. `owner` is the object if the call named no interface.
  package static func unknownMethod(_ member: MemberName, of owner: String) -> BusError {
    BusError(.unknownMethod, "\(owner) has no method \(member)")
  }

  package static func unknownProperty(_ property: String, of interface: String) -> BusError {
    BusError(.unknownProperty, "\(interface.isEmpty ? "the object" : interface) has no property \(property)")
  }

  package static func readOnly(_ property: MemberName) -> BusError {
    BusError(.propertyReadOnly, "the property \(property) can be read, not set")
  }

  package static func limitsExceeded(_ message: String) -> BusError { BusError(.limitsExceeded, message) }

  /// The error for a call when this many wait already for their answers, of all callers or of the same one.
  package static func tooManyCalls(_ waiting: String) -> BusError {
    .limitsExceeded("\(waiting) wait already\(callAgain)")
  }

  private static let callAgain = "; call again when some are answered"

  /// Whether the call was refused only because too many others wait for their answers. It may succeed later.
  package var saysTooManyCalls: Bool { name == .limitsExceeded && message.hasSuffix(Self.callAgain) }

  /// The error reply for a value that cannot be sent or read.
  package init(_ error: WireError) {
    switch error {
    case .tooLarge, .tooDeep: self.init(.limitsExceeded, error.description)
    default: self.init(.invalidArgs, error.description)
    }
  }
}
