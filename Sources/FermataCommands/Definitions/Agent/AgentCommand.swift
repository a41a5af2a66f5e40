// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata agent`.
public enum AgentCommand: CommandDeclaration {
  /// Nothing can be said to it.
  public typealias Options = NoOptions

  /// The command.
  public static let definition = CommandDefinition(
    "agent", group: FermataProgram.Group.agent, summary: "Run the agent in the foreground",
    discussion: [
      "Other commands start it by themselves. SIGTERM ends it in order."
    ])
}
