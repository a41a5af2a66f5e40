// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import PlaybackLogic

/// The queue: its rows, the chosen one, the marked ones, and the words that narrow it.
///
/// Of a long queue only the visible rows and a page around them are read, so marks are stored as row numbers. The agent reports each edit, and then
/// marks and the chosen row move with their entries.
struct QueueScreen: Sendable {
  private var rows = RowWindow<TrackRow>()
  private(set) var cursor = ListCursor()
  /// The row of the track that plays or would play, counted from 0; nil if there is none.
  private(set) var current: Int?
  private var marks = RangeSet<Int>()
  /// The row of the queue at which the range that is being marked begins; nil while none is.
  private var anchor: Int?
  /// Whether an action for the chosen row is being chosen, so the choice must not change by itself.
  var isHeld = false
  private(set) var narrowing: Narrowing?
  /// What was read for the words before they were cleared, so that the next words need not read the queue again; nil while the list is narrowed.
  private var resting: Narrowing?
  /// The row that was chosen when words to narrow the list began to be typed.
  private var rowBeforeWords: Int?
  /// The row of the queue from which rows with the words are counted, and how many on, or back if negative, while the queue is still being read for it.
  /// Until then no row is chosen.
  private var goingOn: (row: Int, steps: Int)?
  private var hasAnswer = false
  /// The number of the last question that had been asked when the current row was told. Answers up to it may have an older one.
  private var currentNumber = 0
  /// The number of the last question that `narrowing` asked.
  private var narrowingNumber = 0
  private var orders = QueueOrders()
  /// Which rows are asked for again because their tags had not been read.
  private var unread = UnreadRows()

  var isEmpty: Bool { hasAnswer && rows.count == 0 }
  var isMarking: Bool { anchor != nil || !marks.isEmpty }
  var count: Int { rows.count }

  // MARK: What the agent says

  /// Takes rows, unless the queue has changed since they were asked for: reading their tags may last longer than an edit.
  mutating func take(_ page: QueuePage, _ ticket: QueueTicket) {
    let new = page.items.map(TrackRow.init)
    switch ticket.asker {
    case .narrowing:
      let chosen = row(at: cursor.row)
      guard narrowing?.take(new, total: page.length, ticket) == true else { return }
      rows.resize(page.length)
      cursor.set(count: shownCount)
      if goingOn != nil { goToHit() } else if let chosen { cursor.move(to: index(from: chosen)) }
    case .list:
      guard !rows.isOutdated(ticket.number) else { return }
      rows.take(new, first: ticket.first, total: page.length, number: ticket.number)
      unread.note(new, from: ticket.first)
      if ticket.number > currentNumber { move(current: page.current.map { $0 - 1 }) }
    }
    if !hasAnswer, let current { cursor.set(count: page.length); cursor.move(to: current); cursor.center() }
    hasAnswer = true
    cursor.set(count: shownCount)
  }

  /// Lets the question with this ticket be asked again, unless another one was asked meanwhile.
  mutating func askAgain(_ ticket: QueueTicket) {
    switch ticket.asker {
    case .narrowing: narrowing?.askAgain(ticket.number)
    case .list: rows.askAgain(ticket.number)
    }
  }

  mutating func set(current row: Int?) {
    currentNumber = rows.number
    move(current: row)
  }

  private mutating func move(current row: Int?) {
    // If the current row is the chosen one, the choice follows when another row becomes current.
    let follows =
      row != current && current != nil && current == cursor.row && narrowing == nil && !isHeld
      && anchor == nil
    current = row
    if follows, let row { cursor.move(to: row) }
  }

  mutating func take(_ items: [ItemFace]) {
    for face in items {
      guard let entry = face.entry, let row = rows.known.first(where: { rows[$0]?.entry == entry }) else {
        continue
      }
      rows[row] = TrackRow(face)
    }
    resting?.take(items)
    guard narrowing != nil else { return }
    let chosen = row(at: cursor.row)
    narrowing?.take(items)
    cursor.set(count: shownCount)
    if let chosen { cursor.move(to: index(from: chosen)) }
  }

  /// Moves all that is known of rows as the edit moves them. Returns whether the chosen row is still there.
  mutating func take(_ news: QueueNews) -> Bool {
    let shifts = RowShifts(news.edit)
    var chosen = row(at: cursor.row) ?? 0
    var isThere = false
    if let shifts {
      isThere = shifts.row(chosen) != nil
      // In an empty queue no row is chosen, so rows that are added must not push the choice down.
      if rows.count > 0 { chosen = shifts.place(of: chosen) }
      marks = shifts.rows(marks)
      anchor = anchor.map(shifts.place)
      current = current.map(shifts.place)
      rowBeforeWords = rowBeforeWords.map(shifts.place)
      goingOn = goingOn.map { (shifts.place(of: $0.row), $0.steps) }
    } else {
      clearMarks()
      goingOn = nil
    }
    rows.resize(news.length)
    rows.invalidate(shifts)
    unread = UnreadRows()
    narrowing?.take(shifts, length: news.length)
    resting?.take(shifts, length: news.length)
    cursor.set(count: shownCount)
    cursor.move(to: index(from: chosen))
    let after = self
    orders.told(of: news.edit) { after.moved($0, by: shifts) }
    return isThere
  }

  /// The rows that a waiting order is for, as they are numbered after an edit. If its chosen row was removed, the next row that is shown takes its place.
  private func moved(_ subject: QueueOrders.Subject, by shifts: RowShifts?) -> QueueOrders.Subject {
    var moved = subject
    moved.marked = shifts?.rows(subject.marked) ?? RangeSet()
    moved.chosen = subject.chosen.flatMap { chosen in
      row(at: min(index(from: shifts?.place(of: chosen) ?? chosen), shownCount - 1))
    }
    return moved
  }

  /// Carries out the orders that waited for an edit.
  mutating func goOn() -> [ScreenEffect] {
    var effects: [ScreenEffect] = []
    while !effects.contains(where: \.editsUnseen), let next = orders.next() {
      effects += perform(next.order, on: next.subject)
    }
    return effects
  }

  /// Whether orders were dropped since the last call, because the agent did not tell where their rows are now.
  mutating func takeLostOrders() -> Bool { orders.takeLost() }

  /// Drops orders to play a row that wait for an edit. Call when the music is silenced after them.
  mutating func dropWaitingPlays() { orders.dropPlays() }

  /// How many orders wait for the agent to tell of an earlier edit.
  var waitingOrders: Int { orders.waitingCount }

  /// Call when an order goes out whose edit only the agent knows.
  mutating func waitForAnswer() { orders.waitForAnswer() }

  /// Notes the agent's answer to an order that edits the queue.
  mutating func ended(_ order: ScreenEffect, isGood: Bool) { orders.ended(order, isGood: isGood) }

  /// Makes the screen ask again, because edits may have been missed. Marks are dropped with that, since they are row numbers.
  mutating func forget() {
    orders.drop()
    clearMarks()
    rows.invalidate()
    unread = UnreadRows()
    narrowing?.readAgain()
    resting = nil
  }

  // MARK: Narrowing

  private var shownCount: Int { narrowing.map(\.matches.count) ?? rows.count }

  /// The row of the queue at this index of the list, which shows only some rows if it is narrowed by typed words.
  private func row(at index: Int) -> Int? {
    guard let narrowing else { return (0..<rows.count).contains(index) ? index : nil }
    return narrowing.matches.indices.contains(index) ? narrowing.matches[index] : nil
  }

  /// Those of these rows of the queue that the list shows.
  private func shown(_ rows: Range<Int>) -> RangeSet<Int> {
    let rows = rows.clamped(to: 0..<self.rows.count)
    guard let narrowing else { return RangeSet(rows) }
    let matches = narrowing.matches[index(from: rows.lowerBound)..<index(from: rows.upperBound)]
    return matches.reduce(into: RangeSet()) { $0.insert(contentsOf: $1..<$1 + 1) }
  }

  private func index(ofRow row: Int?) -> Int? {
    guard let row, let narrowing else { return row }
    return narrowing.matches.firstIndex(of: row)
  }

  /// The index in the list of this row, or of the next one that is shown.
  private func index(from row: Int) -> Int { narrowing?.index(from: row) ?? row }

  private func track(_ row: Int) -> TrackRow? { narrowing?.track(row) ?? rows[row] }

  /// The track that is certainly in this row; nil if the queue has changed, and its rows have not come yet.
  private func certainTrack(_ row: Int) -> TrackRow? { narrowing?.track(row) ?? rows.certain(row) }

  /// Shows only rows with these words again, and chooses the next of them after the chosen row, or the one before it, going round at the end.
  mutating func narrow(_ words: String, goingOn step: Int) {
    guard let row = row(at: cursor.row) else { return }
    beginWords()
    narrow(words)
    goingOn = (row, step)
    // The queue may have been read for words before.
    goToHit()
  }

  /// Goes to the next row with the words, or the one before, and round at the end of the list.
  mutating func goOn(_ step: Int) {
    if goingOn != nil { goingOn?.steps += step } else { change { $0.goRound(by: step) } }
  }

  private mutating func goToHit() {
    guard let (row, steps) = goingOn, let narrowing, narrowing.hasRead(row) else { return }
    let count = narrowing.matches.count
    let place = steps > 0 ? index(from: row + 1) + steps - 1 : index(from: row) + steps
    if narrowing.isWhole || (0..<count).contains(place) { goingOn = nil }
    // Whether to go round is known only when the whole list was read.
    if goingOn == nil, count > 0 { cursor.move(to: (place % count + count) % count) }
  }

  mutating func narrow(_ words: String) {
    goingOn = nil
    let chosen = row(at: cursor.row)
    if words.isEmpty {
      narrowing?.rest()
      (resting, narrowing) = (narrowing ?? resting, nil)
    } else {
      (narrowing, resting) = (narrowing ?? resting ?? Narrowing(words), nil)
      narrowing?.words = words
    }
    cursor.set(count: shownCount)
    cursor.move(to: index(ofRow: chosen ?? (words.isEmpty ? rowBeforeWords : nil)) ?? 0)
  }

  /// Notes what is chosen, to go back there when no words are typed after all.
  mutating func beginWords() { rowBeforeWords = row(at: cursor.row) ?? rowBeforeWords }

  /// Shows all rows again, and chooses the one that was chosen before words were typed.
  mutating func cancelWords() {
    if narrowing != nil { narrow("") }
    if let rowBeforeWords { cursor.move(to: rowBeforeWords) }
  }

  // MARK: Keys

  mutating func set(height: Int) { cursor.set(height: height) }
  /// Chooses a row of the queue, counted from 0, or the last one if it has fewer. Returns false if the words that narrow the list hide it.
  mutating func choose(row: Int) -> Bool {
    goingOn = nil
    guard let index = index(ofRow: min(row, max(0, count - 1))) else { return false }
    cursor.move(to: index)
    return true
  }
  mutating func change(_ change: (inout ListCursor) -> Void) {
    goingOn = nil
    change(&cursor)
  }

  /// Chooses the row of the track that plays or would play.
  mutating func goToCurrent() {
    goingOn = nil
    guard let index = index(ofRow: current) else { return }
    cursor.move(to: index)
    cursor.center()
  }

  /// The track of the chosen row; nil if it is not known yet.
  var chosen: TrackRow? { chosenIndex.flatMap(certainTrack) }

  /// The chosen row, counted from 0. Nil while the rows are still read among which the chosen one will be: the cursor says nothing until then.
  private var chosenIndex: Int? { goingOn == nil ? row(at: cursor.row) : nil }

  /// The entry in a row; nil if the rows have not been read since the queue changed.
  private func entry(ofRow row: Int) -> EntryID? {
    narrowing == nil && rows.isAnswered ? track(row)?.entry : nil
  }

  /// The chosen row, counted from 1.
  var chosenRow: Int? { row(at: cursor.row).map { $0 + 1 } }

  mutating func mark() {
    guard let row = chosenIndex else { return }
    if marks.contains(row) {
      marks.remove(contentsOf: row..<row + 1)
    } else {
      marks.insert(contentsOf: row..<row + 1)
    }
  }

  /// Begins to mark a range, or ends it and keeps its rows marked.
  mutating func markRange() {
    if anchor != nil {
      guard !isRangeOpen else { return }
      marks = marked
      anchor = nil
    } else {
      anchor = chosenIndex
    }
  }

  /// Whether a range is being marked whose other end is not known yet.
  var isRangeOpen: Bool { anchor != nil && goingOn != nil }

  mutating func invertMarks() {
    marks = shown(0..<count).subtracting(marked)
    anchor = nil
  }

  /// Marks the rows around the chosen one that are of the same album, of those that are shown. Returns what is to be said about it; nil if nothing is.
  mutating func markAlbum() -> String? {
    guard let row = chosenIndex, let album = certainTrack(row)?.album, !album.isEmpty else {
      return "that is no track of an album"
    }
    let run = AlbumRun(around: row, of: rows.count) { certainTrack($0)?.albumKey }
    let marked = shown(run.rows)
    marks.formUnion(marked)
    return run.isWhole ? nil : AlbumRun.text(marked: marked.ranges.reduce(0) { $0 + $1.count })
  }

  /// Whether the list is narrowed, and not all rows were looked at yet for the words.
  var isReadingOn: Bool { narrowing.map { !$0.isWhole } ?? false }

  mutating func clearMarks() { (marks, anchor) = (RangeSet(), nil) }

  /// The tracks in the marked rows; nil if some of these were not read.
  var markedTracks: [RatedTrack]? {
    let tracks = marked.ranges.joined().map { track($0)?.rated }
    return tracks.contains(nil) ? nil : tracks.compactMap(\.self)
  }

  /// The marked rows, counted from 1.
  var markedRows: [ClosedRange<Int>] { marked.ranges.map { $0.lowerBound + 1...$0.upperBound } }

  /// The marked rows, including the range that is being marked.
  private var marked: RangeSet<Int> {
    guard let anchor, let chosen = chosenIndex else { return marks }
    return marks.union(shown(min(anchor, chosen)..<max(anchor, chosen) + 1))
  }

  /// Carries out an order, or has it wait for the agent to tell of the edit that is under way.
  mutating func order(_ order: QueueOrders.Order) -> [ScreenEffect] {
    let subject = QueueOrders.Subject(marked: marked, chosen: chosenIndex)
    // After a sort, the rows that are shown until the new ones come are at other places. A narrowed list reads its own rows.
    if narrowing == nil, rows.isElsewhere, !order.isForAll(subject) {
      orders.lose()
      return []
    }
    switch order {
    case .play: break
    case .remove, .sort: clearMarks()
    case .shift: (marks, anchor) = (marked, nil)
    }
    return orders.mayGo(order, subject) ? perform(order, on: subject) : []
  }

  private mutating func perform(_ order: QueueOrders.Order, on subject: QueueOrders.Subject) -> [ScreenEffect]
  {
    switch order {
    case .play: subject.chosen.map { [.jump(row: $0 + 1, entry: entry(ofRow: $0))] } ?? []
    case .remove: remove(subject)
    case .shift(let step): shift(subject, by: step)
    case .sort(let key): sort(subject, by: key)
    }
  }

  private mutating func remove(_ subject: QueueOrders.Subject) -> [ScreenEffect] {
    let ranges = subject.rows.ranges.map { $0.lowerBound + 1...$0.upperBound }
    guard !ranges.isEmpty else { return [] }
    orders.went(edits: 1)
    let entries = subject.rows.ranges.joined().compactMap(entry(ofRow:))
    let count = ranges.reduce(0) { $0 + $1.count }
    return [.remove(ranges, entries: entries.count == count ? entries : [])]
  }

  private mutating func sort(_ subject: QueueOrders.Subject, by key: String) -> [ScreenEffect] {
    let ranges = subject.marked.ranges.map { $0.lowerBound + 1...$0.upperBound }
    // Without rows all would be sorted.
    guard !ranges.isEmpty || !subject.isOfMarks else { return [] }
    return [.sort(by: key, rows: ranges)]
  }

  /// Moves the marked rows, or the chosen one, by one row. Separate runs of rows move one after the other, beginning with the one in front.
  private mutating func shift(_ subject: QueueOrders.Subject, by step: Int) -> [ScreenEffect] {
    guard narrowing == nil else { return [] }
    let ranges = subject.rows.ranges
    guard let first = ranges.first, let last = ranges.last else { return [] }
    guard first.lowerBound + step >= 0, last.upperBound + step <= rows.count else { return [] }
    orders.went(edits: ranges.count)
    let order = step > 0 ? Array(ranges.reversed()) : Array(ranges)
    return order.map { rows in
      let row = rows.lowerBound + 1
      return .move(row: row, count: rows.count, to: row + step, entry: entry(ofRow: rows.lowerBound))
    }
  }

  // MARK: Asking

  mutating func needs() -> [ScreenEffect] {
    var effects: [ScreenEffect] = []
    if let question = narrowing?.need(narrowingNumber + 1) {
      narrowingNumber += 1
      let ticket = QueueTicket(asker: .narrowing, number: narrowingNumber, first: question.lowerBound)
      effects.append(.needQueue(ticket, count: question.count))
    }
    // In a narrowed list, the matching rows are kept by `narrowing` and need not be read again.
    let visible = narrowing == nil ? cursor.visible : 0..<0
    let wanted = visible.isEmpty ? 0..<cursor.height : visible
    if narrowing == nil, let range = rows.need(wanted) {
      let ticket = QueueTicket(asker: .list, number: rows.number, first: range.lowerBound)
      effects.append(.needQueue(ticket, count: range.count))
    } else if rows.isAnswered, let first = unread.next(in: visible, of: rows) {
      let range = rows.need(again: first..<visible.upperBound)
      let ticket = QueueTicket(asker: .list, number: rows.number, first: range.lowerBound)
      effects.append(.needQueue(ticket, count: range.count))
    }
    return effects
  }

  // MARK: Drawing

  func draw(_ frame: inout Frame, rows area: Range<Int>, width: Int, sign: String) {
    let table = TrackTable(width: width, digits: max(2, "\(rows.count)".count))
    table.head(&frame, area.lowerBound)
    let list = area.lowerBound + 1..<area.upperBound
    let marked = marked
    for (offset, index) in cursor.visible.enumerated() where offset < list.count {
      guard let row = row(at: index) else { continue }
      var look = TrackTable.Look(
        number: row + 1, isChosen: index == cursor.row, isMarked: marked.contains(row))
      look.isCurrent = row == current
      look.sign = look.isCurrent ? sign : " "
      table.show(track(row), look, &frame, list.lowerBound + offset)
    }
    frame.cursor = (list.lowerBound + cursor.row - cursor.top, 0)
  }

  /// The texts below the list: on the left the number of marked rows, on the right the chosen row's number.
  var summary: (left: String, right: String) {
    let marked = marked
    let count = marked.ranges.reduce(0) { $0 + $1.count }
    var left = ""
    if count > 0 {
      let lengths = marked.ranges.joined().prefix(1000).compactMap { track($0)?.duration }
      left =
        "\(count) marked" + (lengths.count == count ? ", \(ClockText.text(lengths.reduce(.zero, +)))" : "")
    } else if let narrowing {
      let so = narrowing.isWhole ? "" : " so far"
      left = "\(narrowing.matches.count) of \(rows.count) with '\(narrowing.words)'\(so); Esc shows all"
    }
    guard rows.count > 0, let chosen = row(at: cursor.row) else { return (left, "") }
    return (left, "\(chosen + 1) of \(rows.count)")
  }
}
