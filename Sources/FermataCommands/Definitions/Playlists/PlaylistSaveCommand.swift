// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata playlist save`.
public enum PlaylistSaveCommand: CommandDeclaration {
  /// The command.
  public static let definition = CommandDefinition(
    "save", summary: "Keep the queue as a playlist",
    discussion: [
      "A playlist of that name stays as it is unless you say `--replace`. An empty queue is not saved."
    ],
    arguments: [PlaylistCommand.name], options: [QueueSaveCommand.replace])

  /// What was said to it.
  public struct Options: CommandOptions {
    /// The playlist.
    public let name: String
    /// Whether a playlist of that name is replaced.
    public let replaces: Bool

    /// Reads them.
    public init(_ parsed: ParsedCommand) {
      name = parsed.required(PlaylistCommand.name)
      replaces = parsed.has(QueueSaveCommand.replace)
    }
  }
}
