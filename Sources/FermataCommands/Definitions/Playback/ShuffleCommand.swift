// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata shuffle`.
package enum ShuffleCommand: CommandDeclaration {
  static let mode = ArgumentDefinition(ShuffleMode.value, .optional, summary: "The order to play in")

  /// The command.
  package static let definition = CommandDefinition(
    "shuffle", group: FermataProgram.Group.playback,
    summary: "Show or set the order in which the queue plays",
    arguments: [mode], options: [.json])

  /// The options and arguments of this command.
  package struct Options: CommandOptions {
    /// The mode to set; nil to show the current one.
    package let mode: ShuffleMode?
    /// Whether to write JSON.
    package let json: Bool

    /// Reads them from a parsed command line.
    package init(_ parsed: ParsedCommand) {
      mode = parsed.value(ShuffleCommand.mode).flatMap(ShuffleMode.init(rawValue:))
      json = parsed.has(.json)
    }
  }
}
