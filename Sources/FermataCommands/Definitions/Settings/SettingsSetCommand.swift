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

  /// What was said to it.
  package struct Options: CommandOptions {
    /// Which setting.
    package let key: String
    /// What it is to be.
    package let value: String

    /// Reads them.
    package init(_ parsed: ParsedCommand) {
      key = parsed.required(SettingsCommand.key)
      value = parsed.required(SettingsSetCommand.value)
    }
  }
}
