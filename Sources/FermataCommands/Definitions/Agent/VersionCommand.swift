// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata version`.
package enum VersionCommand: CommandDeclaration {
  /// The only option is `--json`.
  package typealias Options = DataOptions

  /// The command.
  package static let definition = CommandDefinition(
    "version", aliases: ["--version"], group: FermataProgram.Group.agent, summary: "Show the version",
    options: [.json])
}
