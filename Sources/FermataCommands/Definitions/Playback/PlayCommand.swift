// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata play`.
package enum PlayCommand: CommandDeclaration {
  static let sources = ArgumentDefinition(
    ValueDefinition("SOURCE", completion: PlaylistCommand.sources), .any,
    summary: "A file, folder, playlist file or `playlist:NAME`; `-` reads them from standard input")
  static let here = OptionDefinition(
    "here", summary: "Play in this process, without the agent, until the end or Ctrl-C")
  static let noResume = OptionDefinition(
    "no-resume", summary: "Without a source, do nothing instead of going on")
  static let progress = OptionDefinition(
    "progress", summary: "With --here, show the position also where no terminal is, a line a second")
  static let random = OptionDefinition("random", summary: "Play one song, picked at random")
  static let shuffle = OptionDefinition(
    "shuffle", summary: "Play this queue in random order, and none that comes later")

  /// The command.
  package static let definition = CommandDefinition(
    "play", group: FermataProgram.Group.playback, summary: "Play sources, or go on playing",
    discussion: [
      """
      Without a source it goes on with what is paused or stopped. With any, these replace the queue, which \
      `fermata queue undo` brings back.
      """,
      "A file that can't be played is skipped; only when none can is that an error.",
      """
      With `--here`, in a terminal, these keys are heard: space pauses and plays; n and p, > and < or down and up go to the next and \
      the previous track; right and left 10 seconds further and back, page up and page down a minute, home to the beginning; + and - \
      change the volume; q ends it.
      """,
    ],
    arguments: [sources], options: [here, noResume, progress, random, shuffle],
    exclusive: [[random, shuffle]],
    examples: [
      Example("fermata play ~/Music/Blue", "Play a folder in order"),
      Example("fermata play ~/Music --shuffle", "Play everything in random order"),
      Example("fermata play 'playlist:Road trip'", "Play a playlist that is kept"),
      Example("find . -name '*.flac' -print0 | fermata play -", "Play what another program finds"),
    ])

  /// The options and arguments of this command.
  package struct Options: CommandOptions {
    /// What to play. If no words are given, playing continues.
    package let sources: SourceList
    /// Whether to play in this process.
    package let here: Bool
    /// Whether to do nothing if no source is named.
    package let noResume: Bool
    /// Whether to show the position even if standard output is not a terminal.
    package let progress: Bool
    /// Whether to play one song, picked at random.
    package let random: Bool
    /// Whether to play in random order.
    package let shuffle: Bool

    /// Reads them from a parsed command line.
    package init(_ parsed: ParsedCommand) throws(UsageError) {
      sources = try SourceList(parsed.values(PlayCommand.sources), of: parsed)
      here = parsed.has(PlayCommand.here)
      noResume = parsed.has(PlayCommand.noResume)
      progress = parsed.has(PlayCommand.progress)
      random = parsed.has(PlayCommand.random)
      shuffle = parsed.has(PlayCommand.shuffle)
    }
  }
}
