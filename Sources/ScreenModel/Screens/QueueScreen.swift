// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import MediaModel
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
  /// The row at which the range that is being marked begins; nil while none is.
  private var anchor: Int?
  private(set) var narrowing: Narrowing?
  private var hasAnswer = false
  /// The number of the last question that had been asked when the current row was told. Answers up to it may have an older one.
  private var currentNumber = 0
  /// The number of the last question that `narrowing` asked.
  private var narrowingNumber = 0
  /// Whether the agent is moving rows. `shifts` has the moves that were asked for meanwhile and wait for its end: 1 is down, -1 is up.
  private var isShifting = false
  private var shifts: [Int] = []

  var isEmpty: Bool { hasAnswer && rows.count == 0 }
  var isMarking: Bool { anchor != nil || !marks.isEmpty }
  var count: Int { rows.count }

  // MARK: What the agent says

  /// Takes rows, unless the queue has changed since they were asked for: reading their tags may last longer than an edit.
  mutating func take(_ page: QueuePage, _ ticket: QueueTicket) {
    let new = page.items.map(TrackRow.init)
    switch ticket.asker {
    case .narrowing:
      guard narrowing?.take(new, total: page.length, ticket) == true else { return }
      rows.resize(page.length)
    case .list:
      guard !rows.isOutdated(ticket.number) else { return }
      rows.take(new, first: ticket.first, total: page.length, number: ticket.number)
      if ticket.number > currentNumber { move(current: page.current.map { $0 - 1 }) }
    }
    if !hasAnswer, let current { cursor.set(count: page.length); cursor.move(to: current); cursor.center() }
    hasAnswer = true
    cursor.set(count: shownCount)
  }

  mutating func set(current row: Int?) {
    currentNumber = rows.number
    move(current: row)
  }

  private mutating func move(current row: Int?) {
    // If the current row is the chosen one, the choice follows when another row becomes current.
    let follows = row != current && current != nil && index(ofRow: current) == cursor.row && narrowing == nil
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
  }

  mutating func take(_ news: QueueNews) {
    var chosen = row(at: cursor.row) ?? 0
    switch news.edit {
    case .added(let runs):
      for run in runs {
        marks = marks.shifted(from: run.row - 1, by: run.count)
        if run.row - 1 <= chosen, rows.count > 0 { chosen += run.count }
      }
    case .removed(let runs):
      for run in runs.reversed() {
        let removed = run.row - 1..<run.row - 1 + run.count
        marks.remove(contentsOf: removed)
        marks = marks.shifted(from: removed.upperBound, by: -run.count)
        if chosen >= removed.upperBound {
          chosen -= run.count
        } else if removed.contains(chosen) {
          chosen = removed.lowerBound
        }
      }
    case .moved(let row, let count, let target):
      let moved = row - 1..<row - 1 + count
      if moved.contains(chosen) { chosen += target - row }
      if marks.isSubset(of: RangeSet(moved)) {
        marks = marks.shifted(from: 0, by: target - row)
      } else {
        marks = RangeSet()
      }
    case .replaced:
      marks = RangeSet()
    }
    isShifting = false
    anchor = nil
    rows.resize(news.length)
    rows.invalidate()
    if narrowing != nil {
      narrowing?.restart()
    } else {
      cursor.set(count: news.length); cursor.move(to: chosen)
    }
  }

  /// Starts the next move of rows that was requested while another one was under way.
  mutating func goOnShifting() -> [ScreenEffect] {
    guard !isShifting, !shifts.isEmpty else { return [] }
    return shift(shifts.removeFirst())
  }

  /// Drops all moves of rows that wait, because one has failed.
  mutating func stopShifting() { (isShifting, shifts) = (false, []) }

  mutating func forget() {
    stopShifting()
    rows.invalidate()
    narrowing?.restart()
  }

  // MARK: Narrowing

  private var shownCount: Int { narrowing.map(\.matches.count) ?? rows.count }

  /// The row of the queue at this index of the list, which shows only some rows if it is narrowed by typed words.
  private func row(at index: Int) -> Int? {
    guard let narrowing else { return rows.count > index ? index : nil }
    return narrowing.matches.indices.contains(index) ? narrowing.matches[index] : nil
  }

  /// The rows of the queue at these indices of the list. Indices past its end are left out.
  private func rows(at indices: Range<Int>) -> RangeSet<Int> {
    let indices = indices.clamped(to: 0..<shownCount)
    guard let narrowing else { return RangeSet(indices) }
    return narrowing.matches[indices].reduce(into: RangeSet()) { $0.insert(contentsOf: $1..<$1 + 1) }
  }

  private func index(ofRow row: Int?) -> Int? {
    guard let row, let narrowing else { return row }
    return narrowing.matches.firstIndex(of: row)
  }

  private func track(_ row: Int) -> TrackRow? { narrowing?.track(row) ?? rows[row] }

  mutating func narrow(_ words: String) {
    let chosen = row(at: cursor.row)
    if words.isEmpty {
      narrowing = nil
    } else if narrowing == nil {
      narrowing = Narrowing(words)
    } else {
      narrowing?.words = words
    }
    cursor.set(count: shownCount)
    cursor.move(to: index(ofRow: chosen) ?? 0)
  }

  // MARK: Keys

  mutating func set(height: Int) { cursor.set(height: height) }
  mutating func move(to index: Int) { cursor.move(to: index) }
  mutating func change(_ change: (inout ListCursor) -> Void) { change(&cursor) }

  /// Chooses the row of the track that plays or would play.
  mutating func goToCurrent() {
    guard let index = index(ofRow: current) else { return }
    cursor.move(to: index)
    cursor.center()
  }

  /// The track of the chosen row; nil if it is not known yet.
  var chosen: TrackRow? { row(at: cursor.row).flatMap(track) }

  /// The chosen row, counted from 1.
  var chosenRow: Int? { row(at: cursor.row).map { $0 + 1 } }

  mutating func mark() {
    guard let row = row(at: cursor.row) else { return }
    if marks.contains(row) {
      marks.remove(contentsOf: row..<row + 1)
    } else {
      marks.insert(contentsOf: row..<row + 1)
    }
  }

  /// Begins to mark a range, or ends it and keeps its rows marked.
  mutating func markRange() {
    if anchor != nil {
      marks = marked
      anchor = nil
    } else {
      anchor = cursor.row
    }
  }

  mutating func invertMarks() {
    marks = rows(at: 0..<shownCount).subtracting(marks)
  }

  /// Marks the rows around the chosen one that are of the same album, if they have been read.
  mutating func markAlbum() {
    guard let row = row(at: cursor.row), let album = track(row)?.album, !album.isEmpty else { return }
    var first = row
    var last = row
    while first > 0, track(first - 1)?.album == album { first -= 1 }
    while last + 1 < rows.count, track(last + 1)?.album == album { last += 1 }
    marks.insert(contentsOf: first..<last + 1)
  }

  mutating func clearMarks() { (marks, anchor) = (RangeSet(), nil) }

  /// The marked rows, including the range that is being marked.
  private var marked: RangeSet<Int> {
    guard let anchor else { return marks }
    return marks.union(rows(at: min(anchor, cursor.row)..<max(anchor, cursor.row) + 1))
  }

  /// The rows that an order applies to: the marked rows, or else the chosen one.
  private var subject: RangeSet<Int> {
    let marked = marked
    if !marked.isEmpty { return marked }
    return row(at: cursor.row).map { RangeSet($0..<$0 + 1) } ?? RangeSet()
  }

  mutating func remove() -> [ScreenEffect] {
    let ranges = subject.ranges.map { $0.lowerBound + 1...$0.upperBound }
    clearMarks()
    return ranges.isEmpty ? [] : [.remove(ranges)]
  }

  /// Sorts the marked rows among themselves, or all rows if none is marked.
  mutating func sort(by key: String) -> [ScreenEffect] {
    let ranges = marked.ranges.map { $0.lowerBound + 1...$0.upperBound }
    clearMarks()
    return [.sort(by: key, rows: ranges)]
  }

  /// Moves the marked rows, or the chosen one, by one row. Separate runs of rows move one after the other, beginning with the one in front. A key
  /// that comes before the agent has reported the move has to wait, because the move changes the row numbers.
  mutating func shift(_ step: Int) -> [ScreenEffect] {
    guard narrowing == nil else { return [] }
    guard !isShifting else {
      shifts.append(step)
      return []
    }
    let ranges = subject.ranges
    guard let first = ranges.first, let last = ranges.last else { return [] }
    guard first.lowerBound + step >= 0, last.upperBound + step <= rows.count else { return [] }
    marks = marked
    anchor = nil
    isShifting = true
    let order = step > 0 ? Array(ranges.reversed()) : Array(ranges)
    return order.map { .move(row: $0.lowerBound + 1, count: $0.count, to: $0.lowerBound + 1 + step) }
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
      left = "\(narrowing.matches.count) of \(rows.count) with '\(narrowing.words)'; Esc shows all"
    }
    guard rows.count > 0, let chosen = row(at: cursor.row) else { return (left, "") }
    return (left, "\(chosen + 1) of \(rows.count)")
  }
}

extension RangeSet<Int> {
  /// The same set, in which the numbers from `start` on are moved by `distance`.
  fileprivate func shifted(from start: Int, by distance: Int) -> RangeSet<Int> {
    var moved = RangeSet()
    for range in ranges {
      let before = range.clamped(to: 0..<Swift.max(0, start))
      let after = Swift.max(range.lowerBound, start)..<Swift.max(range.upperBound, start)
      if !before.isEmpty { moved.insert(contentsOf: before) }
      if !after.isEmpty, after.lowerBound + distance >= 0 {
        moved.insert(contentsOf: after.lowerBound + distance..<after.upperBound + distance)
      }
    }
    return moved
  }
}

/// The rows of a list in which all typed words are found, updated with each letter.
///
/// The whole list has to be searched, so it is read once, page by page, and kept in a short form until the words are cleared.
struct Narrowing: Sendable {
  private static let page = 500

  var words: String { didSet { if words != oldValue { match(from: 0) } } }
  /// The rows in which the words are found, in order.
  private(set) var matches: [Int] = []
  /// How many rows have been read.
  private var scanned = 0
  private var total: Int?
  /// The number of the question that is under way.
  private var asked: Int?
  private var all: [TrackRow] = []
  private var texts: [[UInt8]] = []

  init(_ words: String) { self.words = words }

  func track(_ row: Int) -> TrackRow? { all.indices.contains(row) ? all[row] : nil }

  /// The next rows to read, as the question of this number; nil if all have been read, or if some are being read.
  mutating func need(_ number: Int) -> Range<Int>? {
    guard asked == nil, total.map({ scanned < $0 }) ?? true else { return nil }
    asked = number
    return scanned..<scanned + Self.page
  }

  /// Takes rows. Returns false if they are not those that were asked for last.
  mutating func take(_ new: [TrackRow], total: Int, _ ticket: QueueTicket) -> Bool {
    guard ticket.number == asked else { return false }
    asked = nil
    guard self.total == nil || self.total == total else {
      restart()
      return true
    }
    self.total = new.isEmpty ? scanned : total
    all += new
    texts += new.map { SearchText.folded("\($0.title)\n\($0.artist)\n\($0.album)") }
    let first = scanned
    scanned = all.count
    match(from: first)
    return true
  }

  /// Reads the list again, because it has changed.
  mutating func restart() { self = Narrowing(words) }

  private mutating func match(from first: Int) {
    let wanted = SearchText.words(words)
    if first == 0 { matches = [] }
    for row in first..<all.count where wanted.allSatisfy({ SearchText.contains(texts[row], $0) }) {
      matches.append(row)
    }
  }
}

/// Makes text comparable while somebody types: without case, and without the accents of Latin letters.
enum SearchText {
  static func folded(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        bytes.append((0x41...0x5A).contains(scalar.value) ? UInt8(scalar.value) + 32 : UInt8(scalar.value))
      } else if scalar.properties.generalCategory == .nonspacingMark {
        continue
      } else {
        let lower = scalar.properties.lowercaseMapping
        let base = lower.unicodeScalars.first.flatMap { latin($0.value) }
        if let base { bytes.append(base) } else { bytes.append(contentsOf: lower.utf8) }
      }
    }
    return bytes
  }

  static func words(_ text: String) -> [[UInt8]] { folded(text).split(separator: 0x20).map(Array.init) }

  static func contains(_ text: [UInt8], _ word: [UInt8]) -> Bool {
    guard let first = word.first else { return true }
    guard text.count >= word.count else { return false }
    var place = 0
    let last = text.count - word.count
    while place <= last {
      if text[place] == first, text[place..<place + word.count].elementsEqual(word) { return true }
      place += 1
    }
    return false
  }

  // The plain letter for a letter with an accent, for those of Latin-1 and Latin Extended-A.
  private static func latin(_ value: UInt32) -> UInt8? {
    guard (0xE0...0x17F).contains(value) else { return nil }
    let first = "aaaaaa\u{0}ceeeeiiii\u{0}nooooo\u{0}ouuuuy\u{0}y"
    let second =
      "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii\u{0}\u{0}jjkk\u{0}llllllllllnnnnnnnnnoooooo\u{0}\u{0}rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs"
    let letters = Array((value < 0x100 ? first : second).utf8)
    let index = Int(value < 0x100 ? value - 0xE0 : value - 0x100)
    guard letters.indices.contains(index), letters[index] != 0 else { return nil }
    return letters[index]
  }
}
