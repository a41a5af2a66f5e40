// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata add`.
package enum AddCommand: CommandDeclaration {
  static let sources = ArgumentDefinition(
    ValueDefinition("SOURCE", completion: PlaylistCommand.sources), .some,
    summary: "A file, folder, playlist file or `playlist:NAME`; `-` reads them from standard input")
  static let next = OptionDefinition(
    "next", summary: "Put them behind the current entry and behind what was put there before")
  static let at = OptionDefinition(
    "at", value: ValueDefinition("N"), summary: "Put them before row N, or at the end where there are fewer")

  /// The command.
  package static let definition = CommandDefinition(
    "add", group: FermataProgram.Group.queue, summary: "Put sources into the queue",
    discussion: ["They go to the end unless told otherwise. What plays goes on undisturbed."],
    arguments: [sources], options: [next, at], exclusive: [[next, at]],
    examples: [
      Example("fermata add --next encore.flac", "Hear it after this track"),
      Example("ls *.mp3 | fermata add -", "Add what another program names, one a line or separated by NULs"),
    ])

  /// The place in the queue at which sources are added.
  package enum Place: Sendable, Hashable {
    /// To the end.
    case end
    /// After the current entry.
    case next
    /// Before a row, counted from 1.
    case row(Int)
  }

  /// The options and arguments of this command.
  package struct Options: CommandOptions {
    /// What to add.
    package let sources: SourceList
    /// Where it goes.
    package let place: Place

    /// Reads them from a parsed command line.
    package init(_ parsed: ParsedCommand) throws(UsageError) {
      sources = try SourceList(parsed.values(AddCommand.sources), of: parsed)
      let row = try parsed.number(AddCommand.at, in: 1...Int.max)
      place = parsed.has(AddCommand.next) ? .next : row.map(Place.row) ?? .end
    }
  }
}
