// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata playlist save`.
public enum PlaylistSaveCommand: CommandDeclaration {
  /// Which playlist.
  public typealias Options = PlaylistNameOptions

  /// The command.
  public static let definition = CommandDefinition(
    "save", summary: "Keep the queue as a playlist",
    discussion: ["A playlist of that name is replaced. An empty queue is not saved."],
    arguments: [PlaylistCommand.name])
}
