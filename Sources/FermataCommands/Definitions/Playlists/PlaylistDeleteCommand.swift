// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata playlist delete`.
public enum PlaylistDeleteCommand: CommandDeclaration {
  /// Which playlist.
  public typealias Options = PlaylistNameOptions

  /// The command.
  public static let definition = CommandDefinition(
    "delete", summary: "Delete a playlist", discussion: ["What it names stays, and so does the queue."],
    arguments: [PlaylistCommand.name])
}
