// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata playlist`, which has commands of its own.
public enum PlaylistCommand {
  static let name = ArgumentDefinition(ValueDefinition("NAME"), summary: "The playlist's name")

  /// The command.
  public static let definition = CommandDefinition(
    "playlist", group: FermataProgram.Group.queue, summary: "Show or keep playlists",
    subcommands: [
      PlaylistListCommand.definition, PlaylistShowCommand.definition, PlaylistSaveCommand.definition,
      PlaylistSmartCommand.definition, PlaylistDeleteCommand.definition,
    ],
    defaultSubcommand: "list",
    examples: [
      Example("fermata playlist save evening", "Keep the queue"),
      Example("fermata playlist smart fresh 'added > -30d'", "Keep a question instead of an answer"),
    ])
}
