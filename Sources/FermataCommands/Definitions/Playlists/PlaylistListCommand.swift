// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata playlist list`.
public enum PlaylistListCommand: CommandDeclaration {
  /// How to write it.
  public typealias Options = DataOptions

  /// The command.
  public static let definition = CommandDefinition("list", summary: "List the playlists", options: [.json])
}
