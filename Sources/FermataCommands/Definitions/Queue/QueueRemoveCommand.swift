// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata queue remove`.
package enum QueueRemoveCommand: CommandDeclaration {
  static let rows = ArgumentDefinition(
    ValueDefinition("N"), .some, summary: "Rows or, as `3-7`, runs of them, all counted before any is removed"
  )

  // No queue is longer than this. Without the limit, a huge run such as `1-9999999999` would be expanded number by
  // number.
  fileprivate static let mostRows = 1_000_000

  /// The command.
  package static let definition = CommandDefinition(
    "remove", summary: "Remove rows", discussion: ["If one of them plays, the next one that stays goes on."],
    arguments: [rows])

  /// The options and arguments of this command.
  package struct Options: CommandOptions {
    /// The rows, counted from 1, in ascending order and each once.
    package let rows: [Int]

    /// Reads them from a parsed command line.
    package init(_ parsed: ParsedCommand) throws(UsageError) {
      var rows: Set<Int> = []
      for word in parsed.values(QueueRemoveCommand.rows) {
        let ends = word.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ !$0.isEmpty }) else {
          rows.insert(try parsed.number(word, named: "row", in: 1...Int.max))
          continue
        }
        let first = try parsed.number(String(ends[0]), named: "row", in: 1...QueueRemoveCommand.mostRows)
        rows.formUnion(
          first...(try parsed.number(String(ends[1]), named: "row", in: first...QueueRemoveCommand.mostRows)))
      }
      self.rows = rows.sorted()
    }
  }
}
