// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FaceModel
import FermataTestKit
import PlaybackLogic

/// A program on the bus that orders and asks the agent by its own interfaces, much faster than a command line could.
@AgentLoop
final class AgentCaller {
  private let connection: BusConnection
  private var subscription: BusSubscription?
  /// Whose the agent's name is.
  private(set) var owner: BusName?
  private let waiter = LoopWaiter()

  private init(_ connection: BusConnection) { self.connection = connection }

  /// Connects to a bus. Not on the loop, which may not run before.
  nonisolated static func connected(to bus: PrivateBus) async throws -> AgentCaller {
    let address = bus.address
    return try await onLoop { @AgentLoop in
      let caller = AgentCaller(try await BusConnection.open(.address(address), timeout: .patience))
      try await caller.listen()
      return caller
    }
  }

  private func listen() async throws {
    subscription = try await connection.nameOwnerChanges(of: AgentDescriptions.busName) {
      [weak self] change in
      self?.owner = change.newOwner
      self?.waiter.look()
    }
    // An agent that was faster than this has told of itself already.
    let present = try await connection.owner(of: AgentDescriptions.busName)
    if owner == nil { owner = present }
  }

  /// Waits until an agent has the name that is not the one before. By then it shows what it restored.
  func waitUntilThere(after former: BusName? = nil) async throws {
    try await waiter.wait(for: "an agent on the bus") { self.owner != nil && self.owner != former }
  }

  // MARK: Calls

  @discardableResult
  func call(_ call: AgentCall) async throws -> [WireValue] {
    let target = BusTarget(AgentDescriptions.busName, AgentDescriptions.path, call.interface, call.member)
    return try await connection.call(target, call.arguments, timeout: .patience)
  }

  /// Sends a call whose answer is awaited later. Calls that are made after this one reach the agent after it.
  func begin(_ call: AgentCall) -> Task<[WireValue], any Error> {
    AgentLoop.task(throwing: { [self] in try await self.call(call) })
  }

  /// Leaves the bus. What was called and not answered yet fails.
  func leave() { connection.close() }

  /// How long the agent takes to answer that it is there.
  func ping() async throws -> Duration {
    let start = AgentLoop.now
    let target = BusTarget(
      AgentDescriptions.busName, AgentDescriptions.path, "org.freedesktop.DBus.Peer", "Ping")
    _ = try await connection.call(target, timeout: .patience)
    return AgentLoop.now - start
  }

  func status() async throws -> StatusFace {
    guard let status = try await call(.status).first.flatMap({ StatusFace(wire: $0) }) else {
      throw KitError("the status cannot be read")
    }
    return status
  }

  /// All rows; tests keep their queues below a page.
  func entries() async throws -> [EntryID] {
    let page = try QueuePage(reply: try await call(.list(from: 1, count: AgentQueue.largestPage)))
    return page.items.compactMap(\.entry)
  }

  /// Waits until the status is as wanted. Asks again and again; each answer is the pause in between.
  func wait(
    for words: String, within patience: Duration = .patience,
    until isWanted: @Sendable (StatusFace) -> Bool
  ) async throws {
    let deadline = Deadline.after(patience)
    while true {
      let status = try await status()
      if isWanted(status) { return }
      if deadline.hasPassed { throw KitError("the agent does not become \(words); it is \(status)") }
    }
  }
}
