// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata queue move`.
package enum QueueMoveCommand: CommandDeclaration {
  static let from = ArgumentDefinition(ValueDefinition("N"), summary: "The row to move")
  static let to = ArgumentDefinition(ValueDefinition("M"), summary: "The row that it is to be afterwards")

  /// The command.
  package static let definition = CommandDefinition(
    "move", summary: "Move a row to another place", arguments: [from, to])

  /// The options and arguments of this command.
  package struct Options: CommandOptions {
    /// The row to move, counted from 1.
    package let from: Int
    /// The row at which it is to be afterwards, counted from 1.
    package let to: Int

    /// Reads them from a parsed command line.
    package init(_ parsed: ParsedCommand) throws(UsageError) {
      from = try parsed.number(parsed.required(QueueMoveCommand.from), named: "row", in: 1...Int.max)
      to = try parsed.number(parsed.required(QueueMoveCommand.to), named: "row", in: 1...Int.max)
    }
  }
}
