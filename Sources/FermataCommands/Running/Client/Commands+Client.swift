// SPDX-License-Identifier: MIT
import AgentLoop
import CommandModel
import Synchronization

extension Commands {
  /// The part of a command that talks to the agent.
  typealias ClientBody = @AgentLoop (AgentClient) async throws(CommandError) -> ExitCode

  /// Connects to the agent and runs `body` on a loop until it is done. Blocks; on the main thread only, and once.
  static func withAgent(
    _ parsed: ParsedCommand, _ body: @escaping ClientBody
  ) throws(CommandError) -> ExitCode {
    let command = parsed.path.words.joined(separator: " ")
    return try onLoop { () throws(CommandError) in try await body(AgentClient.open(for: command)) }
  }

  /// Runs a loop until `body` is done on it. Blocks; on the main thread only, and once.
  static func onLoop(
    _ body: @escaping @AgentLoop () async throws(CommandError) -> ExitCode
  ) throws(CommandError) -> ExitCode {
    let outcome = Outcome()
    AgentLoop.task {
      do throws(CommandError) {
        outcome.set(.success(try await body()))
      } catch {
        outcome.set(.failure(error))
      }
      AgentLoop.stop(0)
    }
    _ = AgentLoop.run()
    return try outcome.get()
  }

  /// Holds the result until the loop has ended.
  private final class Outcome: Sendable {
    private let result = Mutex<Result<ExitCode, CommandError>>(.success(.done))

    func set(_ new: Result<ExitCode, CommandError>) { result.withLock { $0 = new } }
    func get() throws(CommandError) -> ExitCode { try result.withLock { $0 }.get() }
  }
}
