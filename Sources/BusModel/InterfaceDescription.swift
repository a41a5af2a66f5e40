// SPDX-License-Identifier: MIT

/// A D-Bus interface as data. Its XML is made from this, and calls and values are checked against it.
package struct InterfaceDescription: Sendable, Hashable {
  package var name: InterfaceName
  package var methods: [MethodDescription]
  package var signals: [SignalDescription]
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

  package func method(_ name: MemberName) -> MethodDescription? { methods.first { $0.name == name } }
  package func signal(_ name: MemberName) -> SignalDescription? { signals.first { $0.name == name } }
  package func property(_ name: MemberName) -> PropertyDescription? { properties.first { $0.name == name } }
}

/// A method, with its arguments and answers.
package struct MethodDescription: Sendable, Hashable {
  package var name: MemberName
  package var inputs: [ArgumentDescription]
  package var outputs: [ArgumentDescription]

  package init(
    _ name: MemberName, in inputs: [ArgumentDescription] = [], out outputs: [ArgumentDescription] = []
  ) {
    self.name = name
    self.inputs = inputs
    self.outputs = outputs
  }
}

package struct SignalDescription: Sendable, Hashable {
  package var name: MemberName
  package var arguments: [ArgumentDescription]

  package init(_ name: MemberName, _ arguments: [ArgumentDescription] = []) {
    self.name = name
    self.arguments = arguments
  }
}

/// A property: its type, whether others may set it, and how its changes are reported.
package struct PropertyDescription: Sendable, Hashable {
  package enum Access: String, Sendable {
    case read
    case readWrite = "readwrite"
  }

  /// How a change of the property is reported by the signal `PropertiesChanged`.
  package enum Changes: String, Sendable {
    /// The signal reports the new value.
    case withValue = "true"
    /// The signal reports only that the old value is no longer valid.
    case withoutValue = "invalidates"
    /// There is no signal, because the property never changes while its object exists.
    case never = "const"
    /// There is no signal, although the property changes. Clients have to ask for the value.
    case silently = "false"
  }

  package var name: MemberName
  package var type: WireType
  package var access: Access
  package var changes: Changes

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
  /// A name for people to read; messages do not carry it.
  package var name: MemberName
  package var type: WireType

  package init(_ name: MemberName, _ type: WireType) {
    self.name = name
    self.type = type
  }
}
