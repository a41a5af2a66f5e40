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
