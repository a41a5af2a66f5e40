// SPDX-License-Identifier: MIT
import AgentAccess
import CommandModel
import FaceModel
import PlaybackLogic

/// A command that gives the player one order, such as `fermata pause`.
struct OrderCommand: Command, Equatable {
  let order: PlayerOrder

  init(_ order: PlayerOrder) { self.order = order }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in Self.say(waiting: try await agent.order(order)) }
  }

  /// Prints the reason why playing has to wait, if there is one.
  static func say(waiting reason: String?) {
    guard let reason else { return }
    Printer.say("It will play when \(Printer.shown(PlainWords.awaited(reason))).\n")
  }

  static let pause = CommandDefinition(
    "pause", summary: "Pause",
    discussion: [
      "What is paused this way stays paused until `fermata play`: no end of a call or of an alarm starts it again."
    ], read: { _ in OrderCommand(.pause) })

  static let toggle = CommandDefinition(
    "toggle", summary: "Pause what plays, play what is paused", discussion: ["Made for a key."],
    read: { _ in OrderCommand(.toggle) })

  static let stop = CommandDefinition(
    "stop", summary: "Stop and go back to the beginning of the track",
    discussion: [
      "The queue stays as it is, and so does the row that `fermata play` begins with. A book goes on where it was left.",
      """
      With `--after-current` it stops at the end of the track, and `fermata play` goes on with the next one. `fermata play` \
      while the track plays takes it back, and so does another track.
      """,
    ], options: [afterCurrent],
    read: { parsed in OrderCommand(parsed.has(afterCurrent) ? .stopAfterCurrent : .stop) })

  private static let afterCurrent = OptionDefinition(
    "after-current", summary: "Stop when this track has been heard to its end")

  static let next = CommandDefinition(
    "next", summary: "Go to the next track",
    discussion: ["Under shuffle that is the next of the random order. What is paused stays paused."],
    read: { _ in OrderCommand(.next) })

  static let previous = CommandDefinition(
    "previous", aliases: ["prev"], summary: "Go to the previous track",
    discussion: [
      """
      After the first 3 seconds of a track it goes back to the beginning of this one; the setting `previous-restarts-after` has another \
      time. Under shuffle the previous track is the one that really played before. What is paused stays paused.
      """
    ],
    read: { _ in OrderCommand(.previous) })

  static let seek = CommandDefinition(
    "seek", summary: "Go to another place in the track",
    discussion: [
      "Beyond the end it goes on with the next track, before the beginning it stays at the beginning.",
      """
      `--begin` and `--end` are for a key that is held. A run that is ended at once skips to the next or previous track \
      instead. It also ends with any other order, at the edge of the track, and 10 seconds after the last `--begin`: a key that \
      repeats it keeps it going.
      """,
    ],
    usage: ["[+|-]SECONDS", "[+|-][H:]MM:SS[.mmm]", "N%", "--begin forward|backward", "--end"],
    arguments: [target], options: [begin, end], exclusive: [[begin, end]],
    examples: [
      ("fermata seek +30", "Skip half a minute"),
      ("fermata seek 1:02:03", "Go to a place"),
    ], read: { parsed throws(CommandError) in OrderCommand(try order(of: parsed)) })
}

// `fermata seek`, which has several forms.
extension OrderCommand {
  private static let target = ArgumentDefinition(
    ValueDefinition("TIME"), .optional,
    summary: "A place, `90`, `1:30` or `50%`; with a sign so much further or back, `+30` or `-30`")
  private static let begin = OptionDefinition(
    "begin",
    value: ValueDefinition("DIRECTION", choices: SeekDirection.allCases.map { .init($0.rawValue) }),
    summary: "Begin to run through the track, audibly, until --end")
  private static let end = OptionDefinition("end", summary: "Go on playing where a run has come to")

  private static func order(of parsed: ParsedCommand) throws(CommandError) -> PlayerOrder {
    let direction = parsed.value(begin).flatMap(SeekDirection.init(rawValue:))
    let isEnd = parsed.has(end)
    guard let word = parsed.value(target) else {
      guard direction != nil || isEnd else {
        throw parsed.error("seek", "needs a time", "write 'fermata seek +30' or 'fermata seek 1:30'")
      }
      return direction.map(PlayerOrder.beginSeek) ?? .endSeek
    }
    guard direction == nil, !isEnd else {
      throw parsed.error("'\(word)'", "cannot go with --\(isEnd ? "end" : "begin")", "leave one of them out")
    }
    if word.hasSuffix("%") { return try part(word, of: parsed) }
    let signed = SignedText(word)
    guard let time = ClockText.parse(signed.magnitude) else {
      throw parsed.error(
        "'\(word)'", "not a time", "write seconds, as '+30', or a place, as '1:30' or '1:02:03.5'")
    }
    return signed.sign.map { .seek(time * $0) } ?? .seekTo(time)
  }

  /// The order to go to a place in the track that is given as a percentage of its length, such as `50%`.
  private static func part(_ word: String, of parsed: ParsedCommand) throws(CommandError) -> PlayerOrder {
    let digits = word.dropLast()
    guard digits.isDigits, digits.utf8.count <= 3, let percent = Int(digits), percent <= 100 else {
      throw parsed.error("'\(word)'", "not a part of the track", "write one from 0% to 100%, without a sign")
    }
    return .seekToPart(Double(percent) / 100)
  }
}

/// `fermata sleep`.
struct SleepCommand: Command {
  /// What the user wants to do with the sleep timer.
  enum Wish: Equatable {
    /// Show the time that is left.
    case show
    /// Fade out and pause after this time; nil cancels the timer.
    case set(Duration?)
  }

  let wish: Wish
  let json: Bool

  private static let time = ArgumentDefinition(
    ValueDefinition("DURATION", completion: .suggestions([.init("off", "Go on playing")])), .optional,
    summary:
      "How long, as `30m`, `1h20m`, `90s`, `1:30` for an hour and a half, or seconds; `off` takes it back")

  static let definition = CommandDefinition(
    "sleep", summary: "Fade out and pause after a time",
    discussion: [
      """
      It fades over the last 10 seconds, or over a third of a shorter time, and pauses. `fermata play` goes on as loud as before. Without \
      a time it shows how much is left.
      """
    ],
    usage: ["[DURATION | off]"], arguments: [time], options: [.json],
    examples: [("fermata sleep 30m", "Fall asleep to it")], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    json = parsed.has(.json)
    guard let word = parsed.value(Self.time) else {
      wish = .show
      return
    }
    if word == "off" {
      wish = .set(nil)
      return
    }
    guard let time = Self.duration(word), time > .zero, time <= SleepTimer.longest else {
      throw parsed.error("'\(word)'", "not a time to sleep", "write one as 30m, 1h20m, 90s or 1:30, or off")
    }
    wish = .set(time)
  }

  /// The duration in a word: `30m`, `1h20m`, `90s`, `H:MM` or seconds; nil for any other word.
  static func duration(_ word: String) -> Duration? {
    let clock = word.split(separator: ":", omittingEmptySubsequences: false)
    if clock.count == 2, clock[0].isDigits, clock[1].isDigits, clock[1].utf8.count == 2 {
      guard let hours = Int(clock[0].prefix(4)), let minutes = Int(clock[1]), minutes < 60 else { return nil }
      return .seconds(hours * 3_600 + minutes * 60)
    }
    var (total, digits, smallest) = (0, "", Int.max)
    for letter in word {
      if letter.isASCII, letter.isNumber, digits.utf8.count < 7 {
        digits.append(letter)
        continue
      }
      guard let unit = ["h": 3_600, "m": 60, "s": 1][letter], unit < smallest, let number = Int(digits) else {
        return nil
      }
      total += number * unit
      (digits, smallest) = ("", unit)
    }
    if digits.isEmpty { return smallest == .max ? nil : .seconds(total) }
    // A number without a unit means seconds, and must be the whole word.
    return smallest == .max ? Int(digits).map { .seconds($0) } : nil
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      if case .set(let time) = wish { try await agent.sleep(after: time) }
      guard wish == .show || json else { return }
      let left = try await agent.playerStatus().sleepLeft
      try Printer.write(
        .object(present: ["sleep": left.map(JSONValue.seconds)]), if: json,
        else: left.map { "\(ClockText.text($0)) left" } ?? "off")
    }
  }
}
