// SPDX-License-Identifier: MIT
import AgentLoop
package import BusModel

/// An interface of an exported object: its description and the handlers of its members.
///
/// Handlers run on the loop. Before they are called, the number and types of arguments, and the types of values to set,
/// have been checked against the description. An error that a handler throws is sent as the answer.
package struct BusInterface: Sendable {
  /// Answers one call of a method.
  package typealias Handler = @AgentLoop (MethodCall) throws -> BusReply
  /// Returns a property's value.
  package typealias Getter = @AgentLoop () throws -> WireValue
  /// Sets a property. The reply carries no values. The call says who wants the change.
  package typealias Setter = @AgentLoop (WireValue, MethodCall) throws -> BusReply

  /// Sends a method's answer itself and returns true, or returns false to leave the call to the handler.
  typealias Writer = @AgentLoop (MethodCall, ReplyAddress, BusConnection) throws -> Bool

  struct Method: Sendable {
    let interface: InterfaceName
    let description: MethodDescription
    let signature: String
    let outputs: [WireType]
    let handler: Handler
    var writer: Writer?

    /// The values that a handler gave. Throws if their types are not the described ones: that is a bug of the object, and a wrong answer
    /// must not be sent.
    func checked(_ values: [WireValue]) throws(BusError) -> [WireValue] {
      guard values.map(\.type) == outputs else {
        throw .failed("\(interface).\(description.name) gave back (\(values.signatureText))")
      }
      return values
    }
  }

  struct Property: Sendable {
    let description: PropertyDescription
    let getter: Getter
    let setter: Setter?
  }

  /// The name and members of the interface, which the handlers have to match.
  package let description: InterfaceDescription
  private(set) var methods: [MemberName: Method] = [:]
  private(set) var properties: [MemberName: Property] = [:]
  private(set) var whole: WholeProperties?

  /// An interface without handlers yet.
  package init(_ description: InterfaceDescription) { self.description = description }

  /// An interface that answers every call of a method with this error. Traps if the description has properties.
  package init(_ description: InterfaceDescription, refusingWith error: BusError) {
    precondition(description.properties.isEmpty, "\(description.name) has properties, which are not refused")
    self.init(description)
    for method in description.methods { answer(method.name) { _ in throw error } }
  }

  /// Sets the handler of a method. Traps if the description has no such method.
  package mutating func answer(_ name: MemberName, _ handler: @escaping Handler) {
    guard let method = description.method(name) else {
      preconditionFailure("\(description.name) has no method \(name)")
    }
    methods[name] = Method(
      interface: description.name, description: method,
      signature: method.inputs.map(\.type.description).joined(),
      outputs: method.outputs.map(\.type), handler: handler)
  }

  /// Sets the handlers that read and set a property. Traps if the description has no such property, or if it disagrees
  /// about whether the property can be set.
  package mutating func provide(_ name: MemberName, get getter: @escaping Getter, set setter: Setter? = nil) {
    guard let property = description.property(name) else {
      preconditionFailure("\(description.name) has no property \(name)")
    }
    precondition(
      (property.access == .readWrite) == (setter != nil), "the setter of \(name) belies its description")
    properties[name] = Property(description: property, getter: getter, setter: setter)
  }

  /// Sets one handler for all methods that the table `methods` describes; it gets the call with its arguments read.
  package mutating func answer<Methods: MethodTable>(
    _ methods: Methods.Type,
    _ handler: @escaping @AgentLoop (Methods.Call, MethodCall) throws -> BusReply
  ) {
    for method in methods.allCases {
      let read = method.row.read
      answer(method.member) { try handler(read($0.arguments), $0) }
    }
  }

  /// Sets how all properties are read and set. A property for which `getter` returns nil counts as unknown.
  package mutating func provide(
    get getter: @escaping @AgentLoop (MemberName) throws -> WireValue?,
    set setter: @escaping @AgentLoop (MemberName, WireValue, MethodCall) throws -> BusReply = { _, _, _ in
      .done
    }
  ) {
    let interface = description.name.text
    for property in description.properties {
      let name = property.name
      let set: Setter = { try setter(name, $0, $1) }
      provide(
        name,
        get: {
          guard let value = try getter(name) else {
            throw BusError.unknownProperty(name.text, of: interface)
          }
          return value
        }, set: property.access == .readWrite ? set : nil)
    }
  }

  /// Sets a faster way to read all properties at once. It must give the same values as the getters.
  package mutating func provide(_ whole: WholeProperties) { self.whole = whole }

  /// Sets a writer that is asked before the method's handler. The handler is called if the writer returns false.
  mutating func write(_ name: MemberName, _ writer: @escaping Writer) { methods[name]?.writer = writer }

  /// The methods and properties of the description that have no handler yet. An interface that lacks one cannot be exported.
  var missing: [MemberName] {
    description.methods.map(\.name).filter { methods[$0] == nil }
      + description.properties.map(\.name).filter { properties[$0] == nil }
  }
}

/// A call that arrived, with arguments of the described types.
package struct MethodCall: Sendable {
  /// Who calls, by the unique name of its connection.
  package let sender: BusName
  /// The path of the object that is called.
  package let path: ObjectPath
  /// The interface that has the method, also where the caller named none.
  package let interface: InterfaceName
  package let member: MemberName
  package let arguments: [WireValue]
  /// Whether the caller waits for the answer. A caller that does not may leave the bus at once; its call is carried out all the same.
  package let isReplyWanted: Bool

  /// The arguments as Swift values; throws `InvalidArgs` if they are of other types.
  package func decoded<each Argument: WireConvertible>(
    as types: repeat (each Argument).Type
  ) throws(BusError) -> (repeat each Argument) {
    try arguments.decoded(as: repeat each types)
  }
}

/// What a handler returns: the values themselves, or a function that gives them later.
package enum BusReply: Sendable {
  /// Gives the values later. If it throws, its error is the answer.
  package typealias Body = @AgentLoop () async throws -> [WireValue]

  /// Answer with these values at once.
  case now([WireValue])
  /// Answer with the values that the body returns, when it returns: an edit, for example, is answered after it is committed. The body is not started
  /// when too many calls wait already, so all effects of the call belong in the body.
  case later(Body)

  /// An answer without values.
  package static let done = BusReply.now([])
  /// The answer of one value.
  package static func value(_ value: some WireConvertible) -> BusReply { .now([value.wireValue]) }
}
