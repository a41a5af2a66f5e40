// SPDX-License-Identifier: MIT
import AgentLoop
package import BusModel

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
