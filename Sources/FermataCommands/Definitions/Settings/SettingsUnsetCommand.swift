// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata settings unset`.
package enum SettingsUnsetCommand: CommandDeclaration {
  /// The command.
  package static let definition = CommandDefinition(
    "unset", summary: "Leave a setting as it is preset",
    discussion: ["Its line goes; what you wrote behind a `#` stays there, as a line of its own."],
    arguments: [SettingsCommand.key])

  /// The options and arguments of this command.
  package struct Options: CommandOptions {
    /// Which setting.
    package let key: String

    /// Reads them from a parsed command line.
    package init(_ parsed: ParsedCommand) { key = parsed.required(SettingsCommand.key) }
  }
}
