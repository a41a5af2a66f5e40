// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata version`.
public enum VersionCommand: CommandDeclaration {
  /// How to write it.
  public typealias Options = DataOptions

  /// The command.
  public static let definition = CommandDefinition(
    "version", aliases: ["--version"], group: FermataProgram.Group.agent, summary: "Show the version",
    options: [.json])
}
