// SPDX-License-Identifier: MIT
import AgentAccess
package import CommandModel
import MediaModel
import FaceModel
import PlaybackLogic

/// `fermata play`.
package struct PlayCommand: Command {
  /// What to play. Without words, the music that is loaded goes on.
  package let sources: NamedSources
  /// The filter expression for the items to take from the library instead of sources; nil if there is none.
  let selection: String?
  /// Whether to play in this process instead of the agent.
  package let here: Bool
  /// Whether to add the sources to the queue instead of replacing it, and to do nothing if there are none.
  let join: Bool
  /// The same, and whether to play them from their beginning.
  let noResume: Bool
  /// Whether to show the position even if standard output is not a terminal.
  package let progress: Bool
  /// Whether to begin with a song picked at random.
  package let random: Bool
  /// Whether to play in random order.
  package let shuffle: Bool

  private static let sources = NamedSources.argument(.any)
  private static let here = OptionDefinition(
    "here", summary: "Play in this process, without the agent, until the end or Ctrl-C")
  private static let join = OptionDefinition(
    "join", summary: "Put the sources behind what plays, and play them; without a source, do nothing")
  private static let noResume = OptionDefinition(
    "no-resume",
    summary: "As --join, and from their beginning; with --random or --shuffle they replace the queue")
  private static let progress = OptionDefinition(
    "progress", summary: "With --here, show the position also where no terminal is, a line a second")
  private static let random = OptionDefinition("random", summary: "Begin with a song picked at random")
  private static let shuffle = OptionDefinition(
    "shuffle", summary: "Play this queue in random order, and none that comes later")

  static let definition = CommandDefinition(
    "play", summary: "Play sources, or go on playing",
    discussion: [
      """
      Without a source it goes on with what is paused or stopped, unless `--join` or `--no-resume` is given. With any, these replace \
      the queue, which `fermata queue undo` brings back. `--join` puts them behind what plays instead; so does `--no-resume`, \
      unless `--random` or `--shuffle` is given.
      """,
      "A file that can't be played is skipped; only when none can is that an error. What is played: \(SoundFormat.names).",
      """
      What is in the library and longer than 20 minutes, and podcasts and audiobooks, go on where they were left: a \
      book with chapters in the chapter where it was left. The tracks of a disc in one file begin at their beginning.
      """,
      """
      With `--here`, in a terminal, these keys are heard: space pauses and plays; n and p, > and < or down and up go to the next and \
      the previous track; right and left 10 seconds further and back, page up and page down a minute, home to the beginning; + and - \
      change the volume; ? shows the keys; q ends it. Without a terminal it writes the title of each track on a line.
      """,
    ],
    usage: [
      "[--no-resume] [--random | --shuffle | --join] [SOURCE…]",
      "[--no-resume] [--random | --shuffle | --join] [--query EXPR] [--album A] [--artist A]",
      "--here [--progress] [--no-resume] [--random | --shuffle] [SOURCE…]",
    ],
    arguments: [sources],
    options: [here, join, noResume, progress, random, shuffle] + LibrarySelection.options,
    exclusive: [[random, shuffle, join], [here, join]] + LibrarySelection.options.map { [here, $0] },
    examples: [
      ("fermata play ~/Music/Blue", "Play a folder in order"),
      ("fermata play ~/Music --shuffle", "Play everything in random order"),
      ("fermata play 'playlist:Road trip'", "Play a playlist that is kept"),
      ("find . -name '*.flac' -print0 | fermata play -", "Play what another program finds"),
    ], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    sources = try NamedSources(Self.sources, of: parsed)
    selection = try LibrarySelection.expression(parsed, besides: sources)
    here = parsed.has(Self.here)
    join = parsed.has(Self.join)
    noResume = parsed.has(Self.noResume)
    progress = parsed.has(Self.progress)
    random = parsed.has(Self.random)
    shuffle = parsed.has(Self.shuffle)
    guard here || !progress else {
      throw parsed.error("--progress", "it goes with --here only", "add --here, or leave it out")
    }
  }

  package func run(as name: String) throws(CommandError) -> ExitCode {
    // A file manager starts the command with `--join`. A double-click in it must add to the queue and not replace it.
    let joins = join || noResume && !random && !shuffle
    if here { throw SoundProgram.exec() }
    if sources == .words([]), selection == nil, joins { return .done }
    if sources == .words([]), selection == nil { return try playOn(as: name) }
    let named = try selection == nil ? sources.read(toPlay: true) : nil
    let options = PlayOptions(
      isRandom: random, shuffle: shuffle ? .chosen(.songs) : nil, joins: joins, fromBeginning: noResume)
    return try withAgent(name) { agent throws(CommandError) in
      let sources = try await agent.sources(named, or: selection)
      let added = try await agent.play(sources, options)
      added.leftOut.forEach(Printer.complain)
      OrderCommand.say(waiting: added.waiting)
    }
  }

  private func playOn(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      if shuffle { try await agent.edit(.shuffle(.chosen(.songs))) }
      OrderCommand.say(waiting: try await agent.order(random ? .jumpAnywhere : .play))
    }
  }
}
