// SPDX-License-Identifier: MIT
package import FaceModel
package import MediaModel
package import PlaybackLogic

/// What a list shows of a track. Far smaller than the item that it was made of, as a screen keeps a thousand of them.
package struct TrackRow: Sendable, Hashable {
  package let entry: EntryID?
  package let item: MediaItem.ID?
  let title: String
  let artist: String
  let album: String
  let duration: Duration?
  let track: Int?
  let rating: Int
  /// Why it can't be played; nil if it can.
  let trouble: String?
  /// Where it is, to be copied.
  let place: String
  private let uri: String

  /// How the library finds it.
  var rated: RatedTrack { item.map { .item($0) } ?? .file(uri: uri) }

  package init(_ face: ItemFace) {
    let tags = face.item.tags
    entry = face.entry
    item = face.item.id
    title = face.item.displayTitle
    artist = (tags.artist.isEmpty ? tags.albumArtist : tags.artist).joined(separator: ", ")
    album = tags.album ?? ""
    duration = tags.duration
    track = tags.track
    rating = face.item.listening.rating
    // A reason may go on with what is played instead, which is too long for a row.
    trouble = face.isMissing ? "missing" : face.unplayable.map(PlainWords.refusal)
    uri = face.item.location.wireURI ?? ""
    if case .file(let path) = face.item.location { place = path.text } else { place = uri }
  }
}

/// The rows of a long list that are known: one stretch around what is seen. The others are asked for when they come into view.
struct RowWindow<Row: Sendable>: Sendable {
  /// More rows are not kept.
  private static var most: Int { 1000 }

  /// How long the whole list is; nil as long as nobody has said.
  private(set) var total: Int?
  private var first = 0
  private var rows: [Row] = []
  /// What was asked for and has not been answered.
  private var asked: Range<Int>?
  private var isStale = true

  var count: Int { total ?? 0 }

  /// Whether all that was asked for is there.
  var isAnswered: Bool { total != nil && !isStale && asked == nil }

  subscript(_ index: Int) -> Row? {
    get { rows.indices.contains(index - first) ? rows[index - first] : nil }
    set {
      guard let newValue, rows.indices.contains(index - first) else { return }
      rows[index - first] = newValue
    }
  }

  var known: Range<Int> { first..<first + rows.count }

  /// What has to be asked for, so that these rows can be seen: they and a page before and after them. Nil if they are known, or were
  /// asked for.
  mutating func need(_ visible: Range<Int>) -> Range<Int>? {
    let end = total ?? visible.upperBound
    let wanted = visible.clamped(to: 0..<max(end, 1))
    if let asked, asked.contains(wanted) { return nil }
    if !isStale, total != nil, wanted.isEmpty || known.contains(wanted) { return nil }
    let page = max(visible.count, 1)
    let range = max(0, wanted.lowerBound - page)..<min(total ?? .max, wanted.upperBound + page)
    asked = range
    isStale = false
    return range.isEmpty ? nil : range
  }

  /// Takes rows that were asked for. They are joined to those that are known if they touch them.
  mutating func take(_ new: [Row], first start: Int, total: Int) {
    asked = nil
    // The list has become shorter while it was asked for.
    if new.isEmpty, total > 0, start >= total { isStale = true }
    if total != self.total { rows = [] }
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

  /// What is known may be wrong. It is shown until the answer to the next question.
  mutating func invalidate() { (isStale, asked) = (true, nil) }

  /// The list has another length, and its rows are others.
  mutating func reset(total: Int?) {
    (self.total, first, rows) = (total, 0, [])
    invalidate()
  }

  mutating func resize(_ total: Int) { self.total = total }
}

extension Range<Int> {
  fileprivate func contains(_ other: Range<Int>) -> Bool {
    other.isEmpty || lowerBound <= other.lowerBound && other.upperBound <= upperBound
  }
}

/// The chosen row of a list, and which rows are seen.
struct ListCursor: Sendable, Hashable {
  private(set) var row = 0
  private(set) var top = 0
  private(set) var count = 0
  private(set) var height = 1

  /// The rows that are seen.
  var visible: Range<Int> { top..<max(top, min(count, top + height)) }

  mutating func set(count: Int) {
    self.count = max(0, count)
    move(to: row)
  }

  mutating func set(height: Int) {
    self.height = max(1, height)
    move(to: row)
  }

  /// Chooses a row, or the nearest that there is.
  mutating func move(to row: Int) {
    self.row = min(max(0, row), max(0, count - 1))
    // A row or two beyond the chosen one stay in view, so that one sees what comes.
    let margin = min(2, (height - 1) / 2)
    top = min(top, self.row - margin)
    top = max(top, self.row - height + 1 + margin)
    top = min(max(0, top), max(0, count - height))
  }

  mutating func move(by rows: Int) { move(to: row + rows) }

  /// Scrolls, and keeps the chosen row in view.
  mutating func scroll(by rows: Int) {
    top = min(max(0, top + rows), max(0, count - height))
    let margin = min(2, (height - 1) / 2)
    row = min(
      max(row, top == 0 ? 0 : top + margin),
      max(0, min(count, top + height) - 1 - (top + height >= count ? 0 : margin)))
    row = max(0, row)
  }

  /// Lets the chosen row be in the middle.
  mutating func center() {
    top = min(max(0, row - height / 2), max(0, count - height))
  }
}
