// SPDX-License-Identifier: MIT
import AgentAccess
import CommandModel
import FaceModel

/// `fermata add`.
struct AddCommand: Command {
  /// The place in the queue at which sources are added.
  enum Place: Equatable {
    case end
    /// After the current entry, and after sources that were added there before.
    case next
    /// Before a row, counted from 1.
    case row(Int)
    /// As `next`, and play the first of the sources at once.
    case playing
  }

  let sources: NamedSources
  /// The filter expression for the items to take from the library instead of sources; nil if there is none.
  let selection: String?
  let place: Place

  private static let sources = NamedSources.argument(.any)
  private static let next = OptionDefinition(
    "next", summary: "Put them behind the current entry and behind what was put there before")
  private static let at = OptionDefinition(
    "at", value: ValueDefinition("N"), summary: "Put them before row N, or at the end where there are fewer")

  private static let play = OptionDefinition(
    "play", summary: "Put them behind the current entry, and play the first of them at once")

  static let definition = CommandDefinition(
    "add", summary: "Put sources into the queue",
    discussion: [
      "They go to the end unless told otherwise. What plays goes on undisturbed, except with `--play`."
    ],
    arguments: [sources], options: [next, at, play] + LibrarySelection.options,
    exclusive: [[next, at, play]],
    examples: [
      ("fermata add --next encore.flac", "Hear it after this track"),
      ("ls *.mp3 | fermata add -", "Add what another program names, one a line or separated by NULs"),
    ], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    sources = try NamedSources(Self.sources, of: parsed)
    selection = try LibrarySelection.expression(parsed, besides: sources)
    if selection == nil, sources == .words([]) {
      throw parsed.error("sources", "none is named", "name a file, a folder or a playlist")
    }
    let row = try parsed.number(Self.at, in: 1...Int.max)
    place =
      parsed.has(Self.play) ? .playing : parsed.has(Self.next) ? .next : row.map(Place.row) ?? .end
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    let named = try selection == nil ? sources.read(toPlay: place == .playing) : nil
    return try withAgent(name) { agent throws(CommandError) in
      let sources = try await agent.sources(named, or: selection)
      let added =
        switch place {
        case .end: try await agent.add(.append(sources))
        case .next: try await agent.add(.addNext(sources))
        case .row(let row): try await agent.add(.insert(sources, at: row))
        case .playing: try await agent.play(sources, PlayOptions(joins: true))
        }
      added.leftOut.forEach(Printer.complain)
      Printer.say("Added \(CountText.text(added.count, "track"))\n")
      OrderCommand.say(waiting: added.waiting)
    }
  }
}
