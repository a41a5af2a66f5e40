// SPDX-License-Identifier: MIT
package import AgentLoop
package import BusModel

/// A place where objects are offered to callers: a connection to a bus, or a bus inside this process. The code that answers calls need not know which
/// of the two it is.
@AgentLoop
package protocol ObjectHost: AnyObject, Sendable {
  /// Makes an object available to callers. Its standard interfaces are added and answered here.
  /// Traps if a described method or property has no handler, or if there is an object at this path already: both are bugs.
  func export(_ interfaces: [BusInterface], at path: ObjectPath)

  /// Sends a signal to everybody who asked for it, or to one caller only. Throws if it can't be sent.
  func emit(_ signal: BusSignal, to destination: BusName?) throws(BusError)

  /// Whether a caller has one name for all its calls, as a program on a bus does. Inside this process, each call comes from a caller of its own, which
  /// is gone when it has its answer.
  var callersStay: Bool { get }

  /// Calls `gone` once when this caller has left the bus, or now if it has left already. Releasing the returned value ends the watch.
  func watch(_ caller: BusName, gone: @escaping @AgentLoop () -> Void) async -> (any AnyObject & Sendable)?
}

extension ObjectHost {
  /// Sends a signal of an object's interface, by its name and arguments, to everybody who asked for it.
  package func emit(
    _ signal: (MemberName, [WireValue]), of interface: InterfaceDescription, at path: ObjectPath
  ) throws(BusError) {
    try emit(
      BusSignal(path: path, interface: interface.name, member: signal.0, arguments: signal.1), to: nil)
  }

  /// Emits `PropertiesChanged` for an object. `changed` are sent with their new values; `invalidated` are only named,
  /// and readers have to ask for their values.
  package func propertiesChanged(
    at path: ObjectPath, _ interface: InterfaceName, _ changed: [(MemberName, WireValue)],
    invalidated: [MemberName] = []
  ) throws(BusError) {
    let values = WireValue.properties(changed.map { ($0.text, $1) })
    try emit(
      BusSignal(
        path: path, interface: StandardInterfaces.properties.name, member: "PropertiesChanged",
        arguments: [.string(interface.text), values, invalidated.map(\.text).wireValue]), to: nil)
  }
}

extension BusConnection: ObjectHost {
  package var callersStay: Bool { true }

  package func watch(
    _ caller: BusName, gone: @escaping @AgentLoop () -> Void
  ) async -> (any AnyObject & Sendable)? {
    let subscription = try? await nameOwnerChanges(of: caller) { if $0.newOwner == nil { gone() } }
    // The caller may have left before the bus was asked to tell of it, or the bus is gone, and all callers with it.
    if (try? await owner(of: caller)) == nil { gone() }
    return subscription
  }
}
