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

  /// What was said to it.
  package struct Options: CommandOptions {
    /// The mode to set; none to show it.
    package let mode: ShuffleMode?
    /// Whether to write JSON.
    package let json: Bool

    /// Reads them.
    package init(_ parsed: ParsedCommand) {
      mode = parsed.value(ShuffleCommand.mode).flatMap(ShuffleMode.init(rawValue:))
      json = parsed.has(.json)
    }
  }
}
