// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import PlaybackLogic
import ProcessIO

/// Finds out which program is behind a caller's name on the bus. This matters because the session manager pauses players by itself, whereas every
/// other program acts for a person.
@AgentLoop
final class SenderDirectory {
  private let connection: BusConnection
  private let note: @AgentLoop (@autoclosure () -> String?) -> Void
  private var known: [BusName: Sender] = [:]

  /// How many senders are remembered; usually there are few. The bus never reuses the name of a connection, so what is remembered of it stays right.
  private static let most = 256

  /// Begins with no known callers. `note` gets a line for the log about each program that is looked up.
  init(_ connection: BusConnection, note: @escaping @AgentLoop (@autoclosure () -> String?) -> Void) {
    self.connection = connection
    self.note = note
  }

  /// Who is behind the name, if that was found out; nil if it was not looked up, or has left.
  func known(_ name: BusName) -> Sender? { known[name] }

  /// Finds out which program is behind the name, by asking the bus for its process.
  func lookUp(_ name: BusName) async {
    guard let process = try? await connection.processID(of: name) else { return }
    let (program, arguments) = Int32(exactly: process).map(ProcessTable.command) ?? ("", [])
    let sender = Sender(program: program, arguments: arguments)
    note("bus: \(name) is '\(program)', process \(process): \(sender)")
    if known.count >= Self.most { known = [:] }
    known[name] = sender
  }

}

/// Watches whether the caller of an order leaves the bus before the order is carried out.
///
/// Most orders take less time than a question to the bus, so the bus is asked only after `patience`. Loop only; `end` ends it.
@AgentLoop
final class CallerWatch {
  private static let patience = Duration.milliseconds(50)

  private let caller: BusName
  private let host: any ObjectHost
  private var gone: (@AgentLoop () -> Void)?
  private var timer: LoopTimer?
  private var watch: (any AnyObject & Sendable)?

  /// Calls `gone`, once at most, when the caller has left; never after `end`.
  init(_ caller: BusName, of host: any ObjectHost, gone: @escaping @AgentLoop () -> Void) {
    self.caller = caller
    self.host = host
    self.gone = gone
    timer = AgentLoop.after(Self.patience) { [weak self] in self?.begin() }
  }

  /// Call this when the order has been carried out or has failed.
  func end() {
    timer?.cancel()
    gone = nil
    watch = nil
  }

  /// Carries out an order that takes a while. If the caller leaves the bus before its end, the job is cancelled and `left` is called, and the order
  /// has to keep nothing: somebody who interrupts a command does not want its effect any more. A caller that waits for no answer interrupts nothing.
  static func untilLeft<Result>(
    _ call: MethodCall, of host: any ObjectHost, left: @escaping @AgentLoop () -> Void = {},
    _ order: (BlockingJob) async throws -> Result
  ) async throws -> Result {
    let job = BlockingJob()
    guard call.isReplyWanted else { return try await order(job) }
    let watch = CallerWatch(call.sender, of: host) {
      left()
      job.cancel()
    }
    defer { watch.end() }
    return try await order(job)
  }

  private func begin() {
    AgentLoop.task { [weak self, caller, host] in
      let watch = await host.watch(caller) { self?.left() }
      self?.keep(watch)
    }
  }

  private func keep(_ watch: (any AnyObject & Sendable)?) { if gone != nil { self.watch = watch } }

  private func left() {
    gone?()
    gone = nil
  }
}
