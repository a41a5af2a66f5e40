// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
import BusIO
package import CommandModel
import FaceModel
import Glibc
import TerminalIO

/// `fermata agent`.
package struct AgentCommand: Command {
  /// Whether to end quietly if an agent already runs.
  package let unlessRunning: Bool
  /// Whether the agent's log also says what each of its decisions was made from.
  package let verbose: Bool
  /// Whether to play nothing, and only pause other players whose device is gone.
  package let guardOnly: Bool

  private static let unlessRunning = OptionDefinition(
    "unless-running", summary: "End without an error where an agent runs already")
  private static let verbose = OptionDefinition(
    "verbose", summary: "Log also what decisions were made from")
  private static let guardOnly = OptionDefinition(
    "guard-only", summary: "Play nothing, only pause other players that lose their device")

  static let definition = CommandDefinition(
    "agent", summary: "Run the agent in the foreground",
    discussion: [
      "Where fermata is installed, other commands start it by themselves. SIGTERM ends it in order.",
      """
      One agent is the session's, and commands and media keys go to it. A second one needs a folder of its own for its \
      state (XDG_STATE_HOME), and is a player beside it.
      """,
      """
      Any agent also pauses other players when the headphones that they play on are gone; the settings `guard` and `guard-except` \
      say whether and whom. With `--guard-only` it does nothing else: it has no queue and no sound, takes no orders, and is not seen \
      as a player.
      """,
      "Its log is standard error: one line for each decision. Started by systemd, that is `journalctl --user -u fermata`.",
    ], options: [unlessRunning, verbose, guardOnly], read: Self.init)

  init(_ parsed: ParsedCommand) {
    unlessRunning = parsed.has(Self.unlessRunning)
    verbose = parsed.has(Self.verbose)
    guardOnly = parsed.has(Self.guardOnly)
  }

  /// Becomes the program `fermata-agent`, because this program is not linked with the libraries that the agent needs.
  package func run(as _: String) throws(CommandError) -> ExitCode { throw SoundProgram.exec() }
}

/// `fermata quit`.
struct QuitCommand: Command {
  /// How long to wait for the agent's end. It ends by itself within five seconds, even if a part of it hangs.
  private static let patience = Duration.seconds(8)

  static let definition = CommandDefinition(
    "quit", summary: "End the agent",
    discussion: [
      """
      The queue and the place in the track are kept. Where fermata is installed, the next command starts the agent again, paused \
      unless the setting `play-on-start` says otherwise. Where none runs, none is started for this.
      """
    ], read: { _ in QuitCommand() })

  func run(as name: String) throws(CommandError) -> ExitCode {
    try onLoop { () throws(CommandError) in
      guard let agent = try await AgentClient.openIfRunning(for: name, warn: Printer.complain) else {
        Printer.say("No agent runs.\n")
        return .done
      }
      let hasEnded = Promise<Bool>()
      let loss = try await agent.loss { _ in hasEnded.keep(true) }
      defer { loss.cancel() }
      let isStored = (try? await agent.status())?.isStored ?? true
      try await agent.quit()
      AgentLoop.after(Self.patience) { hasEnded.keep(false) }
      guard await hasEnded.get() else {
        throw CommandError(
          .refused, "agent", "it does not end", "its log says why: 'journalctl --user -u fermata'")
      }
      if isStored { return .done }
      throw CommandError(
        .cannotWrite, "agent", "it has ended, and what changed since its state could be stored may be lost",
        "'fermata doctor' says why it can't be stored")
    }
  }
}
