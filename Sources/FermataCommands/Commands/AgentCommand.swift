// SPDX-License-Identifier: MIT
import CommandModel
import FermataAgent
import Glibc
import TerminalIO

/// `fermata agent`.
struct AgentCommand: Command {
  /// Whether to end quietly if an agent already runs.
  let unlessRunning: Bool
  /// Whether to also log the evidence for each decision.
  let verbose: Bool

  private static let unlessRunning = OptionDefinition(
    "unless-running", summary: "End quietly where an agent runs already")
  private static let verbose = OptionDefinition(
    "verbose", summary: "Log also what decisions were made from")

  static let definition = CommandDefinition(
    "agent", summary: "Run the agent in the foreground",
    discussion: [
      "Other commands start it by themselves. SIGTERM ends it in order.",
      """
      One agent is the session's, and commands and media keys go to it. A second one needs a folder of its own for its \
      state (XDG_STATE_HOME), and is a player beside it.
      """,
      "Its log is standard error: one line for each decision. Started by systemd, that is `journalctl --user -u fermata`.",
    ], options: [unlessRunning, verbose], read: Self.init)

  init(_ parsed: ParsedCommand) {
    unlessRunning = parsed.has(Self.unlessRunning)
    verbose = parsed.has(Self.verbose)
  }

  func run(as _: String) -> ExitCode {
    let log = Log(isVerbose: verbose)
    if !unlessRunning, Terminal.isBackground(of: STDERR_FILENO) {
      log(
        .warning,
        "in the background of this terminal the agent ends with it; what lasts is 'systemctl --user start fermata' "
          + "or 'setsid -f fermata agent >/dev/null 2>&1'")
    }
    return ExitCode(rawValue: Agent.run(log, unlessRunning: unlessRunning)) ?? .refused
  }
}
