// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel

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

  func remove(_ path: ObjectPath) { objects[path] = nil }

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
