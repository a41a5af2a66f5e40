// SPDX-License-Identifier: MIT
import AgentAccess
import CommandModel
import FaceModel
import LibraryQuery
import MediaModel
import PlaybackLogic

/// The queue as text for a person.
enum QueueText {
  /// The lines of the queue; `queue` has the rows from `first` on. The current row has the sign of the playback state, and lengths are on the right.
  /// If `width` is given, no line is wider.
  static func lines(
    _ queue: QueuePage, from first: Int = 1, state: PlaybackState = .stopped, width: Int?
  ) -> [StyledText] {
    guard queue.length > 0 else { return [empty] }
    let lines = table(queue, rows: Array(first..<first + queue.items.count), state).lines(width: width)
    return lines + ["", StyledText(summary(queue), .dim)]
  }

  /// The rows to show on a terminal of this height if the user names none; nil if all fit. Some rows before the current one are among them.
  static func window(around current: Int?, of length: Int, height: Int) -> ClosedRange<Int>? {
    // Room for the lines below the rows: a blank line, the sum, the hint for the other rows, and the next prompt.
    let room = max(5, height - 4)
    guard length > room else { return nil }
    let first = min(max(1, (current ?? 1) - min(3, room / 4)), length - room + 1)
    return first...first + room - 1
  }

  /// A hint how to list the other rows of a long queue.
  static let more = StyledText("'fermata queue list 1-' lists all of them", .dim)

  /// The lines of the entries that come next; `rows` has the row of each in the queue.
  static func upcoming(_ queue: QueuePage, _ rows: [Int], width: Int?) -> [StyledText] {
    guard queue.length > 0 else { return [empty] }
    guard !rows.isEmpty else { return [StyledText("Nothing comes after this.")] }
    return table(queue, rows: rows, nil).lines(width: width)
  }

  private static let empty = StyledText("The queue is empty. Fill it with 'fermata add SOURCE…'")

  /// The rows of the queue; the current one has the sign of `state`, if that is given.
  private static func table(_ queue: QueuePage, rows: [Int], _ state: PlaybackState?) -> Table {
    var table = Table([
      .init(), .init(rightAligned: true), .init(flexible: true), .init(flexible: true, optional: true),
      .init(flexible: true, optional: true), .init(rightAligned: true),
    ])
    let sign = state.map(StatusText.sign)
    for (row, item) in zip(rows, queue.items) {
      table.append(cells(item, row: row, sign: row == queue.current ? sign : nil))
    }
    return table
  }

  private static func cells(_ face: ItemFace, row: Int, sign: String?) -> [StyledText] {
    let tags = face.item.tags
    // The reason why a file can't be played may end with a list of formats that can; that part is too long for a row.
    let reason = face.isMissing ? "missing" : face.unplayable.map(PlainWords.refusal)
    let style: Style = reason != nil ? .dim : sign == nil ? .plain : .bold
    let title = StyledText.outside(face.item.displayTitle, style)
    return [
      StyledText(sign ?? " "), StyledText(String(row), .dim),
      reason.map { title + .outside(" (\($0))", .dim) } ?? title,
      .outside(StatusText.artist(of: face) ?? "", style), .outside(tags.album ?? "", .dim),
      StyledText(tags.duration.map(ClockText.text) ?? "–", .dim),
    ]
  }

  /// A text about tracks that were removed: "Removed 3 tracks; 'fermata queue undo' brings them back".
  static func removed(_ count: Int) -> String {
    guard count > 0 else { return "There was nothing to remove" }
    return "Removed \(tracks(count)); 'fermata queue undo' brings \(count == 1 ? "it" : "them") back"
  }

  /// A text about the changes of an edit: "3 tracks added".
  static func edit(_ counts: EditCounts) -> String {
    if !counts.order.isEmpty { return "\(tracks(counts.moved)) sorted by \(counts.order)" }
    if counts.added > 0, counts.removed > 0 { return "\(tracks(counts.removed)) replaced by \(counts.added)" }
    if counts.added > 0 { return "\(tracks(counts.added)) added" }
    return counts.removed > 0 ? "\(tracks(counts.removed)) removed" : "\(tracks(counts.moved)) moved"
  }

  /// A text about the outcome of sorting, and, if entries come last because nothing is known of them, a line about those.
  static func lines(_ outcome: SortOutcome, by sort: TrackSort) -> [String] {
    let done =
      outcome.moved == 0
      ? "Already in order by \(sort)"
      : "\(tracks(outcome.rows)) sorted by \(sort); 'fermata queue undo' takes it back"
    return [done] + (unread(outcome).map { [$0] } ?? [])
  }

  /// A sentence about the entries that come last because nothing is known of them; nil if there are none.
  static func unread(_ outcome: SortOutcome) -> String? {
    guard outcome.unread > 0 else { return nil }
    return outcome.unread == 1
      ? "1 that could not be read stands last"
      : "\(outcome.unread) that could not be read stand last, by path"
  }

  private static func tracks(_ count: Int) -> String { CountText.text(count, "track") }

  /// The number of tracks and their total length, as far as that is known; of a part of the queue, that of the part.
  private static func summary(_ queue: QueuePage) -> String {
    let lengths = queue.items.compactMap(\.item.tags.duration)
    let count = queue.items.count
    let tracks = count < queue.length ? "\(count) of \(tracks(queue.length))" : tracks(queue.length)
    guard !lengths.isEmpty else { return tracks }
    let total = ClockText.text(lengths.reduce(.zero, +))
    return lengths.count == count ? "\(tracks), \(total)" : "\(tracks), \(total) or more"
  }
}
