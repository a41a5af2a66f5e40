// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
package import CommandModel
import FileIO
import Glibc
import MediaModel
import Synchronization
import TerminalIO

/// The whole program: parses its words, runs the command, and ends the process with an exit status that scripts may
/// rely on.
///
/// Call it on the main thread, before any other thread exists.
package func runFermata(_ words: CommandWords) -> Never {
  runProgram(words) { command, name throws(CommandError) in try command.run(as: name) }
}

/// Parses the words and calls `perform` with the command that they name. `name` is the command as it was typed. Ends the process.
///
/// Call it on the main thread, before any other thread exists.
package func runProgram(
  _ words: CommandWords, _ perform: (any Command, _ name: String) throws(CommandError) -> ExitCode
) -> Never {
  Terminal.holdStandardStreams()
  Terminal.ignoreBrokenPipes()
  // If SIGCHLD were ignored, as a launcher may leave it, the system would not report how our child processes end.
  signal(SIGCHLD, SIG_DFL)
  do throws(CommandError) {
    exit(try run(words, perform).rawValue)
  } catch {
    exit(ErrorPrinter(words: words.words).print(error, output: .output, errors: .errors).rawValue)
  }
}

private func run(
  _ given: CommandWords, _ perform: (any Command, String) throws(CommandError) -> ExitCode
) throws(CommandError) -> ExitCode {
  let words = given.words
  // Without words the program opens the screen if the terminal can show one, and otherwise shows its help.
  if words.isEmpty, let screen = UICommand.forTerminal { return try perform(screen, "ui") }
  let invocation: Invocation
  do throws(CommandError) {
    invocation = try CommandParser(FermataProgram.definition, typed: given.typed).parse(words)
  } catch {
    throw CommandHints.source(words) ?? CommandHints.group(words) ?? error
  }
  switch invocation {
  case .run(let command, let path): return try perform(command, path.words.joined(separator: " "))
  case .help(let path): return try HelpCommand.show(path)
  }
}

/// The program that plays sound, `fermata-agent`. It is linked with the sound server's library, the decoders and the database. Loading those takes
/// longer than most other commands need altogether, so this program is not linked with them.
package enum SoundProgram {
  private static let name: FilePath = "fermata-agent"

  /// Replaces this process by that program, with the same words. Returns only if that fails, with the reason.
  static func exec() -> CommandError {
    let places = places
    for place in places {
      place.withCString { _ = execv($0, CommandLine.unsafeArgv) }
      guard errno == ENOENT else {
        return CommandError(.unavailable, place.location, String(errno: errno), "install fermata anew")
      }
    }
    return CommandError(
      .unavailable, name.text,
      "it is not in " + places.compactMap { $0.parent?.location }.joined(separator: " or "),
      "install fermata anew")
  }

  /// The places where that program may be: beside this program after a build, and in `libexec` after an installation.
  private static var places: [FilePath] {
    guard let folder = FilePath.thisProgram?.parent else { return [] }
    let installed = folder.parent.map { $0.entry("libexec").entry("fermata").entry(name) }
    return [folder.entry(name)] + (installed.map { [$0] } ?? [])
  }
}

/// Connects to the agent, which is started if it isn't running, and runs `body` on a loop until it is done. `name` is the command for error messages.
/// Blocks; on the main thread only, and once.
func withAgent(
  _ name: String, _ body: @escaping @AgentLoop (AgentClient) async throws(CommandError) -> Void
) throws(CommandError) -> ExitCode {
  try onLoop { () throws(CommandError) in
    try await body(AgentClient.open(for: name))
    return .done
  }
}

/// Runs a loop until `body` is done on it. Blocks; on the main thread only, and once.
package func onLoop(
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

/// Ends the process by a signal that was blocked for the loop. The shell sees that it was a signal, so Ctrl-C also ends a shell's loop around the
/// program.
package func die(of number: Int32) -> ExitCode {
  signal(number, SIG_DFL)
  raiseUnblocked(number)
  return .refused
}

/// Raises a blocked signal and unblocks it, so that it has its default effect on the process.
package func raiseUnblocked(_ number: Int32) {
  raise(number)
  setBlocked(false, [number])
}

/// Blocks signals, or unblocks them again: those that came in the meantime then have their effect.
package func setBlocked(_ isBlocked: Bool, _ numbers: [Int32]) {
  var signals = sigset_t()
  sigemptyset(&signals)
  for number in numbers { sigaddset(&signals, number) }
  pthread_sigmask(isBlocked ? SIG_BLOCK : SIG_UNBLOCK, &signals, nil)
}

extension AgentClient {
  /// Connects to the agent. Problems that do not fail the command are printed on standard error. The first call on it starts the agent if it isn't
  /// running.
  static func open(for command: String) async throws(CommandError) -> AgentClient {
    try await open(for: command, warn: Printer.complain)
  }
}

/// The result of a loop's work, kept here until the loop has ended.
private final class Outcome: Sendable {
  private let result = Mutex<Result<ExitCode, CommandError>>(.success(.done))

  func set(_ new: Result<ExitCode, CommandError>) { result.withLock { $0 = new } }
  func get() throws(CommandError) -> ExitCode { try result.withLock { $0 }.get() }
}

/// The words of this program's command line. A file name need not be valid UTF-8. A word that is not becomes the `file:` URI of the file that it names,
/// which preserves its bytes.
package struct CommandWords {
  /// The words without the program's name.
  private(set) var words: [String] = []
  /// A path that is not valid UTF-8 becomes a URI in `words`. By that URI: the path as it can be shown, with a replacement character for each wrong byte.
  private(set) var typed: [String: String] = [:]

  /// The words of this process.
  package static func ofThisProcess() -> CommandWords {
    let words = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { UnsafeRawBufferPointer(start: $0, count: strlen($0)) }
    }
    return CommandWords(words, in: FilePath.workingFolder)
  }

  /// The words with these bytes. A relative path starts at `folder`. Of `--option=value` only the value is converted.
  init(_ words: [some Collection<UInt8>], in folder: FilePath?) {
    for word in words { self.words.append(convert(word, in: folder)) }
  }

  private mutating func convert(_ bytes: some Collection<UInt8>, in folder: FilePath?) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    if bytes.starts(with: "--".utf8), let sign = bytes.firstIndex(of: UInt8(ascii: "=")),
      let option = String(validating: bytes[...sign], as: UTF8.self)
    {
      return option + convert(bytes[bytes.index(after: sign)...], in: folder)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let path = FilePath(bytes), let folder = path.isAbsolute ? "/" : folder else { return text }
    let uri = path.resolved(against: folder).uri
    typed[uri] = text
    return uri
  }
}
