// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata queue move`.
public enum QueueMoveCommand: CommandDeclaration {
  static let from = ArgumentDefinition(ValueDefinition("N"), summary: "The row to move")
  static let to = ArgumentDefinition(ValueDefinition("M"), summary: "The row that it is to be afterwards")

  /// The command.
  public static let definition = CommandDefinition(
    "move", summary: "Move a row to another place", arguments: [from, to])

  /// What was said to it.
  public struct Options: CommandOptions {
    /// The row to move, counted from 1.
    public let from: Int
    /// The row that it is to be afterwards.
    public let to: Int

    /// Reads them.
    public init(_ parsed: ParsedCommand) throws(UsageError) {
      from = try parsed.number(parsed.required(QueueMoveCommand.from), named: "row", in: 1...Int.max)
      to = try parsed.number(parsed.required(QueueMoveCommand.to), named: "row", in: 1...Int.max)
    }
  }
}
