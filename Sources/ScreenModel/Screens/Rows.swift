// SPDX-License-Identifier: MIT
package import FaceModel
package import MediaModel
package import PlaybackLogic

/// The facts about a track that a list shows. It is far smaller than the item that it was made from, because a screen keeps a thousand of them.
package struct TrackRow: Sendable, Hashable {
  package let entry: EntryID?
  package let item: MediaItem.ID?
  let title: String
  let artist: String
  let album: String
  let duration: Duration?
  let track: Int?
  let rating: Int
  /// Why the track can't be played; nil if it can.
  let trouble: String?
  /// Whether the track's tags have not been read yet, so that its title is the file's name.
  let isUnread: Bool
  /// The path or URI of the track's file, for copying to the clipboard.
  let place: String
  private let uri: String
  private let part: FilePart?
  private let albumArtist: String

  /// Tells an album from others of the same title: by its artist, or if it has none of its own, by its folder.
  var albumKey: [Substring] {
    [album[...], albumArtist[...]]
      + (albumArtist.isEmpty ? [place.lastIndex(of: "/").map { place[..<$0] } ?? ""] : [])
  }

  /// How the library finds the track when it is rated.
  package var rated: RatedTrack { item.map { .item($0) } ?? .file(uri: uri, part) }

  /// Whether both rows show the same track. The same file may be queued twice, and an album may be one file of many parts.
  func isSame(as other: TrackRow) -> Bool {
    guard let entry, let other = other.entry else { return uri == other.uri && part == other.part }
    return entry == other
  }

  package init(_ face: ItemFace) {
    let tags = face.item.tags
    entry = face.entry
    item = face.item.id
    title = face.item.displayTitle
    artist = (tags.artist.isEmpty ? tags.albumArtist : tags.artist).joined(separator: ", ")
    album = tags.album ?? ""
    albumArtist = tags.albumArtist.joined(separator: ", ")
    duration = tags.duration
    track = tags.track
    rating = face.item.listening.rating
    isUnread = face.isUnread
    // The reason why a file can't be played may end with a list of formats that can; that part is too long for a row.
    trouble = face.isMissing ? "missing" : face.unplayable.map(PlainWords.refusal)
    uri = face.item.location.wireURI ?? ""
    part = face.item.part
    if case .file(let path) = face.item.location { place = path.text } else { place = uri }
  }
}

/// The rows of a long list that have been read: one range around the visible ones. Other rows are asked for when they come into view.
struct RowWindow<Row: Sendable>: Sendable {
  /// At most this many rows are kept.
  static var most: Int { 1000 }

  /// The length of the whole list; nil if not known yet.
  private(set) var total: Int?
  private var first = 0
  /// The rows from `first` on; nil for one that an edit has put among them.
  private var rows: [Row?] = []
  /// The rows that were asked for last, if they have not come yet.
  private var asked: Range<Int>?
  /// The number of the question that was asked last. Its answer has to come with this number.
  private(set) var number = 0
  /// The number of the last question that was asked before the list changed.
  private var outdated = 0
  /// Whether the rows were read before the list changed. The next answer then replaces all of them.
  private var isStale = true
  /// Whether the rows may be those of other places in the list now. They are shown all the same, until the next answer comes.
  private(set) var isElsewhere = false
  /// Whether the last answer had fewer rows than were asked for, because they would have been too large for one.
  private var wasCut = false

  var count: Int { total ?? 0 }

  /// Whether all rows that were asked for have come.
  var isAnswered: Bool { total != nil && !isStale && asked == nil }

  subscript(_ index: Int) -> Row? {
    get { rows.indices.contains(index - first) ? rows[index - first] : nil }
    set {
      guard let newValue, rows.indices.contains(index - first) else { return }
      rows[index - first] = newValue
    }
  }

  /// A row that is certainly the one at this index.
  func certain(_ index: Int) -> Row? { isElsewhere ? nil : self[index] }

  var known: Range<Int> { first..<first + rows.count }

  /// The rows to ask for so that these rows can be shown: they and a page before and after them. Nil if they are there, or were asked for.
  mutating func need(_ visible: Range<Int>) -> Range<Int>? {
    // A list that was empty may have become longer.
    let total = isStale && self.total == 0 ? nil : self.total
    let end = total ?? visible.upperBound
    let wanted = visible.clamped(to: 0..<max(end, 1))
    if let asked, asked.contains(wanted) { return nil }
    if !isStale, total != nil, wanted.isEmpty || known.contains(wanted) { return nil }
    // An answer has so many rows at most. If the question were for more, those that are seen would be missing, and be asked for again and again.
    let page = max(0, min(max(visible.count, 1), (AgentQueue.largestPage - visible.count) / 2))
    // A list that has changed may be longer than it was.
    let last = isStale ? .max : total ?? .max
    var start = max(0, wanted.lowerBound - page)
    // Otherwise the rows before the visible ones would fill each answer, and the visible ones would be asked for again and again.
    if wasCut { start = !isStale && known.contains(wanted.lowerBound) ? known.upperBound : wanted.lowerBound }
    let range = start..<max(start, min(last, wanted.upperBound + page))
    guard !range.isEmpty else { return nil }
    asked = range
    number += 1
    return range
  }

  /// Asks for rows once more that are there, because more may be known of them by now.
  mutating func need(again rows: Range<Int>) -> Range<Int> {
    asked = rows
    number += 1
    return rows
  }

  /// Whether the question with this number was asked before the list changed.
  func isOutdated(_ number: Int) -> Bool { number <= outdated }

  /// Takes the answer to the question with this number. The rows are joined to those that are there if the two ranges touch and if these were read
  /// since the list changed. An outdated answer is better than older rows, but all is then asked for again.
  mutating func take(_ new: [Row], first start: Int, total: Int, number: Int) {
    if number == self.number {
      if let asked { wasCut = !new.isEmpty && start + new.count < min(asked.upperBound, total) }
      asked = nil
    }
    let isOutdated = isOutdated(number)
    guard isStale || !isOutdated else { return }
    if isStale || total != self.total { rows = [] }
    // If there is no such row, the list became shorter after the rows were asked for.
    isStale = isOutdated || new.isEmpty && total > 0 && start >= total
    isElsewhere = isOutdated
    self.total = total
    let end = start + new.count
    if !rows.isEmpty, start <= first + rows.count, end >= first,
      max(end, known.upperBound) - min(start, first) <= Self.most
    {
      let before = rows.prefix(max(0, start - first))
      let after = rows.suffix(max(0, known.upperBound - end))
      first = min(start, first)
      rows = before + new + after
    } else {
      (first, rows) = (start, new)
    }
  }

  /// Lets the question with this number be asked again, if it was the last one: it was not answered.
  mutating func askAgain(_ number: Int) { if number == self.number { asked = nil } }

  /// Notes that the list has changed. The rows are shown until those that are asked for next have come. With `shifts` they are shown where the change
  /// has moved them.
  mutating func invalidate(_ shifts: RowShifts? = nil) {
    (isStale, asked, outdated) = (true, nil, number)
    if let shifts { move(by: shifts) } else { isElsewhere = true }
  }

  private mutating func move(by shifts: RowShifts) {
    let runs = shifts.runs.map { ($0.rows.clamped(to: known), $0.distance) }.filter { !$0.0.isEmpty }
    // Rows that were moved far away are no longer beside the others.
    let main = runs.max { $0.0.count < $1.0.count }.map { $0.0.lowerBound + $0.1 } ?? 0
    let near = runs.filter { abs($0.0.lowerBound + $0.1 - main) <= Self.most }
    let start = near.map { $0.0.lowerBound + $0.1 }.min() ?? 0
    var moved = [Row?](repeating: nil, count: (near.map { $0.0.upperBound + $0.1 }.max() ?? 0) - start)
    for (range, distance) in near {
      for row in range { moved[row + distance - start] = rows[row - first] }
    }
    (first, rows) = (start, moved)
  }

  /// Drops all rows, because the list is another one. No answer to an earlier question has the number of the last question then.
  mutating func reset() {
    (total, first, rows) = (nil, 0, [])
    number += 1
    invalidate()
  }

  mutating func resize(_ total: Int) { self.total = total }
}

/// Which rows are asked for again because their tags had not been read when they came. Of a queue that is longer than the agent can keep in memory,
/// nobody tells when tags have been read.
struct UnreadRows: Sendable {
  /// After so many answers in a row that brought no tags, they are not asked for any more. Each answer waits half a second.
  static let mostInVain = 10

  /// The first row without tags in the last answer.
  private var first: Int?
  private var vain = 0

  /// Notes an answer with these rows.
  mutating func note(_ rows: [TrackRow], from start: Int) {
    let unread = rows.firstIndex(where: \.isUnread).map { start + $0 }
    vain = unread != nil && unread == first ? vain + 1 : 0
    first = unread
  }

  /// The first of the visible rows to ask for again; nil if all have been read, or if their tags do not come.
  func next(in visible: Range<Int>, of rows: RowWindow<TrackRow>) -> Int? {
    let unread = visible.first { rows[$0]?.isUnread == true }
    return unread == first && vain >= Self.mostInVain ? nil : unread
  }
}

extension Range<Int> {
  fileprivate func contains(_ other: Range<Int>) -> Bool {
    other.isEmpty || lowerBound <= other.lowerBound && other.upperBound <= upperBound
  }
}

/// The chosen row of a list, and the range of visible rows.
struct ListCursor: Sendable, Hashable {
  private(set) var row = 0
  private(set) var top = 0
  private(set) var count = 0
  private(set) var height = 1

  /// The rows that are seen.
  var visible: Range<Int> { top..<max(top, min(count, top + height)) }

  mutating func set(count: Int) {
    guard count != self.count else { return }
    self.count = max(0, count)
    move(to: row)
  }

  mutating func set(height: Int) {
    guard height != self.height else { return }
    self.height = max(1, height)
    move(to: row)
  }

  /// Chooses a row that was clicked on. One that is in view stays where it is: whoever clicks on it a second time means the same row.
  mutating func choose(_ row: Int) { if visible.contains(row) { self.row = row } else { move(to: row) } }

  /// Chooses a row, or the nearest one that exists.
  mutating func move(to row: Int) {
    self.row = min(max(0, row), max(0, count - 1))
    // One or two rows beyond the chosen one stay visible, so that the user sees what comes next.
    let margin = min(2, (height - 1) / 2)
    top = min(top, self.row - margin)
    top = max(top, self.row - height + 1 + margin)
    top = min(max(0, top), max(0, count - height))
  }

  mutating func move(by rows: Int) { move(to: row + rows) }

  /// Moves by one row, from the last to the first and from the first to the last.
  mutating func goRound(by step: Int) { if count > 0 { move(to: (row + step + count) % count) } }

  /// The cursor after rows have come or gone above the chosen one: on that row, which is looked for among these, and where it is seen. The same if the
  /// chosen row is still it, or if it is not found.
  func following(among rows: some Sequence<Int>, where isIt: (Int) -> Bool) -> ListCursor {
    guard row >= count || !isIt(row), let place = rows.first(where: isIt) else { return self }
    var cursor = self
    cursor.top += place - row
    cursor.move(to: place)
    return cursor
  }

  /// Scrolls, and changes the chosen row if it would leave the view.
  mutating func scroll(by rows: Int) {
    top = min(max(0, top + rows), max(0, count - height))
    let margin = min(2, (height - 1) / 2)
    row = min(
      max(row, top == 0 ? 0 : top + margin),
      max(0, min(count, top + height) - 1 - (top + height >= count ? 0 : margin)))
    row = max(0, row)
  }

  /// Scrolls so that the chosen row is in the middle.
  mutating func center() {
    top = min(max(0, row - height / 2), max(0, count - height))
  }
}

// What the keys that move do.
extension ListCursor {
  /// Chooses another row.
  mutating func move(_ action: KeyAction) {
    switch action {
    case .move(let step): move(by: step)
    case .halfPage(let step): move(by: step * max(1, height / 2))
    case .page(let step): move(by: step * height)
    case .top: move(to: 0)
    case .bottom: move(to: count - 1)
    case .center: center()
    default: break
    }
  }

  /// Scrolls a text, in which no row is chosen. Returns false if the action does not scroll.
  mutating func scroll(_ action: KeyAction) -> Bool {
    switch action {
    case .move(let step): scroll(by: step)
    case .halfPage(let step): scroll(by: step * max(1, height / 2))
    case .page(let step): scroll(by: step * height)
    case .top: scroll(by: -count)
    case .bottom: scroll(by: count)
    default: return false
    }
    return true
  }
}
