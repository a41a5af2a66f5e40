// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata repeat`.
public enum RepeatCommand: CommandDeclaration {
  static let mode = ArgumentDefinition(RepeatMode.value, .optional, summary: "What to do at the end")

  /// The command.
  public static let definition = CommandDefinition(
    "repeat", group: FermataProgram.Group.playback, summary: "Show or set what happens at the end",
    arguments: [mode], options: [.json])

  /// What was said to it.
  public struct Options: CommandOptions {
    /// The mode to set; none to show it.
    public let mode: RepeatMode?
    /// Whether to write JSON.
    public let json: Bool

    /// Reads them.
    public init(_ parsed: ParsedCommand) {
      mode = parsed.value(RepeatCommand.mode).flatMap(RepeatMode.init(rawValue:))
      json = parsed.has(.json)
    }
  }
}
