// SPDX-License-Identifier: MIT
package import CommandModel

/// Of a command to which one can say only the name of a playlist.
package struct PlaylistNameOptions: CommandOptions {
  /// The playlist.
  package let name: String
  /// Reads the name.
  package init(_ parsed: ParsedCommand) { name = parsed.required(PlaylistCommand.name) }
}
