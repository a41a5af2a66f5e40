// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata playlist smart`.
public enum PlaylistSmartCommand: CommandDeclaration {
  static let expression = ArgumentDefinition(
    ValueDefinition("EXPR"), summary: "What its items have in common, as `genre == \"Jazz\" and rating >= 4`")

  /// The command.
  public static let definition = CommandDefinition(
    "smart", summary: "Keep an expression as a playlist",
    discussion: ["Its items are looked up whenever it is shown or played."],
    arguments: [PlaylistCommand.name, expression])

  /// What was said to it.
  public struct Options: CommandOptions {
    /// The playlist's name.
    public let name: String
    /// A predicate over the library, as typed.
    public let expression: String

    /// Reads them.
    public init(_ parsed: ParsedCommand) {
      name = parsed.required(PlaylistCommand.name)
      expression = parsed.required(PlaylistSmartCommand.expression)
    }
  }
}
