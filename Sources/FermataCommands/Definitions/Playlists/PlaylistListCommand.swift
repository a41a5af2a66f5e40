// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata playlist list`.
package enum PlaylistListCommand: CommandDeclaration {
  /// How to write it.
  package typealias Options = DataOptions

  /// The command.
  package static let definition = CommandDefinition("list", summary: "List the playlists", options: [.json])
}
