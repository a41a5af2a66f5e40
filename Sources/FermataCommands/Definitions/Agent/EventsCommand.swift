// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata events`.
public enum EventsCommand: CommandDeclaration {
  /// How to write it.
  public typealias Options = DataOptions

  /// The command.
  public static let definition = CommandDefinition(
    "events", group: FermataProgram.Group.agent, summary: "Write what happens, one line each, until Ctrl-C",
    options: [.json])
}
