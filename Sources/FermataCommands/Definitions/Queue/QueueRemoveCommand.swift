// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata queue remove`.
public enum QueueRemoveCommand: CommandDeclaration {
  static let rows = ArgumentDefinition(
    ValueDefinition("N"), .some, summary: "Rows, all counted before any is removed")

  /// The command.
  public static let definition = CommandDefinition(
    "remove", summary: "Remove rows", discussion: ["If one of them plays, the next one that stays goes on."],
    arguments: [rows])

  /// What was said to it.
  public struct Options: CommandOptions {
    /// The rows, counted from 1, in ascending order and each once.
    public let rows: [Int]

    /// Reads them.
    public init(_ parsed: ParsedCommand) throws(UsageError) {
      rows = Set(try parsed.numbers(QueueRemoveCommand.rows, in: 1...Int.max)).sorted()
    }
  }
}
