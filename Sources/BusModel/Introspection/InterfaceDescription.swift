// SPDX-License-Identifier: MIT

/// An interface as data: what its XML says, and what calls and values are checked against.
package struct InterfaceDescription: Sendable, Hashable {
  /// Which interface.
  package var name: InterfaceName
  /// What can be called.
  package var methods: [MethodDescription]
  /// What is told.
  package var signals: [SignalDescription]
  /// What can be read and set.
  package var properties: [PropertyDescription]

  /// An interface of these members. Two of one kind with one name are a bug and trap.
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
