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
  package static let patience = Duration.seconds(600)

  package let transport: any AgentTransport
  /// The command that errors name.
  package let command: String
  let warn: Warning

  /// Takes what a person should know though the order was done.
  package typealias Warning = @AgentLoop (String) -> Void

  /// A client of whatever answers there. `command` is the command that errors name.
  package init(_ transport: any AgentTransport, for command: String, warn: @escaping Warning) {
    self.transport = transport
    self.command = command
    self.warn = warn
  }

  /// A client on a connection to the bus.
  package convenience init(_ connection: BusConnection, for command: String, warn: @escaping Warning) {
    self.init(BusTransport(connection), for: command, warn: warn)
  }

  /// Connects. The first call starts the agent if it isn't running.
  package static func open(for command: String, warn: @escaping Warning) async throws(CommandError)
    -> AgentClient
  {
    AgentClient(try await BusTransport.open(), for: command, warn: warn)
  }

  /// Connects if the agent is running; nil if it isn't. Never starts one.
  package static func openIfRunning(
    for command: String, warn: @escaping Warning
  ) async throws(CommandError) -> AgentClient? {
    let transport = try await BusTransport.open()
    do throws(BusError) {
      return try await transport.isAgentThere() ? AgentClient(transport, for: command, warn: warn) : nil
    } catch {
      throw CommandError(error, of: command)
    }
  }

  /// Calls the agent, which the bus starts if it isn't running.
  @discardableResult
  package func call(
    _ call: AgentCall, timeout: Duration = BusConnection.standardTimeout
  ) async throws(CommandError) -> [WireValue] {
    do throws(BusError) { return try await transport.call(call, timeout: timeout) } catch {
      guard error.saysNotRunning else { throw CommandError(error, of: command) }
    }
    // The bus starts what it is asked for if it can, so a running agent is not looked for first. Only where that failed, this says why,
    // or finds an agent that has come meanwhile.
    try await transport.startAgent()
    do throws(BusError) { return try await transport.call(call, timeout: timeout) } catch {
      throw CommandError(error, of: command)
    }
  }

  package var unreadable: CommandError {
    CommandError(
      .unavailable, "agent", "its answer cannot be read: it is of another version",
      Self.howToReplace)
  }

  /// What to do where nothing starts the agent by itself. It outlives the terminal, and writes nothing there.
  nonisolated static let howToStart = "start it with 'setsid -f fermata agent >/dev/null 2>&1'"
  /// What to do where the agent is older than this program.
  nonisolated static let howToReplace = "end it with 'fermata quit', and say it again"

  /// Whether an agent runs. Starts none.
  package func isAgentThere() async throws(CommandError) -> Bool {
    do throws(BusError) { return try await transport.isAgentThere() } catch {
      throw CommandError(error, of: command)
    }
  }

  /// Has an agent started if none runs, and waits until it does.
  package func start() async throws(CommandError) { try await transport.startAgent() }

  // MARK: News

  /// Calls `handler` for all news from the agent, which is started if it isn't running, until the returned value is released.
  package func news(_ handler: @escaping @AgentLoop ([AgentNews]) -> Void) async throws(CommandError)
    -> any AgentSubscription
  {
    try await transport.startAgent()
    return try await newsWithoutStart(handler)
  }

  /// Calls `handler` for all news from whichever agent runs, now or later, until the returned value is released.
  package func newsWithoutStart(
    _ handler: @escaping @AgentLoop ([AgentNews]) -> Void
  ) async throws(CommandError) -> any AgentSubscription {
    do throws(BusError) {
      return try await transport.listen { signal in
        let news = AgentNews.news(signal.interface, signal.member, signal.arguments)
        if !news.isEmpty { handler(news) }
      }
    } catch {
      throw CommandError(error, of: command)
    }
  }

  /// Calls `handler` each time an agent comes or goes, and when there will be none any more. The returned value has to be kept, or
  /// only the last is noticed.
  package func presence(
    _ handler: @escaping @AgentLoop (AgentPresence) -> Void
  ) async throws(CommandError) -> any AgentSubscription {
    do throws(BusError) { return try await transport.presence(handler) } catch {
      throw CommandError(error, of: command)
    }
  }

  /// Calls `handler` when the agent or the bus ends. The returned value has to be kept, or the end of the agent
  /// is not noticed; the end of the bus is noticed without it.
  package func loss(_ handler: @escaping @AgentLoop (CommandError) -> Void) async throws(CommandError)
    -> any AgentSubscription
  {
    let gone = CommandError(.unavailable, "agent", "it has ended", "any other command starts it again")
    return try await presence { presence in
      switch presence {
      case .came: break
      case .went: handler(gone)
      case .never: handler(CommandError(.unavailable, "session bus", "it has ended"))
      }
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
        AgentClient.howToReplace)
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
