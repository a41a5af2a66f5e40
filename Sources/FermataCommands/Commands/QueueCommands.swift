// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import MediaModel
import PlaybackLogic

/// `fermata queue`, which has commands of its own.
enum QueueCommands {
  static let definition = CommandDefinition(
    "queue", summary: "Show or edit what plays next",
    discussion: ["Rows count from 1, in the order of the list. Every edit can be undone."],
    groups: [
      .init([
        QueueListCommand.definition, QueueJumpCommand.definition, QueueRemoveCommand.definition,
        QueueMoveCommand.definition, QueueEditCommand.clear, QueueEditCommand.undo, QueueEditCommand.redo,
        QueueSaveCommand.definition,
      ])
    ],
    standard: "list",
    examples: [
      ("fermata queue", "List it, the row that plays marked"),
      ("fermata queue move 9 2", "Let row 9 become row 2"),
    ])
}

/// `fermata queue list`.
struct QueueListCommand: Command {
  let json: Bool

  static let definition = CommandDefinition(
    "list", summary: "List the queue", options: [.json], read: Self.init)

  init(_ parsed: ParsedCommand) { json = parsed.has(.json) }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      let queue = try await agent.queue()
      try Printer.write(queue.json, if: json) { QueueText.lines(queue, width: $0) }
    }
  }
}

/// `fermata queue jump`.
struct QueueJumpCommand: Command {
  /// The row, counted from 1.
  let row: Int

  private static let row = ArgumentDefinition(ValueDefinition("N"), summary: "A row")

  static let definition = CommandDefinition(
    "jump", summary: "Play row N", arguments: [row], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) { row = try parsed.row(Self.row) }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      for entry in try await agent.entries(ofRows: [row]) { _ = try await agent.order(.jump(to: entry)) }
    }
  }
}

/// `fermata queue remove`.
struct QueueRemoveCommand: Command {
  /// The rows, counted from 1, in ascending order and each once.
  let rows: [Int]

  private static let rows = ArgumentDefinition(
    ValueDefinition("N"), .some, summary: "Rows or, as `3-7`, runs of them, all counted before any is removed"
  )

  // No queue is longer than this. Without the limit, a huge run such as `1-9999999999` would be expanded number by
  // number.
  private static let mostRows = 1_000_000

  static let definition = CommandDefinition(
    "remove", summary: "Remove rows", discussion: ["If one of them plays, the next one that stays goes on."],
    arguments: [rows], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    var rows: Set<Int> = []
    for word in parsed.values(Self.rows) {
      let ends = word.split(separator: "-", omittingEmptySubsequences: false)
      guard ends.count == 2, ends.allSatisfy({ !$0.isEmpty }) else {
        rows.insert(try parsed.number(word, named: "row", in: 1...Int.max))
        continue
      }
      let first = try parsed.number(String(ends[0]), named: "row", in: 1...Self.mostRows)
      rows.formUnion(first...(try parsed.number(String(ends[1]), named: "row", in: first...Self.mostRows)))
    }
    self.rows = rows.sorted()
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      try await agent.edit(.remove(agent.entries(ofRows: rows)))
    }
  }
}

/// `fermata queue move`.
struct QueueMoveCommand: Command {
  /// The row to move, counted from 1.
  let from: Int
  /// The row at which the moved entry is to be afterwards, counted from 1.
  let to: Int

  private static let from = ArgumentDefinition(ValueDefinition("N"), summary: "The row to move")
  private static let to = ArgumentDefinition(
    ValueDefinition("M"), summary: "The row that it is to be afterwards")

  static let definition = CommandDefinition(
    "move", summary: "Move a row to another place", arguments: [from, to], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    from = try parsed.row(Self.from)
    to = try parsed.row(Self.to)
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      // Both rows must exist, so that a mistyped target is not taken for the end of the queue.
      _ = try await agent.entries(ofRows: [to])
      for entry in try await agent.entries(ofRows: [from]) {
        try await agent.edit(.move(entry, count: 1, to: to))
      }
    }
  }
}

/// An edit of the queue that needs no row numbers.
struct QueueEditCommand: Command {
  let order: QueueOrder

  static let clear = CommandDefinition(
    "clear", summary: "Remove everything and stop", read: { _ in QueueEditCommand(order: .clear) })

  static let undo = CommandDefinition(
    "undo", summary: "Take the last edit back",
    discussion: [
      "What another 'fermata play' had replaced comes back with the place in the track, and goes on if something was playing."
    ], read: { _ in QueueEditCommand(order: .undo) })

  static let redo = CommandDefinition(
    "redo", summary: "Make the edit again that was taken back",
    read: { _ in QueueEditCommand(order: .redo) })

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      guard order == .undo || order == .redo else { return try await agent.edit(order) }
      let counts = try await agent.retrace(order)
      Printer.say("\(order == .undo ? "Undone" : "Done again"): \(QueueText.edit(counts))\n")
    }
  }
}

extension ParsedCommand {
  /// The row that an argument names, counted from 1.
  fileprivate func row(_ argument: ArgumentDefinition) throws(CommandError) -> Int {
    try number(required(argument), named: "row", in: 1...Int.max)
  }
}

/// The queue as text for a person.
enum QueueText {
  /// The lines of the queue. The current row is marked, and lengths are on the right. If `width` is given, no line is
  /// wider.
  static func lines(_ queue: QueuePage, width: Int?) -> [StyledText] {
    guard queue.length > 0 else {
      return [StyledText("The queue is empty. Fill it with 'fermata add SOURCE…'")]
    }
    var table = Table([
      .init(), .init(rightAligned: true), .init(flexible: true), .init(flexible: true, optional: true),
      .init(flexible: true, optional: true), .init(rightAligned: true),
    ])
    for (index, item) in queue.items.enumerated() {
      table.append(cells(item, row: index + 1, isCurrent: index + 1 == queue.current))
    }
    return table.lines(width: width) + ["", StyledText(summary(queue), .dim)]
  }

  private static func cells(_ face: ItemFace, row: Int, isCurrent: Bool) -> [StyledText] {
    let tags = face.item.tags
    // A reason may go on with what is played instead, which is too long for a row.
    let reason = face.isMissing ? "missing" : face.unplayable?.split(separator: ";").first.map(String.init)
    let style: Style = reason != nil ? .dim : isCurrent ? .bold : .plain
    let title = StyledText.outside(face.item.displayTitle, style)
    return [
      isCurrent ? "▶" : " ", StyledText(String(row), .dim),
      reason.map { title + .outside(" (\($0))", .dim) } ?? title,
      .outside(StatusText.artist(of: face) ?? "", style), .outside(tags.album ?? "", .dim),
      StyledText(tags.duration.map(ClockText.text) ?? "–", .dim),
    ]
  }

  /// What an edit changed: "3 tracks added".
  static func edit(_ counts: EditCounts) -> String {
    if counts.added > 0, counts.removed > 0 { return "\(tracks(counts.removed)) replaced by \(counts.added)" }
    if counts.added > 0 { return "\(tracks(counts.added)) added" }
    return counts.removed > 0 ? "\(tracks(counts.removed)) removed" : "\(tracks(counts.moved)) moved"
  }

  private static func tracks(_ count: Int) -> String { count == 1 ? "1 track" : "\(count) tracks" }

  /// The number of tracks and their total length, as far as it is known.
  private static func summary(_ queue: QueuePage) -> String {
    let lengths = queue.items.compactMap(\.item.tags.duration)
    let tracks = tracks(queue.length)
    guard !lengths.isEmpty else { return tracks }
    let total = ClockText.text(lengths.reduce(.zero, +))
    return lengths.count == queue.length ? "\(tracks), \(total)" : "\(tracks), \(total) or more"
  }
}
