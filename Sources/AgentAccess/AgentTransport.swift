// SPDX-License-Identifier: MIT
package import AgentLoop
package import BusIO
package import BusModel
package import CommandModel
package import FaceModel

/// A connection to an agent. It carries a client's calls to the agent, and the agent's signals to the client.
///
/// `AgentClient` uses it, and does not know whether it leads over the session bus. Only the loop may use it.
@AgentLoop
package protocol AgentTransport: AnyObject, Sendable {
  /// Whether calls can be made. A connection that was lost stays lost: the client opens another.
  var isOpen: Bool { get }
  /// Whether the other side is the session's agent. Commands of the command line go to that one, so only then does a remedy that names a command help.
  var isOfSession: Bool { get }

  /// Calls a method of the agent. Throws the agent's error, or says why it was not reached. If none runs, one is started only with `mayStart`.
  func call(_ call: AgentCall, timeout: Duration, mayStart: Bool) async throws(BusError) -> [WireValue]

  /// Whether an agent runs. Starts none.
  func isAgentThere() async throws(BusError) -> Bool

  /// Starts an agent if none runs, and waits until it has started.
  func startAgent() async throws(CommandError)

  /// Calls the handler for each signal of the agent, until the returned value is released.
  func listen(_ handler: @escaping @AgentLoop (BusSignal) -> Void) async throws(BusError)
    -> any AgentSubscription

  /// Calls the handler each time an agent comes or goes, until the returned value is released; and when the bus is lost, even after that. A second call
  /// takes that last report from the handler of the first.
  func presence(_ handler: @escaping @AgentLoop (AgentPresence) -> Void) async throws(BusError)
    -> any AgentSubscription
}

/// What a client is told when an agent starts or ends.
package enum AgentPresence: Sendable, Hashable {
  /// An agent has started.
  case came
  /// The agent has ended. Another may start.
  case went
  /// The connection to the bus is lost, so no other agent will be seen over it.
  case never
}

/// A connection over the session bus. The bus starts the agent if it knows how.
@AgentLoop
package final class BusTransport: AgentTransport {
  private let connection: BusConnection

  package init(_ connection: BusConnection) { self.connection = connection }

  /// Connects to a bus. This does not start the agent.
  package static func open(_ endpoint: BusEndpoint = .session) async throws(CommandError) -> BusTransport {
    do throws(BusError) { return BusTransport(try await BusConnection.open(endpoint)) } catch {
      throw CommandError(
        .unavailable, "session bus", error.message, "run it in a desktop session, or below 'dbus-run-session'"
      )
    }
  }

  package var isOpen: Bool { connection.isOpen }
  package var isOfSession: Bool { true }

  package func isAgentThere() async throws(BusError) -> Bool {
    try await connection.owner(of: AgentDescriptions.busName) != nil
  }

  package func call(
    _ call: AgentCall, timeout: Duration, mayStart: Bool
  ) async throws(BusError) -> [WireValue] {
    let target = BusTarget(AgentDescriptions.busName, AgentDescriptions.path, call.interface, call.member)
    return try await connection.call(target, call.arguments, timeout: timeout, mayStart: mayStart)
  }

  package func startAgent() async throws(CommandError) {
    do throws(BusError) {
      // A running agent is used even if the bus doesn't know how to start one.
      if try await isAgentThere() { return }
      try await connection.start(AgentDescriptions.busName)
    } catch {
      let isUnknown = error.name == .serviceUnknown
      let advice =
        error.isOfSystemd
        ? "'systemctl --user status fermata' says why" : "'fermata agent' says why it does not start"
      let reason =
        "it isn't running, and the session bus \(isUnknown ? "does not know how to" : "could not") start it"
      throw CommandError(
        .unavailable, "agent", "\(reason) (\(error.message))",
        isUnknown ? AgentClient.howToStart : advice)
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
  /// Whether a call failed because no agent runs and the bus could not start one.
  var saysNotRunning: Bool {
    name == .serviceUnknown || name == .nameHasNoOwner || isOfSystemd
      || name.text.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
  }

  /// Whether systemd refused to start the agent when the bus asked it to, for example because the agent's unit is masked.
  var isOfSystemd: Bool { name.text.hasPrefix("org.freedesktop.systemd1.") }
}

/// A subscription of a handler. It ends when this is cancelled or released.
@AgentLoop
package protocol AgentSubscription: AnyObject, Sendable {
  /// Ends the subscription: the handler is not called any more.
  func cancel()
}

extension BusSubscription: AgentSubscription {}
