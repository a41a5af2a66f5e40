// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import CDBus
import Glibc

/// One private libdbus connection, driven by the loop: it sends messages and hands
/// over those that arrive. Only the loop's thread may use it.
///
/// Messages are taken out of libdbus's queue one by one; libdbus does not dispatch them. So libdbus calls back only about its
/// descriptors and when messages are waiting. It keeps no table of expected replies and therefore needs no timers.
///
/// libdbus holds an unretained pointer to this object. `close` removes that pointer before it closes the connection.
@AgentLoop
@safe
final class BusLink {
  // One reference to a private connection: `close` closes the connection, and `deinit` releases the reference.
  private let connection: OpaquePointer
  private let limits: BusLimits
  private var watches: [OpaquePointer: LoopWatch] = unsafe [:]
  private var isTurnDue = false
  /// Whether received messages stay in the queue until more of our answers have been sent.
  private var isHeldBack = false
  private(set) var isOpen = true

  /// Called with each message that arrives. The last message says that the connection ended.
  var receive: (borrowing BusMessage) -> Void = { _ in }

  /// Connects to the first of the addresses that answers. Blocks for as long as connecting to a local socket takes.
  init(address: String, limits: BusLimits) throws(BusError) {
    self.limits = limits
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

  /// Sends a message and returns its serial number. Bytes that the socket doesn't take at once are queued.
  func send(_ message: borrowing BusMessage) -> UInt32 {
    var serial: dbus_uint32_t = 0
    precondition(
      unsafe dbus_connection_send(connection, message.raw, &serial) != 0, "no memory for a message")
    // Sending may have emptied the queue, of which nothing else tells.
    goOnIfThereIsRoom()
    return serial
  }

  /// How many bytes the other end hasn't taken yet.
  var outgoingBytes: Int { unsafe Int(dbus_connection_get_outgoing_size(connection)) }

  /// Stops sending and receiving. Messages that the socket has not taken yet are lost.
  func close() {
    guard isOpen else { return }
    isOpen = false
    // The order matters: first stop the callbacks into this object, then the descriptors, then close the socket.
    unsafe dbus_connection_set_dispatch_status_function(connection, nil, nil, nil)
    unsafe dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
    unsafe watches = unsafe [:]
    unsafe dbus_connection_close(connection)
  }

  // MARK: Messages

  /// Makes sure that waiting messages are processed before the loop waits again.
  private func messagesWait() {
    guard !isTurnDue else { return }
    isTurnDue = true
    AgentLoop.after(.zero) { [weak self] in self?.turn() }
  }

  /// Whether messages may be taken from the queue. After the connection is lost they always may, because the last message in the queue is the one that
  /// tells of the loss.
  private var hasRoom: Bool {
    unsafe outgoingBytes <= limits.unsentBytes || dbus_connection_get_is_connected(connection) == 0
  }

  private func goOnIfThereIsRoom() { if isHeldBack, hasRoom { messagesWait() } }

  private func turn() {
    isTurnDue = false
    for _ in 0..<limits.messagesPerTurn {
      guard isOpen else { return }
      isHeldBack = !hasRoom
      guard !isHeldBack, let raw = unsafe dbus_connection_pop_message(connection) else { return }
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
      // libdbus calls `remove` before it frees a watch, so a watch in the table is still valid.
      guard let self, unsafe watches[watch] != nil, unsafe dbus_watch_get_enabled(watch) != 0 else { return }
      unsafe dbus_watch_handle(watch, events.watchFlags)
      goOnIfThereIsRoom()
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
  /// The events that libdbus wants to hear about now.
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

/// The bus to connect to.
package enum BusEndpoint: Sendable, Hashable {
  /// The user's session bus: `$DBUS_SESSION_BUS_ADDRESS`, or else the socket `bus` in `$XDG_RUNTIME_DIR`. A bus is never started.
  case session
  /// The system bus: `$DBUS_SYSTEM_BUS_ADDRESS`, or else the socket at its usual place.
  case system
  /// The bus at an address, such as `unix:path=/run/user/1000/bus`.
  case address(String)

  /// The address; throws if the environment names no session bus.
  func resolved() throws(BusError) -> String {
    switch self {
    case .address(let address): return address
    case .system:
      return Self.environment("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/var/run/dbus/system_bus_socket"
    case .session:
      if let address = Self.environment("DBUS_SESSION_BUS_ADDRESS") { return address }
      if let directory = Self.environment("XDG_RUNTIME_DIR") {
        return "unix:path=" + Self.escaped(directory + "/bus")
      }
      throw BusError(
        .noServer,
        "no session bus is known: set DBUS_SESSION_BUS_ADDRESS, or XDG_RUNTIME_DIR where one listens at bus")
    }
  }

  private static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }

  /// A path escaped for a D-Bus address: every byte that is not a plain one is written as `%` and two hex digits.
  static func escaped(_ path: String) -> String {
    let plain = Set("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz/.".utf8)
    return path.utf8.map { byte in
      if plain.contains(byte) { return String(UnicodeScalar(byte)) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}

/// Limits on what other programs may send us over a connection. What exceeds them is refused.
package struct BusLimits: Sendable, Hashable {
  /// The memory that the values of one message may take, in bytes. A call beyond it is answered `LimitsExceeded` and not read.
  package var valueBytes = WireBudget.standardLimit
  /// When this many bytes of received messages wait to be processed, no more is read from the socket until there are
  /// fewer. A single message may exceed it.
  package var receivedBytes = 4 << 20
  /// While more bytes than this wait to be sent, no message is taken in: whoever asks faster than the answers go out is slowed down.
  package var unsentBytes = 4 << 20
  /// The bytes that may wait to be sent because the bus doesn't read. Beyond it the connection ends. Dropping single signals
  /// instead would leave their listeners with a wrong state; after connecting again, everything is announced anew.
  package var outgoingBytes = 32 << 20
  /// How many calls may wait for handlers that answer later. Any further one is answered `LimitsExceeded`.
  package var callsInProgress = 2_048
  /// How many calls of one caller may wait for them.
  package var callsOfCaller = 1_024
  /// The memory that the arguments of all waiting calls may take, in bytes, and those of one caller. A call always has room if its caller has no other.
  package var waitingBytes = 128 << 20
  package var waitingBytesOfCaller = 64 << 20
  /// How many messages are processed in one turn of the loop, so that timers and other descriptors get their turn.
  package var messagesPerTurn = 16

  package init() {}
}

/// Why a connection ended without a call to `close`.
package enum BusLoss: Sendable, Hashable {
  /// The bus went away, or closed the connection.
  case disconnected
  /// The bus did not read, and this many bytes were waiting to be sent.
  case congested(bytes: Int)
}
