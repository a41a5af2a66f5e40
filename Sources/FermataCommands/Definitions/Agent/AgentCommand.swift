// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata agent`.
public enum AgentCommand: CommandDeclaration {
  static let unlessRunning = OptionDefinition(
    "unless-running", summary: "End quietly where an agent runs already")
  static let verbose = OptionDefinition("verbose", summary: "Log also what decisions were made from")

  /// The command.
  public static let definition = CommandDefinition(
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
  public struct Options: CommandOptions {
    /// Whether an agent that runs already is as good.
    public let unlessRunning: Bool
    /// Whether to log the evidence too.
    public let verbose: Bool

    /// Reads them.
    public init(_ parsed: ParsedCommand) {
      unlessRunning = parsed.has(AgentCommand.unlessRunning)
      verbose = parsed.has(AgentCommand.verbose)
    }
  }
}
