// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata agent`.
package enum AgentCommand: CommandDeclaration {
  static let unlessRunning = OptionDefinition(
    "unless-running", summary: "End quietly where an agent runs already")
  static let verbose = OptionDefinition("verbose", summary: "Log also what decisions were made from")

  /// The command.
  package static let definition = CommandDefinition(
    "agent", group: FermataProgram.Group.agent, summary: "Run the agent in the foreground",
    discussion: [
      "Other commands start it by themselves. SIGTERM ends it in order.",
      """
      One agent is the session's, and commands and media keys go to it. A second one needs a folder of its own for its \
      state (XDG_STATE_HOME), and is a player beside it.
      """,
      "Its log is standard error: one line for each decision. Started by systemd, that is `journalctl --user -u fermata`.",
    ], options: [unlessRunning, verbose])

  /// What was said to it.
  package struct Options: CommandOptions {
    /// Whether an agent that runs already is as good.
    package let unlessRunning: Bool
    /// Whether to log the evidence too.
    package let verbose: Bool

    /// Reads them.
    package init(_ parsed: ParsedCommand) {
      unlessRunning = parsed.has(AgentCommand.unlessRunning)
      verbose = parsed.has(AgentCommand.verbose)
    }
  }
}
