// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata seek`.
package enum SeekCommand: CommandDeclaration {
  static let target = ArgumentDefinition(
    ValueDefinition("TIME"), .optional,
    summary: "A place, `90` or `1:30`; with a sign so much further or back, `+30` or `-30`")
  static let begin = OptionDefinition(
    "begin", value: SeekDirection.value, summary: "Begin to run through the track, audibly, until --end")
  static let end = OptionDefinition("end", summary: "Go on playing where a run has come to")

  /// The command.
  package static let definition = CommandDefinition(
    "seek", group: FermataProgram.Group.playback, summary: "Go to another place in the track",
    discussion: [
      "Beyond the end it goes on with the next track, before the beginning it stays at the beginning.",
      """
      `--begin` and `--end` are for a key that is held. A run that is ended at once skips to the next or previous track \
      instead. It also ends with any other order, at the edge of the track, and 10 seconds after the last `--begin`: a key that \
      repeats it keeps it going.
      """,
    ],
    usage: ["[+|-]SECONDS", "[+|-][H:]MM:SS[.mmm]", "--begin forward|backward", "--end"],
    arguments: [target], options: [begin, end], exclusive: [[begin, end]],
    examples: [
      Example("fermata seek +30", "Skip half a minute"),
      Example("fermata seek 1:02:03", "Go to a place"),
    ])

  /// The options and arguments of this command.
  package enum Options: CommandOptions {
    /// Seek to a time.
    case seek(SeekTarget)
    /// Begin a seek that runs in a direction until it is ended.
    case begin(SeekDirection)
    /// End such a seek.
    case end

    /// Reads them from a parsed command line. Throws if no form is given, if a time is given together with `--begin`
    /// or `--end`, and if the time is not valid.
    package init(_ parsed: ParsedCommand) throws(UsageError) {
      let direction = parsed.value(SeekCommand.begin).flatMap(SeekDirection.init(rawValue:))
      let isEnd = parsed.has(SeekCommand.end)
      guard let word = parsed.value(SeekCommand.target) else {
        guard direction != nil || isEnd else {
          throw parsed.error("seek", "needs a time", "write 'fermata seek +30' or 'fermata seek 1:30'")
        }
        self = direction.map(Options.begin) ?? .end
        return
      }
      guard direction == nil, !isEnd else {
        throw parsed.error(
          "'\(word)'", "cannot go with --\(isEnd ? "end" : "begin")", "leave one of them out")
      }
      guard let target = SeekTarget(word) else {
        throw parsed.error(
          "'\(word)'", "not a time", "write seconds, as '+30', or a place, as '1:30' or '1:02:03.5'")
      }
      self = .seek(target)
    }
  }
}
