// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata playlist show`.
public enum PlaylistShowCommand: CommandDeclaration {
  /// The command.
  public static let definition = CommandDefinition(
    "show", summary: "List what a playlist holds", arguments: [PlaylistCommand.name], options: [.json])

  /// What was said to it.
  public struct Options: CommandOptions {
    /// The playlist.
    public let name: String
    /// Whether to write JSON.
    public let json: Bool

    /// Reads them.
    public init(_ parsed: ParsedCommand) {
      name = parsed.required(PlaylistCommand.name)
      json = parsed.has(.json)
    }
  }
}
