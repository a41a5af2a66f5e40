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

  /// The options and arguments of this command.
  package struct Options: CommandOptions {
    /// Whether to end quietly if an agent already runs.
    package let unlessRunning: Bool
    /// Whether to also log the evidence for each decision.
    package let verbose: Bool

    /// Reads them from a parsed command line.
    package init(_ parsed: ParsedCommand) {
      unlessRunning = parsed.has(AgentCommand.unlessRunning)
      verbose = parsed.has(AgentCommand.verbose)
    }
  }
}
