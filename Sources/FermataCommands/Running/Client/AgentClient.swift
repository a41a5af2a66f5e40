// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import CommandModel
import FaceModel
import PlaybackLogic
import TerminalIO

/// The agent, as one command of the command line uses it: it sends questions and orders over the session bus, and
/// turns failures into errors of the command line.
///
/// It may only be used on the loop. It holds the bus connection. `open` starts the agent if it isn't running.
@AgentLoop
final class AgentClient {
  /// The timeout of a call with sources or a file. The agent reads the folders before it answers.
  static let patience = Duration.seconds(600)

  let connection: BusConnection
  private let command: String

  private init(_ connection: BusConnection, _ command: String) {
    self.connection = connection
    self.command = command
  }

  /// Connects, and starts the agent if it isn't running. `command` is the name that errors are about.
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

  /// Connects only if an agent is running; nil if none is, or if the bus can't be asked. Never starts one.
  static func ofRunning(for command: String) async -> AgentClient? {
    guard let connection = try? await BusConnection.open(.session),
      let owner = try? await connection.owner(of: AgentDescriptions.busName), !owner.text.isEmpty
    else { return nil }
    return AgentClient(connection, command)
  }

  private func startAgent() async throws(CommandError) {
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

  /// Asks for an edit of the queue and waits until it is made. If the queue can't be stored, so that the edit would
  /// be lost when the agent ends, it says so on standard error.
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

  /// The agent's whole current status.
  func status() async throws(CommandError) -> StatusFace {
    let reply = try await call(.status)
    guard let status = reply.first.flatMap({ StatusFace(wire: $0) }) else { throw unreadable }
    return status
  }

  /// Reads rows of the queue, from `row` on: at most `count`, and at most as many as fit into one answer.
  func page(from row: Int, count: Int = AgentQueue.largestPage) async throws(CommandError) -> QueuePage {
    let reply = try await call(.list(from: row, count: count))
    guard let page = try? QueuePage(reply: reply),
      page.items.count <= count, page.items.allSatisfy({ $0.entry != nil })
    else { throw unreadable }
    return page
  }

  /// Calls `handler` for all news from the agent. It ends when the returned subscription is released.
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

  /// Calls `handler` when the agent or the bus ends. It ends when the returned subscription is released.
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
  /// Why the agent's queue is not stored; nil if it is stored or the agent does not say.
  @AgentLoop
  func notStored() async -> String? {
    let call = AgentCall.notStored
    let target = BusTarget(AgentDescriptions.busName, AgentDescriptions.path, call.interface, call.member)
    let reply = try? await self.call(target, call.arguments)
    guard case .variant(.string(let reason))? = reply?.first, !reason.isEmpty else { return nil }
    return reason
  }
}
