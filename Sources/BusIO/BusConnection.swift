// SPDX-License-Identifier: MIT
package import AgentLoop
package import BusModel
import CDBus
import Glibc

/// One connection to a bus, from the `Hello` call until somebody closes it or the bus is lost.
///
/// Only the loop's thread may use it. Once it is connected it never blocks the loop: every question to the bus is an ordinary
/// call with a time-out. When it ends, calls under way fail with `Disconnected` and subscriptions fall silent. It never connects
/// again by itself: its owner does that, with a new connection. Releasing the last reference closes it.
@AgentLoop
package final class BusConnection {
  /// How much others may send or ask before it refuses.
  package let limits: BusLimits
  /// The name that the bus gave it. It is always set once `open` has returned.
  package private(set) var uniqueName: BusName?
  /// Called once when the connection ends without `close`. Never called from within a call into the connection.
  package var onLoss: (@AgentLoop (BusLoss) -> Void)?
  /// Called when a well-known name is given to this connection or taken away from it.
  package var onNameEvent: (@AgentLoop (BusNameEvent) -> Void)?

  let link: BusLink
  let objects = ObjectTree()
  var pending: [UInt32: PendingCall] = [:]
  var listeners: [Listener] = []
  var lastListener: UInt64 = 0
  var matchRules: [String: Int] = [:]
  var owners: [BusName: OwnerRecord] = [:]
  var callsInProgress = 0
  private var isCongested = false

  private init(_ endpoint: BusEndpoint, limits: BusLimits) throws(BusError) {
    self.limits = limits
    link = try BusLink(address: endpoint.resolved(), limits: limits)
    link.receive = { [weak self] message in self?.receive(message) }
  }

  isolated deinit { end() }

  /// Connects and waits for the bus's greeting. Throws when nobody listens there, or doesn't greet within `timeout`.
  ///
  /// Blocks only while the system connects the socket, which takes no noticeable time on the same machine.
  package static func open(
    _ endpoint: BusEndpoint = .session, limits: BusLimits = BusLimits(), timeout: Duration = .seconds(5)
  ) async throws(BusError) -> BusConnection {
    let connection = try BusConnection(endpoint, limits: limits)
    let name = try await connection.call(.bus("Hello"), timeout: timeout).decoded(as: String.self)
    connection.uniqueName = BusName(name)
    return connection
  }

  /// Whether messages still come and go.
  package var isOpen: Bool { link.isOpen && !isCongested }

  /// How many calls wait for their answers.
  package var callsUnderWay: Int { pending.count }
  /// How many match rules the bus keeps for this connection.
  package var rulesAtBus: Int { matchRules.count }

  /// Ends the connection: calls under way fail, subscriptions fall silent, `onLoss` is not called. Calling it again does nothing.
  package func close() { end() }

  private func end() {
    link.close()
    listeners = []
    let calls = pending
    pending = [:]
    for call in calls.values {
      call.timer.cancel()
      call.fail(.disconnected)
    }
  }

  private func lose(_ loss: BusLoss) {
    guard link.isOpen else { return }
    end()
    onLoss?(loss)
  }

  // MARK: Messages

  private func receive(_ message: borrowing BusMessage) {
    switch message.kind {
    case .call: answer(message)
    case .reply, .error: settle(message)
    case .signal where message.saysDisconnected: lose(.disconnected)
    case .signal: deliver(message)
    case nil: break
    }
  }

  /// Sends a message and returns its serial number. If too many bytes then wait to be sent, no further message is
  /// accepted and the connection ends as soon as the current turn of the loop is over.
  @discardableResult
  func send(_ message: borrowing BusMessage) throws(BusError) -> UInt32 {
    guard isOpen else { throw .disconnected }
    let serial = link.send(message)
    let waiting = link.outgoingBytes
    if waiting > limits.outgoingBytes {
      isCongested = true
      AgentLoop.after(.zero) { [weak self] in self?.lose(.congested(bytes: waiting)) }
    }
    return serial
  }

  /// Appends values to a message; throws if they cannot be sent.
  func append(_ values: [WireValue], to message: borrowing BusMessage) throws(BusError) {
    do throws(WireError) {
      try MessageWriter.check(values, limit: limits.outgoingBytes)
    } catch {
      throw BusError(error)
    }
    MessageWriter.append(values, to: message)
  }

  /// Reads the values of a message; throws if they exceed `limits.valueBytes` or hold
  /// what is not accepted here, such as a file descriptor.
  func arguments(of message: borrowing BusMessage) throws(BusError) -> [WireValue] {
    do throws(WireError) {
      return try MessageReader.arguments(of: message, limit: limits.valueBytes)
    } catch {
      throw BusError(error)
    }
  }
}

extension BusError {
  static let disconnected = BusError(.disconnected, "the connection to the bus has ended")

  /// The error reply for whatever a handler threw.
  init(any error: any Error) {
    switch error {
    case let error as BusError: self = error
    case let error as WireError: self.init(error)
    default: self = .failed("\(error)")
    }
  }
}

/// A call that waits for its answer. Whoever removes it from the table calls `take`
/// or `fail`, so exactly one of them is called, once.
struct PendingCall {
  let destination: BusName
  let timer: LoopTimer
  let take: (borrowing BusMessage) -> Void
  let fail: (BusError) -> Void
}

extension BusConnection {
  /// How long a call waits for its answer unless the caller says otherwise.
  package static let standardTimeout = Duration.seconds(25)

  /// Calls a method and waits for its answer.
  ///
  /// Throws the other side's error, `NoReply` after `timeout`, `Disconnected` when the connection ends, and `Cancelled` when the
  /// task is cancelled. In the last three cases the other side may still carry out the call; its answer is ignored.
  package func call(
    _ target: BusTarget, _ arguments: [WireValue] = [], timeout: Duration = standardTimeout
  ) async throws(BusError) -> [WireValue] {
    let message = BusMessage.call(target)
    try append(arguments, to: message)
    let serial = try send(message)
    let result = await withTaskCancellationHandler {
      await unsafe withUnsafeContinuation { continuation in
        wait(for: serial, of: target, timeout) { unsafe continuation.resume(returning: $0) }
      }
    } onCancel: {
      // Any thread may cancel, so this goes to the loop as a task. It runs after the wait above has begun.
      AgentLoop.task {
        self.fail(serial, BusError(.cancelled, "nobody waits for \(target.member) any more"))
      }
    }
    return try result.get()
  }

  /// Calls a method without asking for an answer. If it fails on the other side, nobody is told.
  package func tell(_ target: BusTarget, _ arguments: [WireValue] = []) throws(BusError) {
    let message = BusMessage.call(target, expectsReply: false)
    try append(arguments, to: message)
    try send(message)
  }

  /// Calls a method. `finish` is called once, on the loop, before any later message is processed.
  func call(
    _ target: BusTarget, _ arguments: [WireValue], finish: @escaping (Result<[WireValue], BusError>) -> Void
  ) throws(BusError) {
    let message = BusMessage.call(target)
    try append(arguments, to: message)
    wait(for: try send(message), of: target, Self.standardTimeout, finish: finish)
  }

  private func wait(
    for serial: UInt32, of target: BusTarget, _ timeout: Duration,
    finish: @escaping (Result<[WireValue], BusError>) -> Void
  ) {
    wait(
      for: serial, of: target, timeout,
      take: { [weak self] message in if let self { finish(self.result(of: message)) } },
      fail: { finish(.failure($0)) })
  }

  func wait(
    for serial: UInt32, of target: BusTarget, _ timeout: Duration,
    take: @escaping (borrowing BusMessage) -> Void, fail: @escaping (BusError) -> Void
  ) {
    let timer = AgentLoop.after(timeout) { [weak self] in
      let error = BusError(
        .noReply, "\(target.destination) did not answer \(target.member) within \(timeout)")
      self?.fail(serial, error)
    }
    pending[serial] = PendingCall(destination: target.destination, timer: timer, take: take, fail: fail)
  }

  private func fail(_ serial: UInt32, _ error: BusError) {
    guard let call = pending.removeValue(forKey: serial) else { return }
    call.timer.cancel()
    call.fail(error)
  }

  /// Finishes the call that this message answers. Serial numbers can be guessed, so only the connection that was called, or the
  /// bus, may answer. A call to a well-known name is not checked: we don't know which connection has the name.
  func settle(_ message: borrowing BusMessage) {
    let serial = message.replySerial
    guard let call = pending[serial] else { return }
    let sender = message.sender
    let isKnown = call.destination.isUnique || call.destination == .bus
    guard !isKnown || sender == call.destination || sender == .bus else { return }
    pending[serial] = nil
    call.timer.cancel()
    call.take(message)
  }

  func result(of message: borrowing BusMessage) -> Result<[WireValue], BusError> {
    do throws(BusError) {
      let values = try arguments(of: message)
      guard let name = message.errorName else { return .success(values) }
      guard case .string(let text)? = values.first else { return .failure(BusError(name, "")) }
      return .failure(BusError(name, text))
    } catch {
      return .failure(error)
    }
  }
}

extension BusConnection {
  /// Calls a method that answers with one open file and nothing else. Throws as `call` does, and if the answer is
  /// anything else. Unlike `call`, it goes on waiting when the task is cancelled.
  ///
  /// `WireValue` has no case for descriptors, because one that nobody takes over
  /// would leak. So a caller that expects one has to use this method.
  package func callForDescriptor(
    _ target: BusTarget, _ arguments: [WireValue] = [], timeout: Duration = standardTimeout
  ) async throws(BusError) -> BusDescriptor {
    let message = BusMessage.call(target)
    try append(arguments, to: message)
    let serial = try send(message)
    let result: Result<BusDescriptor, BusError> = await unsafe withUnsafeContinuation { continuation in
      wait(
        for: serial, of: target, timeout,
        take: { message in unsafe continuation.resume(returning: self.descriptor(of: message)) },
        fail: { unsafe continuation.resume(returning: .failure($0)) })
    }
    return try result.get()
  }

  private func descriptor(of message: borrowing BusMessage) -> Result<BusDescriptor, BusError> {
    if message.errorName != nil, case .failure(let error) = result(of: message) { return .failure(error) }
    guard message.signatureText == "h", let descriptor = message.descriptor else {
      return .failure(.invalidArguments("the answer is '\(message.signatureText)' and not an open file"))
    }
    return .success(descriptor)
  }
}

extension BusMessage {
  /// The open file that is the message's first argument. libdbus returns a duplicate, which is ours to close.
  fileprivate var descriptor: BusDescriptor? {
    var iterator = unsafe DBusMessageIter()
    guard unsafe dbus_message_iter_init(raw, &iterator) != 0 else { return nil }
    var number: Int32 = -1
    unsafe dbus_message_iter_get_basic(&iterator, &number)
    return number >= 0 ? BusDescriptor(adopting: number) : nil
  }
}

/// What a call addresses: a connection, its object, and a method of one of the object's interfaces.
package struct BusTarget: Sendable, Hashable {
  /// Who is to answer, by its unique or a well-known name.
  package var destination: BusName
  /// The object.
  package var path: ObjectPath
  /// The interface of the object.
  package var interface: InterfaceName
  /// The method of the interface.
  package var member: MemberName

  /// A method of somebody's object.
  package init(_ destination: BusName, _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
  }

  /// A method of the bus itself.
  static func bus(_ member: MemberName) -> BusTarget {
    BusTarget(.bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", member)
  }
}

/// An open file that came with a message. It is closed when the last reference to this object goes.
///
/// Its only use is to be held: logind, for example, delays the machine's sleep as long as such a file is open.
package final class BusDescriptor: Sendable {
  private let number: Int32

  /// Takes over an open file.
  init(adopting number: Int32) { self.number = number }

  deinit { Glibc.close(number) }
}

/// How much a connection accepts from others before it refuses.
package struct BusLimits: Sendable, Hashable {
  /// The memory that the values of one message may take, in bytes. A call beyond it is answered `LimitsExceeded` and not read.
  package var valueBytes = WireBudget.standardLimit
  /// When this many bytes of received messages wait to be processed, no more is read from the socket until there are
  /// fewer. A single message may exceed it.
  package var receivedBytes = 4 << 20
  /// The bytes that may wait to be sent because the bus doesn't read. Beyond it the connection ends. Dropping single signals
  /// instead would leave their listeners with a wrong state; after connecting again, everything is announced anew.
  package var outgoingBytes = 32 << 20
  /// How many calls may wait for handlers that answer later. Any further one is answered `LimitsExceeded`.
  package var callsInProgress = 1_024
  /// How many messages are processed in one turn of the loop, so that timers and other descriptors get their turn.
  package var messagesPerTurn = 16

  /// The standard limits.
  package init() {}
}

/// Why a connection ended without a call to `close`.
package enum BusLoss: Sendable, Hashable {
  /// The bus went away, or closed the connection.
  case disconnected
  /// The bus did not read, and this many bytes were waiting to be sent.
  case congested(bytes: Int)
}
