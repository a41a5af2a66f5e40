// SPDX-License-Identifier: MIT
package import CommandModel

/// The options of a command whose only argument is the name of a playlist.
package struct PlaylistNameOptions: CommandOptions {
  /// The playlist's name.
  package let name: String
  /// Reads the name.
  package init(_ parsed: ParsedCommand) { name = parsed.required(PlaylistCommand.name) }
}
