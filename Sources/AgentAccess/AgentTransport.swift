// SPDX-License-Identifier: MIT
package import AgentLoop
package import BusIO
package import BusModel
package import CommandModel
package import FaceModel

/// How calls reach an agent, and how its signals come back: over the session bus, or inside one process.
///
/// It may only be used on the loop.
@AgentLoop
package protocol AgentTransport: AnyObject, Sendable {
  /// Whether the way still stands. One that has broken does not come back.
  var isOpen: Bool { get }

  /// Calls a method of the agent. Throws the agent's error, or says why it was not reached.
  func call(_ call: AgentCall, timeout: Duration) async throws(BusError) -> [WireValue]

  /// Has an agent started if none runs, and waits until it does.
  func startAgent() async throws(CommandError)

  /// Calls the handler for each signal of the agent, until the returned value is released.
  func listen(_ handler: @escaping @AgentLoop (BusSignal) -> Void) async throws(BusError)
    -> any AgentSubscription

  /// Calls the handler each time an agent comes or goes, until the returned value is released.
  func presence(_ handler: @escaping @AgentLoop (AgentPresence) -> Void) async throws(BusError)
    -> any AgentSubscription
}

/// Whether there is an agent.
package enum AgentPresence: Sendable, Hashable {
  /// An agent is there now.
  case came
  /// The agent has ended. Another may come.
  case went
  /// The way to agents is gone, and no other will come.
  case never
}

/// The way over the session bus. The bus starts the agent if it knows how.
@AgentLoop
package final class BusTransport: AgentTransport {
  private let connection: BusConnection

  package init(_ connection: BusConnection) { self.connection = connection }

  /// Connects to a bus, and starts nothing.
  package static func open(_ endpoint: BusEndpoint = .session) async throws(CommandError) -> BusTransport {
    do throws(BusError) { return BusTransport(try await BusConnection.open(endpoint)) } catch {
      throw CommandError(
        .unavailable, "session bus", error.message, "run it in a desktop session, or below 'dbus-run-session'"
      )
    }
  }

  package var isOpen: Bool { connection.isOpen }

  /// Whether an agent runs.
  func isAgentThere() async throws(BusError) -> Bool {
    try await connection.owner(of: AgentDescriptions.busName) != nil
  }

  package func call(_ call: AgentCall, timeout: Duration) async throws(BusError) -> [WireValue] {
    let target = BusTarget(AgentDescriptions.busName, AgentDescriptions.path, call.interface, call.member)
    return try await connection.call(target, call.arguments, timeout: timeout)
  }

  package func startAgent() async throws(CommandError) {
    do throws(BusError) {
      // A running agent is used even if the bus doesn't know how to start one.
      if try await isAgentThere() { return }
      try await connection.start(AgentDescriptions.busName)
    } catch {
      let isUnknown = error.name == .serviceUnknown
      let reason =
        "it isn't running, and the session bus \(isUnknown ? "does not know how to" : "could not") start it"
      throw CommandError(
        .unavailable, "agent", "\(reason) (\(error.message))",
        isUnknown ? "start it with 'fermata agent &'" : "'fermata agent' says why it does not start")
    }
  }

  package func listen(
    _ handler: @escaping @AgentLoop (BusSignal) -> Void
  ) async throws(BusError) -> any AgentSubscription {
    let rule = MatchRule(sender: AgentDescriptions.busName, path: AgentDescriptions.path)
    return try await connection.subscribe(rule, handler)
  }

  package func presence(
    _ handler: @escaping @AgentLoop (AgentPresence) -> Void
  ) async throws(BusError) -> any AgentSubscription {
    connection.onLoss = { _ in handler(.never) }
    return try await connection.nameOwnerChanges(of: AgentDescriptions.busName) { change in
      handler(change.newOwner == nil ? .went : .came)
    }
  }
}

extension BusError {
  /// Whether the call did not reach an agent: nobody has its name, and the bus could not start one.
  var saysNotRunning: Bool {
    name == .serviceUnknown || name == .nameHasNoOwner
      || name.text.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
  }
}

/// Something that is told until it is cancelled or released.
@AgentLoop
package protocol AgentSubscription: AnyObject, Sendable {
  /// Ends it: the handler is not called any more.
  func cancel()
}

extension BusSubscription: AgentSubscription {}
