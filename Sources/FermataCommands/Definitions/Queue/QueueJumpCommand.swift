// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata queue jump`.
public enum QueueJumpCommand: CommandDeclaration {
  static let row = ArgumentDefinition(ValueDefinition("N"), summary: "A row")

  /// The command.
  public static let definition = CommandDefinition("jump", summary: "Play row N", arguments: [row])

  /// What was said to it.
  public struct Options: CommandOptions {
    /// The row, counted from 1.
    public let row: Int

    /// Reads them.
    public init(_ parsed: ParsedCommand) throws(UsageError) {
      row = try parsed.number(parsed.required(QueueJumpCommand.row), named: "row", in: 1...Int.max)
    }
  }
}
