// SPDX-License-Identifier: MIT
import CDBus
import FermataTestKit
import Glibc
import Testing

/// A logind of the test's own, as far as sleep goes. It has no thread: it answers while a test waits for something of it.
final class PrivateLogind {
  private static let boolean = Int32(UInt8(ascii: "b"))
  private static let descriptor = Int32(UInt8(ascii: "h"))

  private let connection: OpaquePointer
  private let grants: Bool
  /// The near ends of the delays that were granted; the far one's end is the delay's.
  private var delays: [Int32] = []
  /// How often a delay was asked for.
  private(set) var requests: [[String]] = []

  /// Takes logind's place on a bus.
  init(on bus: PrivateBus, grants: Bool = true) throws {
    self.grants = grants
    guard let connection = dbus_connection_open_private(bus.address, nil),
      dbus_bus_register(connection, nil) != 0,
      dbus_bus_request_name(connection, "org.freedesktop.login1", UInt32(DBUS_NAME_FLAG_DO_NOT_QUEUE), nil)
        == DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER
    else { throw KitError("no place for a logind on \(bus.address)") }
    self.connection = connection
    dbus_connection_set_exit_on_disconnect(connection, 0)
  }

  deinit {
    dbus_connection_close(connection)
    dbus_connection_unref(connection)
    for delay in delays { close(delay) }
  }

  /// Says that the machine is about to sleep, or that it woke up.
  func prepareForSleep(_ isBefore: Bool) {
    let message = dbus_message_new_signal(
      "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "PrepareForSleep")
    var iterator = DBusMessageIter()
    var flag: dbus_bool_t = isBefore ? 1 : 0
    dbus_message_iter_init_append(message, &iterator)
    dbus_message_iter_append_basic(&iterator, Self.boolean, &flag)
    dbus_connection_send(connection, message, nil)
    dbus_message_unref(message)
    dbus_connection_flush(connection)
  }

  /// Waits until a delay was asked for so many times in all.
  func waitForRequests(_ count: Int) throws {
    let deadline = Deadline.patient
    while requests.count < count {
      guard !deadline.hasPassed else { throw KitError("a delay was asked for \(requests.count) times") }
      dbus_connection_read_write(connection, 50)
      while let message = dbus_connection_pop_message(connection) {
        answer(message)
        dbus_message_unref(message)
      }
      dbus_connection_flush(connection)
    }
  }

  /// Whether the delay that was granted last is still held.
  var isDelayed: Bool { !isOver(within: 0) }

  /// Waits until the delay that was granted last was given back.
  func waitForRelease() throws {
    guard isOver(within: Deadline.patient.milliseconds) else {
      throw KitError("the delay was not given back")
    }
  }

  private func isOver(within milliseconds: Int32) -> Bool {
    guard let last = delays.last else { return true }
    var request = pollfd(fd: last, events: 0, revents: 0)
    return poll(&request, 1, milliseconds) > 0
  }

  private func answer(_ message: OpaquePointer) {
    guard dbus_message_is_method_call(message, "org.freedesktop.login1.Manager", "Inhibit") != 0 else {
      return
    }
    requests.append(texts(of: message))
    let reply =
      grants ? grant(message) : dbus_message_new_error(message, DBUS_ERROR_ACCESS_DENIED, "not today")
    dbus_connection_send(connection, reply, nil)
    dbus_message_unref(reply)
  }

  private func grant(_ message: OpaquePointer) -> OpaquePointer? {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    delays.append(ends[0])
    let reply = dbus_message_new_method_return(message)
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(reply, &iterator)
    dbus_message_iter_append_basic(&iterator, Self.descriptor, &ends[1])
    close(ends[1])
    return reply
  }

  private func texts(of message: OpaquePointer) -> [String] {
    var iterator = DBusMessageIter()
    var texts: [String] = []
    guard dbus_message_iter_init(message, &iterator) != 0 else { return [] }
    repeat {
      var text: UnsafePointer<CChar>?
      dbus_message_iter_get_basic(&iterator, &text)
      texts.append(text.map { String(cString: $0) } ?? "")
    } while dbus_message_iter_next(&iterator) != 0
    return texts
  }
}
