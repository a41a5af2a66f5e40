// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import CommandModel
import FaceModel
import PlaybackLogic
import TerminalIO

/// The agent as one command sees it: questions and orders over the session bus, and what becomes of them as
/// errors of the command line.
///
/// Lives on the loop. The agent is started where it isn't running.
@AgentLoop
final class AgentClient {
  /// How long a call with sources may take: folders are read before it is answered.
  static let patience = Duration.seconds(600)

  let connection: BusConnection
  private let command: String

  private init(_ connection: BusConnection, _ command: String) {
    self.connection = connection
    self.command = command
  }

  /// Connects and sees to it that there is an agent. `command` is what errors are about.
  static func open(for command: String) async throws(CommandError) -> AgentClient {
    let connection: BusConnection
    do throws(BusError) { connection = try await BusConnection.open(.session) } catch {
      throw CommandError(
        .unavailable, "session bus", error.message, "run it in a desktop session, or below 'dbus-run-session'"
      )
    }
    let client = AgentClient(connection, command)
    try await client.startAgent()
    return client
  }

  /// Connects where there is an agent already; nil where there is none, or nobody knows. Starts nobody.
  static func ofRunning(for command: String) async -> AgentClient? {
    guard let connection = try? await BusConnection.open(.session),
      let owner = try? await connection.owner(of: AgentDescriptions.busName), !owner.text.isEmpty
    else { return nil }
    return AgentClient(connection, command)
  }

  private func startAgent() async throws(CommandError) {
    do throws(BusError) {
      // A running agent is found also where nothing could start it.
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

  // MARK: Calls

  /// Calls the agent and waits for its answer.
  @discardableResult
  func call(
    _ call: AgentCall, timeout: Duration = BusConnection.standardTimeout
  ) async throws(CommandError) -> [WireValue] {
    let target = BusTarget(
      AgentDescriptions.busName, AgentDescriptions.path, call.interface, call.member)
    do throws(BusError) { return try await connection.call(target, call.arguments, timeout: timeout) } catch {
      throw CommandError(error, of: command)
    }
  }

  /// Asks for an edit of the queue and waits until it is made. Where that is lost with the agent, says so on standard error.
  @discardableResult
  func edit(
    _ call: AgentCall, timeout: Duration = BusConnection.standardTimeout
  ) async throws(CommandError) -> [WireValue] {
    let reply = try await self.call(call, timeout: timeout)
    if let reason = await connection.notStored() {
      let text = TerminalText.printable(reason)
      _ = try? LineWriter.errors.write(line: "fermata: not stored: \(text)")
    }
    return reply
  }

  /// Everything there is to know of this moment.
  func status() async throws(CommandError) -> StatusFace {
    let reply = try await call(.status)
    guard let status = reply.first.flatMap({ StatusFace(wire: $0) }) else { throw unreadable }
    return status
  }

  /// Some rows of the queue from one on, no more than one answer holds.
  func page(from row: Int, count: Int = AgentQueue.largestPage) async throws(CommandError) -> QueuePage {
    let reply = try await call(.list(from: row, count: count))
    guard let page = try? QueuePage(reply: reply),
      page.items.count <= count, page.items.allSatisfy({ $0.entry != nil })
    else { throw unreadable }
    return page
  }

  /// Calls `handler` for whatever the agent tells from now on, as long as what is returned is kept.
  func news(_ handler: @escaping @AgentLoop ([AgentNews]) -> Void) async throws(CommandError)
    -> BusSubscription
  {
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

  /// Calls `handler` when there is no agent any more, as long as what is returned is kept.
  func loss(_ handler: @escaping @AgentLoop (CommandError) -> Void) async throws(CommandError)
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

  var unreadable: CommandError {
    CommandError(
      .unavailable, "agent", "its answer cannot be read: it is of another version",
      "end it and start the new one with 'fermata agent &'")
  }
}

extension BusConnection {
  /// Why the agent's queue is not stored; nil where it is, and where the agent does not say.
  @AgentLoop
  func notStored() async -> String? {
    let call = AgentCall.notStored
    let target = BusTarget(AgentDescriptions.busName, AgentDescriptions.path, call.interface, call.member)
    let reply = try? await self.call(target, call.arguments)
    guard case .variant(.string(let reason))? = reply?.first, !reason.isEmpty else { return nil }
    return reason
  }
}
