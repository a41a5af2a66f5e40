// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import CDBus
import Glibc

/// One socket of libdbus's on the loop: messages go in, messages come out.
///
/// Messages are taken out of libdbus's queue one by one rather than dispatched by it. So it calls nobody back but for its
/// descriptors and "there are messages", has no table of replies of its own and therefore no timers.
///
/// libdbus holds an unowned pointer to this object and releases nothing; `close` takes it back before the connection goes.
@AgentLoop
@safe
final class BusLink {
  // One reference to a private connection: `close` closes it, and `deinit` gives it back.
  private let connection: OpaquePointer
  private let messagesPerTurn: Int
  private var watches: [OpaquePointer: LoopWatch] = unsafe [:]
  private var isTurnDue = false
  private(set) var isOpen = true

  /// Takes each message that comes; the last one says that the connection ended.
  var receive: (borrowing BusMessage) -> Void = { _ in }

  /// Connects to the first of the addresses that answers. Blocks as long as connecting to a socket of this machine does.
  init(address: String, limits: BusLimits) throws(BusError) {
    messagesPerTurn = limits.messagesPerTurn
    unsafe connection = try Self.connect(to: address)
    unsafe dbus_connection_set_exit_on_disconnect(connection, 0)
    unsafe dbus_connection_set_max_received_size(connection, limits.receivedBytes)
    plugIn()
  }

  isolated deinit {
    close()
    unsafe dbus_connection_unref(connection)
  }

  private static func connect(to address: String) throws(BusError) -> OpaquePointer {
    var error = unsafe DBusError()
    unsafe dbus_error_init(&error)
    if let connection = unsafe dbus_connection_open_private(address, &error) { return unsafe connection }
    defer { unsafe dbus_error_free(&error) }
    let reason = unsafe String(cString: error.message)
    throw BusError(
      unsafe InterfaceName(String(cString: error.name)) ?? .noServer, "no bus at \(address): \(reason)")
  }

  /// Sends a message, at once as far as the socket takes it. Answers its number.
  func send(_ message: borrowing BusMessage) -> UInt32 {
    var serial: dbus_uint32_t = 0
    precondition(
      unsafe dbus_connection_send(connection, message.raw, &serial) != 0, "no memory for a message")
    return serial
  }

  /// How many bytes the other end hasn't taken yet.
  var outgoingBytes: Int { unsafe Int(dbus_connection_get_outgoing_size(connection)) }

  /// Sends nothing more and receives nothing more. What the socket doesn't take at once is lost.
  func close() {
    guard isOpen else { return }
    isOpen = false
    // In this order: no more calls into this object, then no more descriptors, then the socket.
    unsafe dbus_connection_set_dispatch_status_function(connection, nil, nil, nil)
    unsafe dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
    unsafe watches = unsafe [:]
    unsafe dbus_connection_close(connection)
  }

  // MARK: Messages

  /// Has the waiting messages taken before the loop waits again.
  private func messagesWait() {
    guard !isTurnDue else { return }
    isTurnDue = true
    AgentLoop.after(.zero) { [weak self] in self?.turn() }
  }

  private func turn() {
    isTurnDue = false
    for _ in 0..<messagesPerTurn {
      guard isOpen, let raw = unsafe dbus_connection_pop_message(connection) else { return }
      receive(unsafe BusMessage(adopting: raw))
    }
    if isOpen, unsafe dbus_connection_get_dispatch_status(connection) != DBUS_DISPATCH_COMPLETE {
      messagesWait()
    }
  }

  // MARK: Descriptors

  private func add(_ watch: OpaquePointer) {
    unsafe watches[watch] = LoopWatch(
      descriptor: dbus_watch_get_unix_fd(watch), events: LoopWatch.Events(wantedBy: watch)
    ) { [weak self] events in
      // libdbus removes the watch before it frees it, so while it is in the table it lives.
      guard let self, unsafe watches[watch] != nil, unsafe dbus_watch_get_enabled(watch) != 0 else { return }
      unsafe dbus_watch_handle(watch, events.watchFlags)
    }
  }

  private func remove(_ watch: OpaquePointer) { unsafe watches[watch] = nil }

  private func toggle(_ watch: OpaquePointer) {
    unsafe watches[watch]?.events = unsafe LoopWatch.Events(wantedBy: watch)
  }

  private func plugIn() {
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    let isDone = unsafe dbus_connection_set_watch_functions(
      connection,
      { watch, link in
        unsafe AgentLoop.assume((watch, link)) { unsafe BusLink.call($0.1, $0.0) { unsafe $0.add($1) } }
        return 1
      },
      { watch, link in
        unsafe AgentLoop.assume((watch, link)) { unsafe BusLink.call($0.1, $0.0) { unsafe $0.remove($1) } }
      },
      { watch, link in
        unsafe AgentLoop.assume((watch, link)) { unsafe BusLink.call($0.1, $0.0) { unsafe $0.toggle($1) } }
      }, this, nil)
    precondition(isDone != 0, "no memory for the bus connection's watches")
    unsafe dbus_connection_set_dispatch_status_function(
      connection,
      { _, status, link in
        guard status == DBUS_DISPATCH_DATA_REMAINS else { return }
        unsafe AgentLoop.assume(link) { unsafe BusLink.from($0)?.messagesWait() }
      }, this, nil)
  }

  private static func from(_ link: UnsafeMutableRawPointer?) -> BusLink? {
    unsafe link.map { unsafe Unmanaged<BusLink>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func call(
    _ link: UnsafeMutableRawPointer?, _ watch: OpaquePointer?, _ body: (BusLink, OpaquePointer) -> Void
  ) {
    guard let link = unsafe from(link), let watch = unsafe watch else { return }
    unsafe body(link, watch)
  }
}

extension LoopWatch.Events {
  /// What libdbus wants to know of a descriptor now.
  @AgentLoop fileprivate init(wantedBy watch: OpaquePointer) {
    self = []
    guard unsafe dbus_watch_get_enabled(watch) != 0 else { return }
    let flags = unsafe dbus_watch_get_flags(watch)
    if flags & DBUS_WATCH_READABLE.rawValue != 0 { insert(.readable) }
    if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { insert(.writable) }
  }

  fileprivate var watchFlags: UInt32 {
    var flags: UInt32 = 0
    if contains(.readable) { flags |= DBUS_WATCH_READABLE.rawValue }
    if contains(.writable) { flags |= DBUS_WATCH_WRITABLE.rawValue }
    if contains(.hangup) { flags |= DBUS_WATCH_HANGUP.rawValue }
    if contains(.error) { flags |= DBUS_WATCH_ERROR.rawValue }
    return flags
  }
}
