// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata playlist delete`.
public enum PlaylistDeleteCommand: CommandDeclaration {
  /// The command.
  public static let definition = CommandDefinition(
    "delete", summary: "Forget a playlist", arguments: [PlaylistCommand.name])

  /// What was said to it.
  public struct Options: CommandOptions {
    /// The playlist's name.
    public let name: String

    /// Reads them.
    public init(_ parsed: ParsedCommand) {
      name = parsed.required(PlaylistCommand.name)
    }
  }
}
