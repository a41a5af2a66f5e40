// SPDX-License-Identifier: MIT
package import CommandModel
import SettingsModel

/// `fermata settings set`.
package enum SettingsSetCommand: CommandDeclaration {
  static let value = ArgumentDefinition(
    ValueDefinition("VALUE", completion: .sequels(Settings.all.map { .init($0.name, $0.words) })),
    summary: "What it is to be")

  /// The command.
  package static let definition = CommandDefinition(
    "set", summary: "Choose a value", arguments: [SettingsCommand.key, value])

  /// The options and arguments of this command.
  package struct Options: CommandOptions {
    /// Which setting.
    package let key: String
    /// The new value.
    package let value: String

    /// Reads them from a parsed command line.
    package init(_ parsed: ParsedCommand) {
      key = parsed.required(SettingsCommand.key)
      value = parsed.required(SettingsSetCommand.value)
    }
  }
}
