// SPDX-License-Identifier: MIT
import AgentLoop
import CommandModel
import Glibc
import Synchronization
import TerminalIO

/// The whole program: parses its words, runs the command, and ends the process with an exit status that scripts may
/// rely on.
///
/// Call it on the main thread, before any other thread exists.
package func runFermata(_ words: [String]) -> Never {
  Terminal.holdStandardStreams()
  Terminal.ignoreBrokenPipes()
  do throws(CommandError) {
    exit(try run(words).rawValue)
  } catch {
    exit(ErrorPrinter(words: words).print(error, output: .output, errors: .errors).rawValue)
  }
}

private func run(_ words: [String]) throws(CommandError) -> ExitCode {
  let invocation: Invocation
  do throws(CommandError) { invocation = try CommandParser(FermataProgram.definition).parse(words) } catch {
    throw sourceHint(words) ?? error
  }
  switch invocation {
  case .run(let command, let path): return try command.run(as: path.words.joined(separator: " "))
  case .help(let path): return try HelpCommand.show(path)
  }
}

/// The error for a command line that names a file or folder instead of a command: `fermata song.mp3`. Nil if there
/// is no such file.
private func sourceHint(_ words: [String]) -> CommandError? {
  guard let word = words.first, FermataProgram.definition.subcommand(named: word) == nil,
    NamedSources.isThere(word)
  else { return nil }
  return CommandError(
    .usage, "'\(word)'", "no such command, but there is a file or folder of that name",
    "did you mean 'fermata play \(ShellWord.quoted(word))'?")
}

/// Connects to the agent, which is started if it isn't running, and runs `body` on a loop until it is done. `name` is
/// the command that errors are about. Blocks; on the main thread only, and once.
func withAgent(
  _ name: String, _ body: @escaping @AgentLoop (AgentClient) async throws(CommandError) -> Void
) throws(CommandError) -> ExitCode {
  try onLoop { () throws(CommandError) in
    try await body(AgentClient.open(for: name))
    return .done
  }
}

/// Runs a loop until `body` is done on it. Blocks; on the main thread only, and once.
func onLoop(
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
