// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata playlist save`.
public enum PlaylistSaveCommand: CommandDeclaration {
  /// The command.
  public static let definition = CommandDefinition(
    "save", summary: "Keep the queue as a playlist", arguments: [PlaylistCommand.name])

  /// What was said to it.
  public struct Options: CommandOptions {
    /// The playlist's name.
    public let name: String

    /// Reads them.
    public init(_ parsed: ParsedCommand) {
      name = parsed.required(PlaylistCommand.name)
    }
  }
}
