// SPDX-License-Identifier: MIT
public import CommandModel
import SettingsModel

/// `fermata settings set`.
public enum SettingsSetCommand: CommandDeclaration {
  static let value = ArgumentDefinition(
    ValueDefinition("VALUE", completion: .sequels(Settings.all.map { .init($0.name, $0.words) })),
    summary: "What it is to be")

  /// The command.
  public static let definition = CommandDefinition(
    "set", summary: "Choose a value", arguments: [SettingsCommand.key, value])

  /// What was said to it.
  public struct Options: CommandOptions {
    /// Which setting.
    public let key: String
    /// What it is to be.
    public let value: String

    /// Reads them.
    public init(_ parsed: ParsedCommand) {
      key = parsed.required(SettingsCommand.key)
      value = parsed.required(SettingsSetCommand.value)
    }
  }
}
