// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata playlist show`.
package enum PlaylistShowCommand: CommandDeclaration {
  /// The command.
  package static let definition = CommandDefinition(
    "show", summary: "List what a playlist holds", arguments: [PlaylistCommand.name], options: [.json])

  /// What was said to it.
  package struct Options: CommandOptions {
    /// The playlist.
    package let name: String
    /// Whether to write JSON.
    package let json: Bool

    /// Reads them.
    package init(_ parsed: ParsedCommand) {
      name = parsed.required(PlaylistCommand.name)
      json = parsed.has(.json)
    }
  }
}
