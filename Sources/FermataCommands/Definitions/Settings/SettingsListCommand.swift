// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata settings list`.
package enum SettingsListCommand: CommandDeclaration {
  /// The only option is `--json`.
  package typealias Options = DataOptions

  /// The command.
  package static let definition = CommandDefinition(
    "list", summary: "Show every setting, its value and its meaning", options: [.json])
}
