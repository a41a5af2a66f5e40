// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata settings list`.
public enum SettingsListCommand: CommandDeclaration {
  /// How to write it.
  public typealias Options = DataOptions

  /// The command.
  public static let definition = CommandDefinition(
    "list", summary: "Show every setting, its value and its meaning", options: [.json])
}
