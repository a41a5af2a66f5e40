// SPDX-License-Identifier: MIT
import AgentLoop
package import BusModel

/// An interface of an exported object: its description, and who answers for each member.
///
/// Handlers run on the loop. Number and types of arguments, and the types of values that are set, have been checked against the
/// description when they are called. An error they throw is the answer.
package struct BusInterface: Sendable {
  /// Answers a method.
  package typealias Handler = @AgentLoop (MethodCall) throws -> BusReply
  /// Reads a property.
  package typealias Getter = @AgentLoop () throws -> WireValue
  /// Sets a property; the reply carries no values. The call says who wants it.
  package typealias Setter = @AgentLoop (WireValue, MethodCall) throws -> BusReply

  /// Answers a method by itself, or answers false.
  typealias Writer = @AgentLoop (MethodCall, ReplyAddress, BusConnection) throws -> Bool

  struct Method: Sendable {
    let interface: InterfaceName
    let description: MethodDescription
    let signature: String
    let outputs: [WireType]
    let handler: Handler
    var writer: Writer?
  }

  struct Property: Sendable {
    let description: PropertyDescription
    let getter: Getter
    let setter: Setter?
  }

  /// What the interface looks like.
  package let description: InterfaceDescription
  private(set) var methods: [MemberName: Method] = [:]
  private(set) var properties: [MemberName: Property] = [:]
  private(set) var whole: WholeProperties?

  /// An interface that nobody answers for yet.
  package init(_ description: InterfaceDescription) { self.description = description }

  /// Says who answers a method. One that is not described is a bug and traps.
  package mutating func answer(_ name: MemberName, _ handler: @escaping Handler) {
    guard let method = description.method(name) else {
      preconditionFailure("\(description.name) has no method \(name)")
    }
    methods[name] = Method(
      interface: description.name, description: method,
      signature: method.inputs.map(\.type.description).joined(),
      outputs: method.outputs.map(\.type), handler: handler)
  }

  /// Says who reads a property, and who sets it. Whether it can be set is for the description to say; anything else traps.
  package mutating func provide(_ name: MemberName, get getter: @escaping Getter, set setter: Setter? = nil) {
    guard let property = description.property(name) else {
      preconditionFailure("\(description.name) has no property \(name)")
    }
    precondition(
      (property.access == .readWrite) == (setter != nil), "the setter of \(name) belies its description")
    properties[name] = Property(description: property, getter: getter, setter: setter)
  }

  /// Says how all properties are read at once, where that costs less than one after the other. They are the same values.
  package mutating func provide(_ whole: WholeProperties) { self.whole = whole }

  /// Lets somebody answer a method past its handler, which is asked where that comes to nothing.
  mutating func write(_ name: MemberName, _ writer: @escaping Writer) { methods[name]?.writer = writer }

  /// Members that nobody answers for.
  var missing: [MemberName] {
    description.methods.map(\.name).filter { methods[$0] == nil }
      + description.properties.map(\.name).filter { properties[$0] == nil }
  }
}
