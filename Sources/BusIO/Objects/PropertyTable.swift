// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel

/// Answers the Properties interface of one object.
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

  /// All values of an interface. A property whose getter fails is left out and does not hide the others.
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
