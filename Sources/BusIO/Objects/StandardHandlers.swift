// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import CDBus

/// Who answers the standard interfaces of every object.
enum StandardHandlers {
  /// Whether somebody is there, and on which machine.
  static func peer() -> BusInterface {
    var peer = BusInterface(StandardInterfaces.peer)
    peer.answer("Ping") { _ in .done }
    peer.answer("GetMachineId") { _ in .value(try machineID()) }
    return peer
  }

  /// What the object is; `document` is asked each time, as objects below it come and go.
  static func introspectable(_ document: @escaping @AgentLoop () -> String) -> BusInterface {
    var introspectable = BusInterface(StandardInterfaces.introspectable)
    introspectable.answer("Introspect") { _ in .value(document()) }
    return introspectable
  }

  /// Reads one line of a small file, which blocks as long as that takes. Hardly anybody ever asks.
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
