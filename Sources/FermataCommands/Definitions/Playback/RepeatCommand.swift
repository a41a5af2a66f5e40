// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata repeat`.
package enum RepeatCommand: CommandDeclaration {
  static let mode = ArgumentDefinition(RepeatMode.value, .optional, summary: "What to do at the end")

  /// The command.
  package static let definition = CommandDefinition(
    "repeat", group: FermataProgram.Group.playback, summary: "Show or set what happens at the end",
    arguments: [mode], options: [.json])

  /// The options and arguments of this command.
  package struct Options: CommandOptions {
    /// The mode to set; nil to show the current one.
    package let mode: RepeatMode?
    /// Whether to write JSON.
    package let json: Bool

    /// Reads them from a parsed command line.
    package init(_ parsed: ParsedCommand) {
      mode = parsed.value(RepeatCommand.mode).flatMap(RepeatMode.init(rawValue:))
      json = parsed.has(.json)
    }
  }
}
