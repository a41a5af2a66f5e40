// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata settings unset`.
public enum SettingsUnsetCommand: CommandDeclaration {
  /// The command.
  public static let definition = CommandDefinition(
    "unset", summary: "Leave a setting as it is preset",
    discussion: ["Its line goes; what you wrote behind a `#` stays there, as a line of its own."],
    arguments: [SettingsCommand.key])

  /// What was said to it.
  public struct Options: CommandOptions {
    /// Which setting.
    public let key: String

    /// Reads them.
    public init(_ parsed: ParsedCommand) { key = parsed.required(SettingsCommand.key) }
  }
}
