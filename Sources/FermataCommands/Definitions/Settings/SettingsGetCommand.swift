// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata settings get`.
package enum SettingsGetCommand: CommandDeclaration {
  /// The command.
  package static let definition = CommandDefinition(
    "get", summary: "Write the value of a setting", arguments: [SettingsCommand.key], options: [.json])

  /// The options and arguments of this command.
  package struct Options: CommandOptions {
    /// Which setting.
    package let key: String
    /// Whether to write JSON.
    package let json: Bool

    /// Reads them from a parsed command line.
    package init(_ parsed: ParsedCommand) {
      key = parsed.required(SettingsCommand.key)
      json = parsed.has(.json)
    }
  }
}
