// SPDX-License-Identifier: MIT
import FaceModel

// The marks on Library, Search and Lists. Those on Queue are the queue's own.
extension Screen {
  /// Whether rows are marked, and this is one of the screens where that shows.
  var hasPicks: Bool { cursorRow != nil && !picks.isEmpty }

  /// How many rows are marked, including the range that is being marked.
  var markedRows: Int {
    guard let start = picks.rangeStart, let row = cursorRow else { return picks.choices.count }
    var all = picks
    all.add((min(start, row)...max(start, row)).compactMap(choice))
    return all.choices.count
  }

  /// The chosen row of a list whose rows are marked as what they stand for.
  var cursorRow: Int? { presentCursor?.row }

  private var presentCursor: ListCursor? {
    switch tab {
    case .library: library.cursor
    case .search: search.cursor
    case .lists: lists.cursor
    case .queue, .now, .pads, .jobs: nil
    }
  }

  /// Makes a change by which rows may come and go. The other end of a range of rows stays at what it stands for.
  mutating func keepingRange(_ change: (inout Screen) -> Void) {
    let former = cursorRow
    let meant = picks.rangeStart.flatMap(choice)
    change(&self)
    guard let start = picks.rangeStart, let former, let cursor = presentCursor else { return }
    // If the row was not read, all that is known is how the chosen row has moved.
    guard let meant else { return picks.rangeStart = max(0, start + cursor.row - former) }
    // No row is known that is farther away.
    let near = (0...RowWindow<TrackRow>.most).lazy.flatMap { [start - $0, start + $0] }
    let found = near.first { $0 >= 0 && $0 < cursor.count && self.choice(ofRow: $0) == meant }
    picks.rangeStart = found ?? max(0, min(start, cursor.count - 1))
  }

  private func track(ofRow row: Int) -> TrackRow? {
    switch tab {
    case .library: library.track(ofRow: row)
    case .search: search.track(ofRow: row)
    case .queue, .lists, .now, .pads, .jobs: nil
    }
  }

  private func choice(ofRow row: Int) -> LibraryChoice? {
    switch tab {
    case .library: library.choice(ofRow: row)
    case .search: search.choice(ofRow: row)
    case .lists: lists.choice(ofRow: row)
    case .queue, .now, .pads, .jobs: nil
    }
  }

  mutating func mark(at time: Duration) {
    guard let choice = cursorRow.flatMap(choice) else { return say("nothing is chosen", at: time) }
    picks.toggle(choice)
  }

  /// Ends the range that is being marked, and marks its rows. Call it before a key that goes to another list, or does something with the marked rows. If
  /// some rows of a long range have not been read, the listener is told that these are not marked.
  mutating func endRange(at time: Duration) {
    let (rows, choices) = takeRange()
    picks.add(choices)
    if choices.count < rows {
      say("only \(choices.count) of these \(rows) rows are marked: the others were not read", at: time)
    }
  }

  /// Ends the range because of this order for its rows. Rows that were not read are named by the question of which they are the answer. Where there is
  /// none, such as for albums, nothing may be done with only a part of the rows: then returns false, and the listener is told.
  mutating func endRange(for action: KeyAction, at time: Duration) -> Bool {
    var slice = rangeRequest
    if case .rate = action { slice = nil }
    let (rows, choices) = takeRange()
    picks.add(choices.count < rows && slice != nil ? [slice].compactMap(\.self) : choices)
    guard choices.count < rows, slice == nil else { return true }
    say(
      "only \(choices.count) of these \(rows) rows were read and are marked; the same key takes them",
      at: time)
    return false
  }

  /// The number of rows in the range that is being marked, and what those stand for that were read. There is no range afterwards.
  private mutating func takeRange() -> (rows: Int, choices: [LibraryChoice]) {
    guard let start = picks.rangeStart, let row = cursorRow else { return (0, []) }
    picks.rangeStart = nil
    let rows = min(start, row)...max(start, row)
    return (rows.count, rows.compactMap(choice))
  }

  /// A question to the library whose answer are the tracks in the rows of the range, also those that the screen has not read. Nil if a row is no track,
  /// such as an album below the tracks that a search found.
  private var rangeRequest: LibraryChoice? {
    guard let start = picks.rangeStart, let row = cursorRow else { return nil }
    let request =
      switch tab {
      case .library: library.trackRequest
      case .search: max(start, row) < search.trackCount ? search.trackRequest : nil
      case .queue, .lists, .now, .pads, .jobs: nil as LibraryRequest?
      }
    guard var request else { return nil }
    (request.first, request.limit) = (min(start, row) + 1, max(start, row) + 1)
    return .request(request)
  }

  /// Marks the rows of the present list that are not marked, and unmarks those that are. Of a list of thousands some rows may not have been read.
  mutating func invertMarks(at time: Duration) {
    if tab == .queue {
      queue.invertMarks()
      if queue.isReadingOn { say("the rest of the queue is still being read for these words", at: time) }
      return
    }
    guard let count = presentCursor?.count else { return }
    let choices = (0..<count).compactMap(choice)
    picks.invert(choices)
    if choices.count < count {
      say("only \(choices.count) of \(count) rows are inverted: the others were not read", at: time)
    }
  }

  /// The marked rows, or else the chosen one; on Now, what plays. Nil if there is none.
  var rowsToAdd: LibraryChoice? {
    switch tab {
    case .queue where queue.isMarking:
      return queue.markedTracks.map { .several($0.map { .track($0) }) } ?? .rows(queue.markedRows)
    case .queue, .now: return subject.map { .track($0.rated) }
    case .library, .search, .lists: return picks.choice ?? heldChoice?.row ?? choice(fromHere: false)
    case .pads, .jobs: return nil
    }
  }

  /// Marks the rows around the chosen one that are of the same album.
  mutating func markAlbum(at time: Duration) {
    if tab == .queue {
      if let text = queue.markAlbum() { say(text, at: time) }
      return
    }
    guard let cursor = presentCursor, let album = track(ofRow: cursor.row)?.album, !album.isEmpty else {
      return say("that is no track of an album", at: time)
    }
    let run = AlbumRun(around: cursor.row, of: cursor.count) { track(ofRow: $0)?.albumKey }
    picks.add(run.rows.compactMap(choice))
    if !run.isWhole { say(AlbumRun.text(marked: run.rows.count), at: time) }
  }
}

/// The rows around one that are of the same album.
struct AlbumRun {
  let rows: Range<Int>
  /// Whether the rows beside these are known to be of another album.
  let isWhole: Bool

  /// The rows before and after `row` as far as they are of its album. `album` returns the album of each of the `count` rows, and nil for one that was not
  /// read; there the run ends.
  init(around row: Int, of count: Int, album: (Int) -> [Substring]?) {
    let name = album(row)
    var (first, last) = (row, row)
    while first > 0, album(first - 1) == name { first -= 1 }
    while last + 1 < count, album(last + 1) == name { last += 1 }
    rows = first..<last + 1
    isWhole = (first == 0 || album(first - 1) != nil) && (last + 1 >= count || album(last + 1) != nil)
  }

  static func text(marked: Int) -> String {
    "\(marked) rows are marked; the album may go on in rows that were not read"
  }
}

/// The rows that are marked on Library, Search and Lists, in the order in which they were marked. The next order to play or add is for all of them.
///
/// A row is kept as what it stands for and not by its number, so marks stay while the user looks at other albums, searches, or the library changes.
struct Picks: Sendable {
  private(set) var choices: [LibraryChoice] = []
  /// The row of the present list at which a range that is being marked begins; nil while none is.
  var rangeStart: Int?

  var isEmpty: Bool { choices.isEmpty && rangeStart == nil }

  /// What the marked rows stand for together; nil if none is marked.
  var choice: LibraryChoice? { choices.isEmpty ? nil : .several(choices) }

  mutating func toggle(_ choice: LibraryChoice) {
    if let place = choices.firstIndex(of: choice) {
      choices.remove(at: place)
    } else {
      choices.append(choice)
    }
  }

  /// Marks rows that are not marked yet.
  mutating func add(_ new: [LibraryChoice]) {
    var known = Set(choices)
    choices += new.filter { known.insert($0).inserted }
  }

  /// Unmarks those of these rows that are marked, and marks the others, after all that is marked otherwise.
  mutating func invert(_ rows: [LibraryChoice]) {
    let (known, here) = (Set(choices), Set(rows))
    choices.removeAll { here.contains($0) }
    add(rows.filter { !known.contains($0) })
  }

  mutating func clear() { self = Picks() }
}

/// The marks as a list draws them.
struct ShownPicks {
  private let choices: Set<LibraryChoice>
  private let range: ClosedRange<Int>?

  /// `cursor` is the chosen row of the list in which a range is being marked.
  init(_ picks: Picks, cursor: Int) {
    choices = Set(picks.choices)
    range = picks.rangeStart.map { min($0, cursor)...max($0, cursor) }
  }

  /// Whether a row is marked. `isActive` tells whether its list is the one in which a range may be marked.
  func has(_ row: Int, isActive: Bool, _ choice: @autoclosure () -> LibraryChoice?) -> Bool {
    if isActive, range?.contains(row) == true { return true }
    return !choices.isEmpty && choice().map(choices.contains) == true
  }
}

/// What the chosen row of Library, Search or Lists stood for when somebody began to choose an action for it.
struct HeldChoice: Sendable {
  /// The row alone.
  let row: LibraryChoice?
  /// The row and all that comes after it.
  let fromHere: LibraryChoice?
}
