// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata shuffle`.
public enum ShuffleCommand: CommandDeclaration {
  static let mode = ArgumentDefinition(ShuffleMode.value, .optional, summary: "The order to play in")

  /// The command.
  public static let definition = CommandDefinition(
    "shuffle", group: FermataProgram.Group.playback,
    summary: "Show or set the order in which the queue plays",
    arguments: [mode], options: [.json])

  /// What was said to it.
  public struct Options: CommandOptions {
    /// The mode to set; none to show it.
    public let mode: ShuffleMode?
    /// Whether to write JSON.
    public let json: Bool

    /// Reads them.
    public init(_ parsed: ParsedCommand) {
      mode = parsed.value(ShuffleCommand.mode).flatMap(ShuffleMode.init(rawValue:))
      json = parsed.has(.json)
    }
  }
}
