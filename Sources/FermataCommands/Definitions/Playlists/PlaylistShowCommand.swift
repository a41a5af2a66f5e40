// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata playlist show`.
package enum PlaylistShowCommand: CommandDeclaration {
  /// The command.
  package static let definition = CommandDefinition(
    "show", summary: "List what a playlist holds", arguments: [PlaylistCommand.name], options: [.json])

  /// The options and arguments of this command.
  package struct Options: CommandOptions {
    /// The playlist's name.
    package let name: String
    /// Whether to write JSON.
    package let json: Bool

    /// Reads them from a parsed command line.
    package init(_ parsed: ParsedCommand) {
      name = parsed.required(PlaylistCommand.name)
      json = parsed.has(.json)
    }
  }
}
