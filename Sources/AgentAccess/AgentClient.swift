// SPDX-License-Identifier: MIT
package import AgentLoop
package import BusIO
package import BusModel
package import CommandModel
package import FaceModel
import PlaybackLogic

/// The agent, from the side of one command of the command line: sends questions and orders over the session bus, and turns failures into errors of
/// the command line. The rest of the program need not know the form of calls and answers.
///
/// It may only be used on the loop. It holds the bus connection.
@AgentLoop
package final class AgentClient {
  /// How long to wait for the answer to a call that names sources or a file: the agent reads the folders and files before it answers.
  package static let patience = Duration.seconds(600)

  package let transport: any AgentTransport
  /// The command that a user typed, and that error messages name.
  package let command: String
  /// Nil where nobody wants to know.
  let warn: Warning?
  /// Whether a call starts an agent where none runs.
  private let mayStart: Bool

  /// Called with a problem that a person should know although the order was carried out.
  package typealias Warning = @AgentLoop (String) -> Void

  /// A client of the player at the other end of `transport`. `command` is the command that errors name.
  package init(
    _ transport: any AgentTransport, for command: String, mayStart: Bool = true, warn: Warning? = nil
  ) {
    self.transport = transport
    self.command = command
    self.mayStart = mayStart
    self.warn = warn
  }

  /// The same client, but its calls start no agent. For what is asked because an agent has told something: it may have ended on purpose since then.
  package var withoutStart: AgentClient {
    AgentClient(transport, for: command, mayStart: false, warn: warn)
  }

  /// A client of the agent, over this connection to the bus.
  package convenience init(_ connection: BusConnection, for command: String, warn: @escaping Warning) {
    self.init(BusTransport(connection), for: command, warn: warn)
  }

  /// Connects to the session bus. This does not start the agent; the first order or question to it does.
  package static func open(for command: String, warn: @escaping Warning) async throws(CommandError)
    -> AgentClient
  {
    AgentClient(try await BusTransport.open(), for: command, warn: warn)
  }

  /// Connects to the session bus if the agent is running; nil if it isn't. Never starts one.
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

  /// Calls a method of the agent and returns its answer. The bus starts the agent if it isn't running.
  @discardableResult
  package func call(
    _ call: AgentCall, timeout: Duration = BusConnection.standardTimeout
  ) async throws(CommandError) -> [WireValue] {
    do throws(BusError) {
      return try await transport.call(call, timeout: timeout, mayStart: mayStart)
    } catch {
      guard mayStart, error.saysNotRunning else { throw failure(error) }
    }
    // The bus starts the agent for a call if it can, so whether one runs is not checked first. Only after a failure, `startAgent` throws the reason,
    // or succeeds because an agent has come meanwhile.
    try await transport.startAgent()
    do throws(BusError) { return try await transport.call(call, timeout: timeout, mayStart: true) } catch {
      throw failure(error)
    }
  }

  /// The error for an answer. What it says besides, such as of the edit that was made all the same, is warned of.
  private func failure(_ error: BusError) -> CommandError {
    let (plain, notes) = error.withoutNotes
    if let warn { notes.forEach(warn) }
    return CommandError(plain, of: command)
  }

  package var unreadable: CommandError {
    CommandError(
      .unavailable, "agent", "its answer cannot be read: it is of another version",
      Self.howToReplace)
  }

  /// Advice for a session in which nothing starts the agent by itself. The agent then outlives the terminal, and writes nothing there.
  nonisolated static let howToStart = "start it with 'setsid -f fermata agent >/dev/null 2>&1'"
  /// Advice for an agent that is older than this program.
  nonisolated static let howToReplace = "run 'fermata quit', then repeat the command"

  /// Whether an agent runs. Starts none.
  package func isAgentThere() async throws(CommandError) -> Bool {
    do throws(BusError) { return try await transport.isAgentThere() } catch {
      throw CommandError(error, of: command)
    }
  }

  /// Starts an agent if none runs, and waits until it has started.
  package func start() async throws(CommandError) { try await transport.startAgent() }

  // MARK: News

  /// Calls `handler` for each of the agent's news until the returned value is released. Starts the agent if it isn't running.
  package func news(_ handler: @escaping @AgentLoop ([AgentNews]) -> Void) async throws(CommandError)
    -> any AgentSubscription
  {
    try await transport.startAgent()
    return try await newsWithoutStart(handler)
  }

  /// Calls `handler` for all news from any agent that runs, now or later, until the returned value is released. Starts none.
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

  /// Calls `handler` each time an agent starts or ends from now on, and when the connection to the bus is lost. Once the returned value is
  /// released, it is called for the loss of the bus only.
  package func presence(
    _ handler: @escaping @AgentLoop (AgentPresence) -> Void
  ) async throws(CommandError) -> any AgentSubscription {
    do throws(BusError) { return try await transport.presence(handler) } catch {
      throw CommandError(error, of: command)
    }
  }

  /// Calls `handler` when the agent ends or the connection to the bus is lost. Once the returned value is released, only the loss of the bus is told.
  package func loss(_ handler: @escaping @AgentLoop (CommandError) -> Void) async throws(CommandError)
    -> any AgentSubscription
  {
    let gone = CommandError(.unavailable, "agent", "it has ended", "'fermata play' starts it again")
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
  /// An error for the agent's or the bus's answer to a command.
  fileprivate init(_ error: BusError, of command: String) {
    if let refusal = AgentError(error.name) {
      let isKnown = refusal == .refused || refusal == .noSuchItem
      let known = isKnown ? Refusal(rawValue: error.message) : nil
      self.init(ExitCode(refusal), command, error.message, known?.remedy ?? "")
      isOfMissingItem = refusal == .noSuchItem
      return
    }
    switch error.name {
    case _ where error.saysTooManyCalls: self.init(.tryAgain, command, error.message)
    // The bus gives up on an agent that does not come up after longer than most calls wait.
    case .noReply, .timedOut:
      self.init(.unavailable, "agent", error.message, "'fermata doctor' says whether it is halted")
    case .serviceUnknown, .nameHasNoOwner, .noServer, .disconnected,
      _ where error.isOfSystemd:
      self.init(.unavailable, "agent", error.message, "see whether 'fermata agent' says why")
    case .unknownObject, .unknownInterface, .unknownMethod, .unknownProperty:
      self.init(
        .unavailable, "agent", "it is of another version (\(error.message))",
        AgentClient.howToReplace)
    // Words that only the agent can judge, such as a time that no track has.
    case .invalidArgs: self.init(.usage, command, error.message)
    default: self.init(.refused, command, error.message)
    }
  }
}

extension Refusal {
  /// What a user of the command line can do about the refusal; empty if there is nothing.
  package var remedy: String {
    switch self {
    case .emptyQueue: "fill it with 'fermata play SOURCE…'"
    case .noNext: "'fermata repeat all' has the queue begin again"
    case .nothingCurrent: "'fermata play' begins"
    case .noLength: "name a time, such as 1:30"
    case .missing: "bring it back, or take its row out with 'fermata queue remove'"
    case .noSuchEntry: "'fermata queue' lists the rows"
    case .noOutput: "connect one and turn it on; 'fermata output' lists those that there are"
    case .silencedMeanwhile: "'fermata play' plays"
    case .overtaken: ""
    }
  }
}

extension ExitCode {
  package init(_ error: AgentError) {
    self =
      switch error {
      case .refused, .noSuchItem: .refused
      case .nothingPlayable: .nothingPlayable
      case .noSuchFile: .noSuchFile
      case .noServer: .unavailable
      case .cannotWrite: .cannotWrite
      case .tryAgain: .tryAgain
      case .badSettings: .badSettings
      }
  }
}
