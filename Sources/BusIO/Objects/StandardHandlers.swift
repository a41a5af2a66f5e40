// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import CDBus

/// Handlers of the standard interfaces, which every object has.
enum StandardHandlers {
  /// Answers whether anybody is there, and on which machine.
  static func peer() -> BusInterface {
    var peer = BusInterface(StandardInterfaces.peer)
    peer.answer("Ping") { _ in .done }
    peer.answer("GetMachineId") { _ in .value(try machineID()) }
    return peer
  }

  /// Answers what the object is. `document` is called each time, since objects below it come and go.
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
