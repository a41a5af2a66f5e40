// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata settings get`.
public enum SettingsGetCommand: CommandDeclaration {
  /// The command.
  public static let definition = CommandDefinition(
    "get", summary: "Write the value of a setting", arguments: [SettingsCommand.key], options: [.json])

  /// What was said to it.
  public struct Options: CommandOptions {
    /// Which setting.
    public let key: String
    /// Whether to write JSON.
    public let json: Bool

    /// Reads them.
    public init(_ parsed: ParsedCommand) {
      key = parsed.required(SettingsCommand.key)
      json = parsed.has(.json)
    }
  }
}
