// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata playlist list`.
package enum PlaylistListCommand: CommandDeclaration {
  /// The only option is `--json`.
  package typealias Options = DataOptions

  /// The command.
  package static let definition = CommandDefinition("list", summary: "List the playlists", options: [.json])
}
