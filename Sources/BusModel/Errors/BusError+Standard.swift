// SPDX-License-Identifier: MIT

extension BusError {
  /// Anything that has no name of its own.
  package static func failed(_ message: String) -> BusError { BusError(.failed, message) }

  /// Arguments that cannot be taken, for a reason of the method's own.
  package static func invalidArguments(_ message: String) -> BusError { BusError(.invalidArgs, message) }

  /// As many arguments as nobody expects.
  package static func argumentCount(expected: [WireType], found: Int) -> BusError {
    let types = expected.map(\.description).joined()
    return .invalidArguments("\(expected.count) arguments (\(types)) are expected, \(found) came")
  }

  /// An argument of the wrong type; they count from 0 here and from 1 in the text.
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

  /// An interface, or where none was named an object, without the method.
  package static func unknownMethod(_ member: MemberName, of owner: String) -> BusError {
    BusError(.unknownMethod, "\(owner) has no method \(member)")
  }

  /// An interface without the property.
  package static func unknownProperty(_ property: String, of interface: String) -> BusError {
    BusError(.unknownProperty, "\(interface.isEmpty ? "the object" : interface) has no property \(property)")
  }

  /// A property that may be read, not set.
  package static func readOnly(_ property: MemberName) -> BusError {
    BusError(.propertyReadOnly, "the property \(property) can be read, not set")
  }

  /// More than is taken here.
  package static func limitsExceeded(_ message: String) -> BusError { BusError(.limitsExceeded, message) }

  /// What a value that cannot travel or be taken is answered with.
  package init(_ error: WireError) {
    switch error {
    case .tooLarge, .tooDeep: self.init(.limitsExceeded, error.description)
    default: self.init(.invalidArgs, error.description)
    }
  }
}
