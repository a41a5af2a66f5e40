// SPDX-License-Identifier: MIT
import CDBus
import FermataTestKit

/// A client of the agent's that asks and orders faster than a program that is started for each question.
final class BusCaller {
  private static let player = ("/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player")
  private static let agent = "/org/fermata/Agent"
  private let connection: OpaquePointer

  init(on bus: PrivateBus) throws {
    guard let connection = dbus_connection_open_private(bus.address, nil),
      dbus_bus_register(connection, nil) != 0
    else { throw KitError("no client of \(bus.address)") }
    self.connection = connection
    dbus_connection_set_exit_on_disconnect(connection, 0)
  }

  deinit {
    dbus_connection_close(connection)
    dbus_connection_unref(connection)
  }

  /// Gives an order as a desktop does, and returns when it was obeyed.
  func order(_ method: String) throws {
    _ = try call(Self.player.0, Self.player.1, method, [])
  }

  /// All texts in a property of one of our own interfaces.
  func texts(_ property: String, of interface: String) throws -> [String] {
    try call(Self.agent, "org.freedesktop.DBus.Properties", "Get", [interface, property])
  }

  /// What MPRIS says of the state.
  func status() throws -> String {
    try call(
      Self.player.0, "org.freedesktop.DBus.Properties", "Get", [Self.player.1, "PlaybackStatus"])[0]
  }

  private func call(
    _ path: String, _ interface: String, _ method: String, _ arguments: [String]
  ) throws -> [String] {
    // Our own interfaces answer to no other name than theirs.
    let name = path == Self.agent ? "org.fermata.Agent" : "org.mpris.MediaPlayer2.fermata"
    let message = dbus_message_new_method_call(name, path, interface, method)
    defer { dbus_message_unref(message) }
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(message, &iterator)
    for argument in arguments { Self.append(argument, &iterator) }
    guard let reply = dbus_connection_send_with_reply_and_block(connection, message, 5_000, nil) else {
      throw KitError("no answer to \(method) \(arguments)")
    }
    defer { dbus_message_unref(reply) }
    var place = DBusMessageIter()
    var texts: [String] = []
    if dbus_message_iter_init(reply, &place) != 0 { Self.collect(&place, &texts) }
    return texts
  }

  private static func append(_ text: String, _ iterator: inout DBusMessageIter) {
    text.withCString { start in
      var start: UnsafePointer<CChar>? = start
      _ = dbus_message_iter_append_basic(&iterator, Int32(UInt8(ascii: "s")), &start)
    }
  }

  private static func collect(_ place: inout DBusMessageIter, _ texts: inout [String]) {
    repeat {
      switch UInt8(truncatingIfNeeded: dbus_message_iter_get_arg_type(&place)) {
      case UInt8(ascii: "s"):
        var text: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&place, &text)
        texts.append(text.map { String(cString: $0) } ?? "")
      case UInt8(ascii: "a"), UInt8(ascii: "v"), UInt8(ascii: "e"), UInt8(ascii: "r"):
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&place, &inner)
        collect(&inner, &texts)
      default: break
      }
    } while dbus_message_iter_next(&place) != 0
  }
}
