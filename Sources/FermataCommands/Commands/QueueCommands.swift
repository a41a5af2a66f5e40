// SPDX-License-Identifier: MIT
import AgentAccess
import CommandModel
import FaceModel
import LibraryQuery
import MediaModel
import PlaybackLogic

/// `fermata queue`, which has commands of its own.
enum QueueCommands {
  static let definition = CommandDefinition(
    "queue", summary: "Show or edit what plays next",
    discussion: ["Rows count from 1, in the order of the list. Every edit can be undone."],
    groups: [
      .init([
        QueueListCommand.definition, QueueUpcomingCommand.definition, QueueJumpCommand.definition,
        QueueRemoveCommand.definition,
        QueueMoveCommand.definition, QueueSortCommand.definition, QueueEditCommand.crop,
        QueueEditCommand.clear, QueueEditCommand.undo, QueueEditCommand.redo,
        QueueSaveCommand.definition,
      ])
    ],
    standard: "list",
    examples: [
      ("fermata queue", "List it, the current row marked"),
      ("fermata queue move 9 2", "Let row 9 become row 2"),
      (
        "fermata queue sort artist -year",
        "Sort it by artists, and the albums of each by year, the newest first"
      ),
    ])
}

/// `fermata queue list`.
struct QueueListCommand: Command {
  /// The rows to list, counted from 1; nil for all of them.
  let rows: ClosedRange<Int>?
  /// Whether to wait until the tags of a long queue are all read.
  let withTags: Bool
  let json: Bool

  private static let tags = OptionDefinition("tags", summary: "Read all tags first, however long it takes")
  private static let rows = ArgumentDefinition(
    ValueDefinition("A-B"), .optional, summary: "Rows, as `10-30`, `10-` or `10`; all of them if left out")

  static let definition = CommandDefinition(
    "list", summary: "List the queue",
    discussion: [
      "The sign before the current row says whether it plays (▶), is paused (⏸) or stopped (⏹).",
      """
      Of a queue that is longer than the terminal, the rows around the current one are listed; `fermata queue list 1-` lists all of \
      them. A pipe and `--json` get all.
      """,
      """
      Of more than 2,000 rows, those at the beginning, around the current one and at the end have titles; others have the name of \
      their file, unless the agent knows more of them. `--tags` reads them all first.
      """,
    ],
    arguments: [rows], options: [.json, tags], examples: [("fermata queue list 10-30", "List a part of it")],
    read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    json = parsed.has(.json)
    withTags = parsed.has(Self.tags)
    rows = try parsed.value(Self.rows).map { word throws(CommandError) in try Self.rows(word, parsed) }
  }

  static func rows(_ word: String, _ parsed: ParsedCommand) throws(CommandError) -> ClosedRange<Int> {
    let ends = word.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let most = ParsedCommand.mostRows
    let first = try parsed.number(ends[0], named: "row", in: 1...most)
    guard ends.count == 2 else { return first...first }
    return first...(ends[1].isEmpty ? most : try parsed.number(ends[1], named: "row", in: first...most))
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      // The state of the current row and the height of the terminal matter only to people.
      let status = json ? nil : try await agent.status()
      let window = status.flatMap { status in
        Printer.rows.flatMap { QueueText.window(around: status.queueRow, of: status.queueLength, height: $0) }
      }
      let queue: QueuePage
      if let rows = rows ?? window {
        queue = try await agent.queue(rows: rows, withTags: withTags)
      } else {
        queue = try await agent.queue(withTags: withTags)
      }
      let first = (rows ?? window)?.lowerBound ?? 1
      try Printer.write(queue.json, if: json) { width in
        QueueText.lines(queue, from: first, state: status?.state ?? .stopped, width: width)
          + (rows == nil && window != nil ? [QueueText.more] : [])
      }
    }
  }
}

/// `fermata queue upcoming`.
struct QueueUpcomingCommand: Command {
  /// How many entries to list at most.
  let count: Int
  let json: Bool

  private static let count = ArgumentDefinition(
    ValueDefinition("N"), .optional, summary: "How many at most; \(usual) if left out")
  private static let usual = 10

  static let definition = CommandDefinition(
    "upcoming", summary: "List what plays next",
    discussion: [
      """
      In the order in which they will play, shuffled or not, with the rows that they have in the queue. Of a shuffled round that \
      has not begun, only the first is known.
      """
    ], arguments: [count], options: [.json], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    json = parsed.has(.json)
    count =
      try parsed.value(Self.count).map { word throws(CommandError) in
        try parsed.number(word, named: "number", in: 1...AgentQueue.largestPage)
      } ?? Self.usual
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      let (page, rows) = try await agent.upcoming(count)
      try Printer.write(page.json, if: json) { QueueText.upcoming(page, rows, width: $0) }
    }
  }
}

/// `fermata queue jump`.
struct QueueJumpCommand: Command {
  /// The row to play, counted from 1.
  let row: Int

  private static let row = ArgumentDefinition(ValueDefinition("N"), summary: "A row")

  static let definition = CommandDefinition(
    "jump", summary: "Play row N", arguments: [row], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) { row = try parsed.row(Self.row) }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      for entry in try await agent.entries(ofRows: [row]) {
        OrderCommand.say(waiting: try await agent.order(.jump(to: entry)))
      }
    }
  }
}

/// `fermata queue remove`.
struct QueueRemoveCommand: Command {
  /// The rows to remove, counted from 1, in ascending order and each once.
  let rows: [Int]
  /// Whether to remove the current row as well, whatever its number is.
  let current: Bool

  private static let rows = ArgumentDefinition(
    ValueDefinition("N"), .some,
    summary: "Rows or, as `3-7`, runs of them, all counted before any is removed, or `current`")
  private static let currentWord = "current"

  static let definition = CommandDefinition(
    "remove", summary: "Remove rows",
    discussion: ["If the row that plays is removed, the next remaining row plays."],
    arguments: [rows], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    let words = parsed.values(Self.rows)
    current = words.contains(Self.currentWord)
    rows = try parsed.rows(words.filter { $0 != Self.currentWord }).sorted()
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      var entries = try await agent.entries(ofRows: rows)
      if current {
        guard let entry = try await agent.status().current?.entry else {
          throw CommandError(
            .refused, "current", Refusal.nothingCurrent.rawValue, "'fermata queue' lists the rows")
        }
        if !entries.contains(entry) { entries.append(entry) }
      }
      try await agent.edit(.remove(entries))
      Printer.say("\(QueueText.removed(entries.count))\n")
    }
  }
}

/// `fermata queue move`.
struct QueueMoveCommand: Command {
  /// The rows to move, counted from 1.
  let from: ClosedRange<Int>
  /// The row at which the first moved entry is to be afterwards, counted from 1.
  let to: Int

  private static let from = ArgumentDefinition(
    ValueDefinition("N"), summary: "The row to move, or a run of them as `3-7`")
  private static let to = ArgumentDefinition(
    ValueDefinition("M"), summary: "The row that it, or the first of them, is to be afterwards")

  static let definition = CommandDefinition(
    "move", summary: "Move rows to another place", arguments: [from, to],
    examples: [("fermata queue move 9-12 2", "Let row 9 become row 2, with the three behind it")],
    read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    from = try parsed.run(parsed.required(Self.from))
    to = try parsed.row(Self.to)
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      // All rows must exist, so that a mistyped target is not taken for the end of the queue.
      _ = try await agent.entries(ofRows: [to])
      _ = try await agent.entries(ofRows: [from.upperBound])
      for entry in try await agent.entries(ofRows: [from.lowerBound]) {
        try await agent.edit(.move(entry, count: from.count, to: to))
      }
    }
  }
}

/// `fermata queue sort`.
struct QueueSortCommand: Command {
  let sort: TrackSort
  /// The rows that are sorted among themselves, counted from 1; nil for the whole queue.
  let rows: ClosedRange<Int>?
  let json: Bool

  private static let keys = ArgumentDefinition(
    ValueDefinition("KEY", completion: .suggestions(TrackSort.words.map { .init($0, summary(of: $0)) })),
    .any,
    takesDashes: true,
    summary: "What to sort by, the most important first; `-year` turns the order round; `album` if left out")
  private static let rows = OptionDefinition(
    "rows", value: ValueDefinition("A-B"), summary: "Sort only these rows, among themselves")

  static let definition = CommandDefinition(
    "sort", summary: "Sort the rows",
    discussion: [
      "Keys: \(TrackSort.words.map { "`\($0)`" }.joined(separator: ", ")).",
      """
      `album` is the order of a shelf: by the album's artist, the album, the disc and the track; `track` is by disc and track. What \
      `artist`, `albumArtist`, `composer`, `genre`, `year`, `date` or `added` leave open stands by album. Rows that differ in nothing stay \
      as they stood. Where a key is not known a row stands behind the others, whichever way round.
      """,
      """
      Tags come from the library, or from the files: those are read for some seconds at most. What was not read by then, or can't be, stands \
      last, by path, and the command says so. `rating`, `playCount`, `lastPlayed` and `added` are known only of what is in the library.
      """,
      "What plays goes on, and what comes next follows the new order unless shuffle is on. `fermata queue undo` takes it back.",
    ],
    arguments: [keys], options: [rows, .json],
    examples: [
      ("fermata queue sort", "Sort by album"), ("fermata queue sort -rating title", "Sort the best first"),
      ("fermata queue sort path --rows 10-30", "Sort a part of it by path"),
    ], read: Self.init)

  private static func summary(of word: String) -> String {
    switch word {
    case "album": "album artist, album, disc and track"
    case "track": "disc and track"
    case "added": "when the library got it"
    default: ""
    }
  }

  init(_ parsed: ParsedCommand) throws(CommandError) {
    json = parsed.has(.json)
    rows = try parsed.value(Self.rows).map { word throws(CommandError) in
      try QueueListCommand.rows(word, parsed)
    }
    do throws(PredicateError) { sort = try TrackSort(parsed.values(Self.keys)) } catch {
      throw parsed.error("sort", error.message, "'fermata help queue sort' explains them")
    }
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      var entries: [EntryID] = []
      if let rows {
        let length = try await agent.status().queueLength
        // The first row must exist, so that a mistyped one is not taken for the whole queue.
        _ = try await agent.entries(ofRows: [rows.lowerBound])
        entries = try await agent.entries(
          ofRows: Array(rows.lowerBound...max(rows.lowerBound, min(rows.upperBound, length))))
      }
      let outcome = try await agent.sort(entries, by: sort)
      try Printer.write(outcome.json(by: sort), if: json) { _ in
        QueueText.lines(outcome, by: sort).map { StyledText($0) }
      }
    }
  }
}

extension SortOutcome {
  /// The outcome of sorting, for scripts.
  fileprivate func json(by sort: TrackSort) -> JSONValue {
    .object(present: [
      "by": .array(sort.wordsOfKeys.map(JSONValue.string)), "rows": .integer(rows), "moved": .integer(moved),
      "unread": .integer(unread),
    ])
  }
}

/// A command that edits the queue and needs no row numbers, such as `fermata queue clear`.
struct QueueEditCommand: Command {
  let order: QueueOrder

  static let clear = CommandDefinition(
    "clear", summary: "Remove everything and stop", read: { _ in QueueEditCommand(order: .clear) })

  static let crop = CommandDefinition(
    "crop", summary: "Remove everything but the current row",
    discussion: ["What plays goes on."], read: { _ in QueueEditCommand(order: .crop) })

  static let undo = CommandDefinition(
    "undo", summary: "Take the last edit back",
    discussion: [
      "What another `fermata play` had replaced comes back with the place in the track, and goes on if something was playing."
    ], read: { _ in QueueEditCommand(order: .undo) })

  static let redo = CommandDefinition(
    "redo", summary: "Make the edit again that was taken back",
    read: { _ in QueueEditCommand(order: .redo) })

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      guard order == .undo || order == .redo else {
        return Printer.say("\(QueueText.removed(try await agent.removing(order)))\n")
      }
      let counts = try await agent.retrace(order)
      Printer.say("\(order == .undo ? "Undone" : "Done again"): \(QueueText.edit(counts))\n")
    }
  }
}

extension ParsedCommand {
  // No queue is longer than this. Without the limit, a huge run such as `1-9999999999` would be expanded number by
  // number.
  fileprivate static let mostRows = 1_000_000

  /// The rows that these words name, counted from 1: single ones, or runs of them as `3-7`.
  func rows(_ words: [String]) throws(CommandError) -> Set<Int> {
    var rows: Set<Int> = []
    for word in words { rows.formUnion(try run(word)) }
    return rows
  }

  /// The rows that a word names, counted from 1: one, or a run of them as `3-7`.
  fileprivate func run(_ word: String) throws(CommandError) -> ClosedRange<Int> {
    let ends = word.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, ends.allSatisfy({ !$0.isEmpty }) else {
      let row = try number(word, named: "row", in: 1...Int.max)
      return row...row
    }
    let first = try number(String(ends[0]), named: "row", in: 1...Self.mostRows)
    return first...(try number(String(ends[1]), named: "row", in: first...Self.mostRows))
  }

  /// The row that an argument names, counted from 1.
  fileprivate func row(_ argument: ArgumentDefinition) throws(CommandError) -> Int {
    try number(required(argument), named: "row", in: 1...Int.max)
  }
}
