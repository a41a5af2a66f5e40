// SPDX-License-Identifier: MIT
import AgentLoop
package import BusModel
import CDBus

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

  /// Lets `writer` answer the calls of a method by writing the reply itself, without values in between. Where it returns false it has written
  /// nothing, and the method's handler answers.
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

/// The exported objects of one connection by path. It also answers for the paths above them.
@AgentLoop
final class ObjectTree {
  /// An object's interfaces, the standard ones last.
  private typealias Object = [BusInterface]

  private var objects: [ObjectPath: Object] = [:]

  func add(_ interfaces: [BusInterface], at path: ObjectPath) {
    precondition(objects[path] == nil, "two objects at \(path)")
    for interface in interfaces {
      precondition(interface.missing.isEmpty, "\(interface.description.name) lacks \(interface.missing)")
    }
    objects[path] = complete(interfaces, at: path)
  }

  /// The method that a call is for. If the call names no interface, the first interface with such a method is taken.
  func method(
    _ member: MemberName, _ interface: InterfaceName?, at path: ObjectPath
  ) throws(BusError) -> BusInterface.Method {
    guard let object = object(at: path, for: interface) else { throw .unknownObject(path) }
    guard let interface else {
      guard let method = object.lazy.compactMap({ $0.methods[member] }).first else {
        throw .unknownMethod(member, of: "the object \(path)")
      }
      return method
    }
    guard let found = object.first(where: { $0.description.name == interface }) else {
      throw .unknownInterface(interface.text, at: path)
    }
    guard let method = found.methods[member] else { throw .unknownMethod(member, of: interface.text) }
    return method
  }

  /// The exported object at a path. A path above an exported object has the standard interfaces only. So has every
  /// other path if the call is for the Peer interface, which asks whether anybody is there at all; otherwise nil.
  private func object(at path: ObjectPath, for interface: InterfaceName?) -> Object? {
    if let object = objects[path] { return object }
    guard interface == StandardInterfaces.peer.name || !children(of: path).isEmpty else { return nil }
    return complete([], at: path)
  }

  private func complete(_ interfaces: [BusInterface], at path: ObjectPath) -> Object {
    let descriptions = interfaces.map(\.description) + StandardInterfaces.all
    let introspect = StandardHandlers.introspectable { [weak self] in
      IntrospectionXML.document(descriptions, children: self?.children(of: path) ?? [])
    }
    return interfaces + [introspect, StandardHandlers.peer(), PropertyTable(path, interfaces).interface()]
  }

  private func children(of path: ObjectPath) -> [String] {
    Set(objects.keys.compactMap { $0.childName(under: path) }).sorted()
  }
}

/// Answers calls of the bus's standard interface Properties for one object.
struct PropertyTable: Sendable {
  private let path: ObjectPath
  private let interfaces: [BusInterface]

  init(_ path: ObjectPath, _ interfaces: [BusInterface]) {
    self.path = path
    self.interfaces = interfaces
  }

  /// The Properties interface with handlers that use this table.
  func interface() -> BusInterface {
    var properties = BusInterface(StandardInterfaces.properties)
    properties.answer("Get") { call in
      let (interface, name) = try call.decoded(as: String.self, String.self)
      return .value(try value(of: property(name, of: interface)))
    }
    properties.answer("Set") { call in
      let (interface, name, value) = try call.decoded(as: String.self, String.self, WireValue.self)
      return try set(property(name, of: interface), to: value, call)
    }
    properties.answer("GetAll") { call in .now([try all(of: call.decoded(as: String.self))]) }
    let writers = Dictionary(
      uniqueKeysWithValues: interfaces.compactMap { interface in
        interface.whole.map { (interface.description.name.text, WholeWriter($0)) }
      })
    properties.write("GetAll") { call, address, connection in
      let writer = writers[try call.decoded(as: String.self)]
      return try writer?.answer(address, on: connection) ?? false
    }
    return properties
  }

  /// The interfaces that a name stands for: one, or all of them for an empty name, as the specification allows.
  private func interfaces(named name: String) throws(BusError) -> [BusInterface] {
    if name.isEmpty { return interfaces }
    let found = interfaces.filter { $0.description.name.text == name }
    guard !found.isEmpty || StandardInterfaces.all.contains(where: { $0.name.text == name }) else {
      throw .unknownInterface(name, at: path)
    }
    return found
  }

  private func property(_ name: String, of interface: String) throws(BusError) -> BusInterface.Property {
    let member = MemberName(unchecked: name)
    guard let found = try interfaces(named: interface).lazy.compactMap({ $0.properties[member] }).first else {
      throw .unknownProperty(name, of: interface)
    }
    return found
  }

  /// The property's value. Throws if the getter returns another type than described: that is a bug of the object, and
  /// the wrong value must not be sent.
  @AgentLoop private func value(of property: BusInterface.Property) throws -> WireValue {
    let value = try property.getter()
    guard value.isOf(property.description.type) else {
      throw BusError.failed("the property \(property.description.name) came as \(value.type)")
    }
    return value
  }

  /// The values of all properties of an interface. A property whose getter fails is left out and does not hide the others.
  @AgentLoop private func all(of interface: String) throws(BusError) -> WireValue {
    var entries: [DictionaryEntry] = []
    for interface in try interfaces(named: interface) {
      if let whole = interface.whole {
        entries += whole.all
        continue
      }
      for description in interface.description.properties {
        guard let property = interface.properties[description.name], let value = try? value(of: property)
        else { continue }
        entries.append(DictionaryEntry(.string(description.name.text), .variant(value)))
      }
    }
    return .dictionary(.string, .variant, entries)
  }

  @AgentLoop private func set(
    _ property: BusInterface.Property, to value: WireValue, _ call: MethodCall
  ) throws -> BusReply {
    let description = property.description
    guard let setter = property.setter else { throw BusError.readOnly(description.name) }
    guard value.isOf(description.type) else {
      throw BusError.propertyType(description.name, expected: description.type, found: value.type)
    }
    return try setter(value, call)
  }
}

/// Handlers of the standard interfaces, which every object has.
enum StandardHandlers {
  /// The Peer interface: it answers a ping, and tells the machine's id.
  static func peer() -> BusInterface {
    var peer = BusInterface(StandardInterfaces.peer)
    peer.answer("Ping") { _ in .done }
    peer.answer("GetMachineId") { _ in .value(try machineID()) }
    return peer
  }

  /// The Introspectable interface: it answers with what `document` returns. That is called each time, since objects below may be added.
  static func introspectable(_ document: @escaping @AgentLoop () -> String) -> BusInterface {
    var introspectable = BusInterface(StandardInterfaces.introspectable)
    introspectable.answer("Introspect") { _ in .value(document()) }
    return introspectable
  }

  /// The machine's id. Blocks while it reads one line of a small file; this is hardly ever asked for.
  private static func machineID() throws(BusError) -> String {
    var error = unsafe DBusError()
    unsafe dbus_error_init(&error)
    guard let text = unsafe dbus_try_get_local_machine_id(&error) else {
      defer { unsafe dbus_error_free(&error) }
      throw .failed("no machine id: \(unsafe String(cString: error.message))")
    }
    defer { unsafe dbus_free(text) }
    return unsafe String(cString: text)
  }
}
