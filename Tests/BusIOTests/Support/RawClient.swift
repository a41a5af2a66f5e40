// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import CDBus
import FermataTestKit

@testable import BusIO

/// A client that sends what it likes and remembers every answer.
@AgentLoop
final class RawClient {
  private let link: BusLink
  private var waiting: (serial: UInt32, done: UnsafeContinuation<Void, Never>)?
  /// The numbers of the calls that were answered, but for the greeting.
  private(set) var answers: [UInt32] = []
  /// Those of them that failed.
  private(set) var errors: [UInt32] = []
  /// What the last of these said.
  private(set) var lastError: BusError?

  init(_ bus: PrivateBus) async throws {
    link = try BusLink(address: bus.address, limits: BusLimits())
    link.receive = { [weak self] message in self?.receive(message) }
    let hello = link.send(BusMessage.call(.bus("Hello")))
    await answer(to: hello)
    answers = []
  }

  @discardableResult
  func send(_ message: borrowing BusMessage) -> UInt32 { link.send(message) }

  /// Returns when the answer to a call has come, or the bus has thrown us out.
  func answer(to serial: UInt32) async {
    guard !answers.contains(serial), isWelcome else { return }
    await withUnsafeContinuation { waiting = (serial, $0) }
  }

  /// Whether the bus still speaks with it.
  private(set) var isWelcome = true

  private func remember(_ error: borrowing BusMessage) {
    errors.append(error.replySerial)
    guard let name = error.errorName, let values = try? MessageReader.arguments(of: error, limit: 1 << 20),
      case .string(let text)? = values.first
    else { return }
    lastError = BusError(name, text)
  }

  private func receive(_ message: borrowing BusMessage) {
    if message.saysDisconnected { isWelcome = false }
    if message.kind == .error { remember(message) }
    if message.kind == .reply || message.kind == .error { answers.append(message.replySerial) }
    guard let waiting, !isWelcome || message.replySerial == waiting.serial else { return }
    self.waiting = nil
    waiting.done.resume()
  }
}
