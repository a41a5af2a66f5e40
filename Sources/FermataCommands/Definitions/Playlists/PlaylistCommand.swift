// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata playlist`, which has commands of its own.
package enum PlaylistCommand {
  private static let files = KeptFiles("playlists", in: "fermata/playlists", ending: "m3u8")
  /// What shell completion offers for a source: files, folders and `playlist:NAME`.
  static let sources = ValueDefinition.Completion.filesOrKept(files, scheme: "playlist")
  /// The argument with which all these commands name a playlist.
  static let name = ArgumentDefinition(
    ValueDefinition("NAME", completion: .kept(files)), summary: "The playlist's name, any text")

  /// The command.
  package static let definition = CommandDefinition(
    "playlist", group: FermataProgram.Group.queue, summary: "Keep queues as playlists",
    discussion: [
      """
      They are M3U8 files in `$XDG_DATA_HOME/fermata/playlists`, and others' files that are put there count as well. Desktops \
      show them by MPRIS. `fermata play playlist:NAME` plays one.
      """
    ],
    subcommands: [
      PlaylistListCommand.definition, PlaylistShowCommand.definition, PlaylistSaveCommand.definition,
      PlaylistDeleteCommand.definition,
    ],
    defaultSubcommand: "list",
    examples: [
      Example("fermata playlist save 'Road trip'", "Keep the queue under this name"),
      Example("fermata playlist show 'Road trip'", "List what it holds"),
    ])
}
