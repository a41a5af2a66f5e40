// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import CDBus

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
