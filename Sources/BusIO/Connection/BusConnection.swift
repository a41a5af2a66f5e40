// SPDX-License-Identifier: MIT
package import AgentLoop
package import BusModel

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
