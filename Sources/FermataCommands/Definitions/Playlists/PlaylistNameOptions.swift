// SPDX-License-Identifier: MIT
public import CommandModel

/// Of a command to which one can say only the name of a playlist.
public struct PlaylistNameOptions: CommandOptions {
  /// The playlist.
  public let name: String
  /// Reads the name.
  public init(_ parsed: ParsedCommand) { name = parsed.required(PlaylistCommand.name) }
}
