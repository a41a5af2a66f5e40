// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata queue jump`.
package enum QueueJumpCommand: CommandDeclaration {
  static let row = ArgumentDefinition(ValueDefinition("N"), summary: "A row")

  /// The command.
  package static let definition = CommandDefinition("jump", summary: "Play row N", arguments: [row])

  /// The options and arguments of this command.
  package struct Options: CommandOptions {
    /// The row, counted from 1.
    package let row: Int

    /// Reads them from a parsed command line.
    package init(_ parsed: ParsedCommand) throws(UsageError) {
      row = try parsed.number(parsed.required(QueueJumpCommand.row), named: "row", in: 1...Int.max)
    }
  }
}
