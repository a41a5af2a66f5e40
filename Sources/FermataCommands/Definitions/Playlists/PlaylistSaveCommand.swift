// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata playlist save`.
package enum PlaylistSaveCommand: CommandDeclaration {
  /// The command.
  package static let definition = CommandDefinition(
    "save", summary: "Keep the queue as a playlist",
    discussion: [
      "A playlist of that name stays as it is unless you say `--replace`. An empty queue is not saved."
    ],
    arguments: [PlaylistCommand.name], options: [QueueSaveCommand.replace])

  /// The options and arguments of this command.
  package struct Options: CommandOptions {
    /// The playlist's name.
    package let name: String
    /// Whether a playlist of that name is replaced.
    package let replaces: Bool

    /// Reads them from a parsed command line.
    package init(_ parsed: ParsedCommand) {
      name = parsed.required(PlaylistCommand.name)
      replaces = parsed.has(QueueSaveCommand.replace)
    }
  }
}
