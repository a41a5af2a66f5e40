// SPDX-License-Identifier: MIT
package import AgentLoop
package import BusIO
package import BusModel
package import CommandModel
package import FaceModel
import PlaybackLogic

/// The agent, as one command of the command line uses it: it sends questions and orders over the session bus, and
/// turns failures into errors of the command line. Nothing else here knows what a call or an answer looks like.
///
/// It may only be used on the loop. It holds the bus connection.
@AgentLoop
package final class AgentClient {
  /// The timeout of a call with sources or a file. The agent reads the folders before it answers.
  static let patience = Duration.seconds(600)

  private let connection: BusConnection
  /// The command that errors name.
  package let command: String
  let warn: Warning

  /// Takes what a person should know though the order was done.
  package typealias Warning = @AgentLoop (String) -> Void

  /// A client on a connection. `command` is the command that errors name.
  package init(_ connection: BusConnection, for command: String, warn: @escaping Warning) {
    self.connection = connection
    self.command = command
    self.warn = warn
  }

  /// Connects. The first call starts the agent if it isn't running.
  package static func open(for command: String, warn: @escaping Warning) async throws(CommandError)
    -> AgentClient
  {
    AgentClient(try await sessionBus(), for: command, warn: warn)
  }

  /// Connects if the agent is running; nil if it isn't. Never starts one.
  package static func openIfRunning(
    for command: String, warn: @escaping Warning
  ) async throws(CommandError) -> AgentClient? {
    let connection = try await sessionBus()
    do throws(BusError) {
      return try await connection.owner(of: AgentDescriptions.busName) == nil
        ? nil : AgentClient(connection, for: command, warn: warn)
    } catch {
      throw CommandError(error, of: command)
    }
  }

  private static func sessionBus() async throws(CommandError) -> BusConnection {
    do throws(BusError) { return try await BusConnection.open(.session) } catch {
      throw CommandError(
        .unavailable, "session bus", error.message, "run it in a desktop session, or below 'dbus-run-session'"
      )
    }
  }

  private static func startAgent(_ connection: BusConnection) async throws(CommandError) {
    do throws(BusError) {
      // A running agent is used even if the bus doesn't know how to start one.
      if try await connection.owner(of: AgentDescriptions.busName) != nil { return }
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

  /// Calls the agent, which the bus starts if it isn't running.
  @discardableResult
  package func call(
    _ call: AgentCall, timeout: Duration = BusConnection.standardTimeout
  ) async throws(CommandError) -> [WireValue] {
    let target = BusTarget(
      AgentDescriptions.busName, AgentDescriptions.path, call.interface, call.member)
    do throws(BusError) { return try await connection.call(target, call.arguments, timeout: timeout) } catch {
      guard Self.saysNotRunning(error) else { throw CommandError(error, of: command) }
    }
    // The bus starts what it is asked for if it can, so a running agent is not looked for first. Only where that failed, this says why,
    // or finds an agent that has come meanwhile.
    try await Self.startAgent(connection)
    do throws(BusError) { return try await connection.call(target, call.arguments, timeout: timeout) } catch {
      throw CommandError(error, of: command)
    }
  }

  /// Whether the call did not reach an agent: nobody has its name, and the bus could not start one.
  private static func saysNotRunning(_ error: BusError) -> Bool {
    error.name == .serviceUnknown || error.name == .nameHasNoOwner
      || error.name.text.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
  }

  var unreadable: CommandError {
    CommandError(
      .unavailable, "agent", "its answer cannot be read: it is of another version",
      "end it and start the new one with 'fermata agent &'")
  }

  // MARK: News

  /// Calls `handler` for all news from the agent, which is started if it isn't running, until the returned subscription is cancelled or
  /// released.
  package func news(_ handler: @escaping @AgentLoop ([AgentNews]) -> Void) async throws(CommandError)
    -> BusSubscription
  {
    try await Self.startAgent(connection)
    let rule = MatchRule(sender: AgentDescriptions.busName, path: AgentDescriptions.path)
    do throws(BusError) {
      return try await connection.subscribe(rule) { signal in
        let news = AgentNews.news(signal.interface, signal.member, signal.arguments)
        if !news.isEmpty { handler(news) }
      }
    } catch {
      throw CommandError(error, of: command)
    }
  }

  /// Calls `handler` when the agent or the bus ends. The returned subscription has to be kept, or the end of the agent
  /// is not noticed; the end of the bus is noticed without it.
  package func loss(_ handler: @escaping @AgentLoop (CommandError) -> Void) async throws(CommandError)
    -> BusSubscription
  {
    let gone = CommandError(.unavailable, "agent", "it has ended", "any other command starts it again")
    connection.onLoss = { _ in handler(CommandError(.unavailable, "session bus", "it has ended")) }
    do throws(BusError) {
      return try await connection.nameOwnerChanges(of: AgentDescriptions.busName) { change in
        if change.newOwner == nil { handler(gone) }
      }
    } catch {
      throw CommandError(error, of: command)
    }
  }
}

extension CommandError {
  /// An error for what the agent or the bus answered to a command.
  fileprivate init(_ error: BusError, of command: String) {
    if let refusal = AgentError(error.name) {
      let isEmpty = refusal == .refused && error.message == Refusal.emptyQueue.rawValue
      self.init(
        ExitCode(refusal), command, error.message, isEmpty ? "fill it with 'fermata play SOURCE…'" : "")
      return
    }
    switch error.name {
    case .serviceUnknown, .nameHasNoOwner, .noReply, .noServer, .disconnected:
      self.init(.unavailable, "agent", error.message, "see whether 'fermata agent' says why")
    case .unknownObject, .unknownInterface, .unknownMethod, .unknownProperty:
      self.init(
        .unavailable, "agent", "it is of another version (\(error.message))",
        "end it and start the new one with 'fermata agent &'")
    default: self.init(.refused, command, error.message)
    }
  }
}

extension ExitCode {
  package init(_ error: AgentError) {
    self =
      switch error {
      case .refused: .refused
      case .nothingPlayable: .nothingPlayable
      case .noSuchFile: .noSuchFile
      case .noServer: .unavailable
      case .cannotWrite: .cannotWrite
      case .tryAgain: .tryAgain
      case .badSettings: .badSettings
      }
  }
}
