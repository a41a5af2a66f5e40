// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata playlist delete`.
package enum PlaylistDeleteCommand: CommandDeclaration {
  /// The only argument is the playlist's name.
  package typealias Options = PlaylistNameOptions

  /// The command.
  package static let definition = CommandDefinition(
    "delete", summary: "Delete a playlist", discussion: ["What it names stays, and so does the queue."],
    arguments: [PlaylistCommand.name])
}
