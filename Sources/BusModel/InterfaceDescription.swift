// SPDX-License-Identifier: MIT

/// An interface as data. Its XML is made from this, and calls and values are checked against it.
package struct InterfaceDescription: Sendable, Hashable {
  /// The interface's name.
  package var name: InterfaceName
  /// The methods that others can call.
  package var methods: [MethodDescription]
  /// The signals that the object emits.
  package var signals: [SignalDescription]
  /// The properties that others can read, and perhaps set.
  package var properties: [PropertyDescription]

  /// An interface of these members. Traps if two members of one kind share a name, which is a bug.
  package init(
    _ name: InterfaceName, methods: [MethodDescription] = [], signals: [SignalDescription] = [],
    properties: [PropertyDescription] = []
  ) {
    precondition(Set(methods.map(\.name)).count == methods.count, "two methods of \(name) share a name")
    precondition(Set(signals.map(\.name)).count == signals.count, "two signals of \(name) share a name")
    precondition(
      Set(properties.map(\.name)).count == properties.count, "two properties of \(name) share a name")
    self.name = name
    self.methods = methods
    self.signals = signals
    self.properties = properties
  }

  /// The method with this name.
  package func method(_ name: MemberName) -> MethodDescription? { methods.first { $0.name == name } }
  /// The signal with this name.
  package func signal(_ name: MemberName) -> SignalDescription? { signals.first { $0.name == name } }
  /// The property with this name.
  package func property(_ name: MemberName) -> PropertyDescription? { properties.first { $0.name == name } }
}

/// A method: what it takes and what it gives back.
package struct MethodDescription: Sendable, Hashable {
  /// Its name.
  package var name: MemberName
  /// What it takes.
  package var inputs: [ArgumentDescription]
  /// What it gives back.
  package var outputs: [ArgumentDescription]

  /// A method with these arguments.
  package init(
    _ name: MemberName, in inputs: [ArgumentDescription] = [], out outputs: [ArgumentDescription] = []
  ) {
    self.name = name
    self.inputs = inputs
    self.outputs = outputs
  }
}

/// A signal and its arguments.
package struct SignalDescription: Sendable, Hashable {
  /// Its name.
  package var name: MemberName
  /// Its arguments.
  package var arguments: [ArgumentDescription]

  /// A signal with these arguments.
  package init(_ name: MemberName, _ arguments: [ArgumentDescription] = []) {
    self.name = name
    self.arguments = arguments
  }
}

/// A property: its type, whether others may set it, and how its changes are reported.
package struct PropertyDescription: Sendable, Hashable {
  /// What others may do with it.
  package enum Access: String, Sendable {
    case read
    case readWrite = "readwrite"
  }

  /// What `PropertiesChanged` says of it.
  package enum Changes: String, Sendable {
    /// The new value.
    case withValue = "true"
    /// Only that the old value is no longer valid.
    case withoutValue = "invalidates"
    /// Nothing, since it never changes while its object exists.
    case never = "const"
    /// Nothing, although it changes. Clients have to ask for the value.
    case silently = "false"
  }

  /// Its name.
  package var name: MemberName
  /// Its type.
  package var type: WireType
  /// What others may do with it.
  package var access: Access
  /// How its changes are reported.
  package var changes: Changes

  /// A property of this type.
  package init(_ name: MemberName, _ type: WireType, _ access: Access = .read, changes: Changes = .withValue)
  {
    self.name = name
    self.type = type
    self.access = access
    self.changes = changes
  }
}

/// One argument of a method or signal.
package struct ArgumentDescription: Sendable, Hashable {
  /// Its name, which is only for people.
  package var name: MemberName
  /// Its type.
  package var type: WireType

  /// An argument of this name and type.
  package init(_ name: MemberName, _ type: WireType) {
    self.name = name
    self.type = type
  }
}
