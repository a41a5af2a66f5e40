// SPDX-License-Identifier: MIT

extension BusError {
  /// Any error that no other name fits.
  package static func failed(_ message: String) -> BusError { BusError(.failed, message) }

  /// Arguments that the method refuses for a reason of its own.
  package static func invalidArguments(_ message: String) -> BusError { BusError(.invalidArgs, message) }

  /// The wrong number of arguments.
  package static func argumentCount(expected: [WireType], found: Int) -> BusError {
    let types = expected.map(\.description).joined()
    return .invalidArguments("\(expected.count) arguments (\(types)) are expected, \(found) came")
  }

  /// An argument of the wrong type. `index` counts from 0; the text counts from 1.
  package static func argumentType(at index: Int, expected: WireType, found: WireType) -> BusError {
    .invalidArguments("argument \(index + 1) is of type \(found), expected is \(expected)")
  }

  /// A property's value of the wrong type.
  package static func propertyType(_ property: MemberName, expected: WireType, found: WireType) -> BusError {
    .invalidArguments("the property \(property) is of type \(expected), the value is of type \(found)")
  }

  /// No object at the path.
  package static func unknownObject(_ path: ObjectPath) -> BusError {
    BusError(.unknownObject, "there is no object at \(path)")
  }

  /// An object without the interface.
  package static func unknownInterface(_ interface: String, at path: ObjectPath) -> BusError {
    BusError(.unknownInterface, "the object \(path) has no interface \(interface)")
  }

  /// A call of a method that the interface does not have. `owner` is the object if the call named no interface.
  package static func unknownMethod(_ member: MemberName, of owner: String) -> BusError {
    BusError(.unknownMethod, "\(owner) has no method \(member)")
  }

  /// An interface without the property.
  package static func unknownProperty(_ property: String, of interface: String) -> BusError {
    BusError(.unknownProperty, "\(interface.isEmpty ? "the object" : interface) has no property \(property)")
  }

  /// An attempt to set a property that can only be read.
  package static func readOnly(_ property: MemberName) -> BusError {
    BusError(.propertyReadOnly, "the property \(property) can be read, not set")
  }

  /// A request beyond a limit.
  package static func limitsExceeded(_ message: String) -> BusError { BusError(.limitsExceeded, message) }

  /// The error reply for a value that cannot be sent or read.
  package init(_ error: WireError) {
    switch error {
    case .tooLarge, .tooDeep: self.init(.limitsExceeded, error.description)
    default: self.init(.invalidArgs, error.description)
    }
  }
}
