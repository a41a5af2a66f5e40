// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import MediaModel

/// The library in columns. Each column but the last lists the values of a property; the last lists the tracks that have the values chosen in the
/// columns before it. Tracks without a value have a row of their own below the values.
struct LibraryScreen: Sendable {
  /// The properties that columns can list, by their names for `:browse`.
  static let properties = ["genre", "composer", "albumArtist", "artist", "album", "podcast"]

  private var columns: [LibraryColumn] = []
  private(set) var active = 0
  private(set) var words = ""
  /// The columns as they were before words narrowed them, with the number of the active one.
  private var wide: (columns: [LibraryColumn], active: Int)?
  private var status: LibraryStatus?
  private var music: String?
  private var areas: [Range<Int>] = []

  init() { browse(["albumArtist", "album"]) }

  /// Sets the properties of the columns. Returns false if one of them can't be used.
  @discardableResult
  mutating func browse(_ properties: [String]) -> Bool {
    guard (1...3).contains(properties.count), properties.allSatisfy(Self.properties.contains) else {
      return false
    }
    let number = columns.map(\.number).max() ?? 0
    columns = (properties + [nil]).map { LibraryColumn($0, after: number) }
    (active, wide, areas) = (0, nil, [])
    return true
  }

  var grouping: String { columns.compactMap(\.property).joined(separator: "/") }

  // MARK: What the agent says

  /// The folder to suggest if the library has neither folders nor tracks; otherwise nil.
  var offer: String? {
    guard let status, status.folders.isEmpty, status.tracks == 0 else { return nil }
    return music ?? "~/Music"
  }

  mutating func take(_ status: LibraryStatus, music: String?) { (self.status, self.music) = (status, music) }

  mutating func take(_ answer: LibraryAnswer, _ ticket: LibraryTicket, column index: Int) {
    guard columns.indices.contains(index) else { return }
    columns[index].take(answer, ticket)
  }

  /// Makes all columns ask again, because the library has changed or another agent is there.
  mutating func forget() { for index in columns.indices { columns[index].forget() } }

  /// Makes one column ask again, after its question with this number has failed.
  mutating func askAgain(column index: Int, _ number: Int) {
    if columns.indices.contains(index), columns[index].number == number { columns[index].forget() }
  }

  /// Shows only what has these words. Without words the columns are shown as they were before.
  mutating func narrow(_ words: String) {
    if self.words.isEmpty, !words.isEmpty { wide = (columns, active) }
    self.words = words
    guard words.isEmpty, let wide else { return }
    columns = zip(wide.columns, columns).map { $0.restored(after: $1.number) }
    (active, self.wide) = (wide.active, nil)
  }

  // MARK: Questions

  /// The filter expression for the values that are chosen in these columns, and for the words that narrow the list if they are an expression
  /// themselves; nil if nothing is chosen in one of the columns. `last` is one more test, for a row of the next column.
  private func tests(_ columns: ArraySlice<LibraryColumn>, and last: String?) -> String? {
    var tests: [String] = []
    for column in columns {
      guard column.property != nil, let chosen = column.chosen else { return nil }
      tests.append(chosen.test)
    }
    if let last { tests.append(last) }
    if SearchScreen.isExpression(words) { tests.append("(\(words))") }
    return tests.joined(separator: " and ")
  }

  /// The filter expression for the tracks that have no value of a property. Every text begins with the empty text, so `not begins ""` is true only
  /// where there is no text.
  static func none(_ property: String) -> String { "not \(property) begins \"\"" }

  /// The request for the values of `property` among the tracks that are chosen by these columns, or for the tracks themselves if it is nil.
  private func request(
    _ columns: ArraySlice<LibraryColumn>, and test: String? = nil, _ property: String?
  ) -> LibraryRequest? {
    guard let tests = tests(columns, and: test) else { return nil }
    // Without a sort, albums stay whole, in the order of their discs and tracks.
    return LibraryRequest(tests, search: SearchScreen.isExpression(words) ? "" : words, group: property)
  }

  /// Gives each column the question that follows from the choices before it. A column that gets another question is emptied by that.
  mutating func follow() {
    for index in columns.indices { columns[index].set(request(columns[..<index], columns[index].property)) }
  }

  mutating func needs() -> [ScreenEffect] { columns.indices.compactMap { columns[$0].need($0) } }

  // MARK: Keys

  var cursor: ListCursor {
    get { columns[active].cursor }
    set { columns[active].cursor = newValue }
  }

  mutating func set(height: Int) {
    for index in columns.indices { columns[index].cursor.set(height: height) }
  }

  mutating func step(_ distance: Int) { active = min(max(0, active + distance), columns.count - 1) }

  mutating func stepRound() { active = (active + 1) % columns.count }

  /// The rows of the library that the chosen row stands for. If `fromHere`, a track also stands for all tracks after it in its column, because they
  /// are played after it.
  func choice(fromHere: Bool) -> LibraryChoice? {
    if fromHere, columns[active].chosen?.track != nil { return columns[active].fromHere }
    return choice(ofRow: cursor.row)
  }

  /// What a row of the active column stands for; nil if the row has not been read.
  func choice(ofRow row: Int) -> LibraryChoice? { choice(ofRow: row, inColumn: active) }

  func track(ofRow row: Int) -> TrackRow? { columns[active][row]?.track }

  private func choice(ofRow row: Int, inColumn index: Int) -> LibraryChoice? {
    guard let row = columns[index][row] else { return nil }
    if let track = row.track { return track.item.map { .item($0) } }
    // The choices in this column and to the right of it do not count.
    return request(columns[..<index], and: row.test, nil).map { .request($0) }
  }

  /// The question whose answer the active column shows, if its rows are tracks.
  var trackRequest: LibraryRequest? { columns[active].trackRequest }

  var chosen: TrackRow? { columns[active].chosen?.track }
  var chosenTitle: String? { columns[active].chosen?.title }

  /// Chooses a row by a click. Returns whether it was chosen already; false also for a click beside the columns.
  mutating func click(row: Int, column: Int) -> Bool {
    guard let index = areas.firstIndex(where: { $0.contains(column) }), row >= 0 else { return false }
    let wanted = columns[index].cursor.top + row
    guard wanted < columns[index].cursor.count else { return false }
    let isSame = active == index && columns[index].cursor.row == wanted
    active = index
    columns[index].cursor.choose(wanted)
    return isSame
  }

  // MARK: Drawing

  mutating func draw(_ frame: inout Frame, rows area: Range<Int>, playing: MediaItem.ID?, _ picks: Picks) {
    let marks = ShownPicks(picks, cursor: cursor.row)
    let width = frame.size.columns
    let list = area.lowerBound + 1..<area.upperBound
    if let offer, words.isEmpty {
      return frame.putMiddle(
        [
          ("The library has no music yet.", .bold), ("", .plain), ("Enter adds \(offer)", .accent),
          (":library add FOLDER adds another", .dim),
        ],
        rows: list)
    }
    // With fewer than 60 columns on the terminal, only one list is shown.
    let shown = width < 60 ? active..<active + 1 : 0..<columns.count
    areas = columns.map { _ in 0..<0 }
    var left = 0
    for index in shown {
      let right = shown.count == 1 ? width : index == columns.count - 1 ? width : left + width * 27 / 100
      areas[index] = left..<right
      draw(index, &frame, head: area.lowerBound, list, left..<right, playing: playing, marks)
      left = right
      if index + 1 < shown.upperBound {
        for row in area { frame.put("│", at: row, left - 1, width: 1, .dim) }
      }
    }
    let place = columns[active].cursor
    frame.cursor = (list.lowerBound + place.row - place.top, areas[active].lowerBound)
  }

  private func draw(
    _ index: Int, _ frame: inout Frame, head: Int, _ list: Range<Int>, _ area: Range<Int>,
    playing: MediaItem.ID?, _ marks: ShownPicks
  ) {
    let column = columns[index]
    let end = area.upperBound - (index == columns.count - 1 ? 1 : 2)
    let name = column.property.map { Self.heading($0) } ?? "Title"
    frame.put(name, at: head, area.lowerBound + 1, width: end - area.lowerBound - 8, .dim)
    if let total = column.total { frame.putRight("\(total)", at: head, endingAt: end, .dim) }
    if column.isLoading { frame.put("…", at: list.lowerBound, area.lowerBound + 1, width: 1, .dim) }
    if let failure = column.failure, (column.total ?? 0) == 0 {
      frame.put(failure, at: list.lowerBound, area.lowerBound + 1, width: end - area.lowerBound - 1, .failure)
    }
    for (offset, row) in column.cursor.visible.enumerated() where offset < list.count {
      let line = list.lowerBound + offset
      let entry = column[row]
      let detail = entry.map { $0.track?.duration.map(ClockText.text) ?? $0.detail } ?? ""
      let plays = playing != nil && entry?.track?.item == playing
      let style: CellStyle = plays ? .playing : entry?.track?.trouble != nil ? .dim : .plain
      let start = frame.putRight(detail, at: line, endingAt: end, plays ? .playing : .dim)
      var place = area.lowerBound + 1
      if let number = entry?.track?.track, index > 1 || column.property == nil, end - area.lowerBound > 24 {
        frame.putRight("\(number)", at: line, endingAt: place + 2, .dim)
        place += 3
      }
      frame.put(entry?.title ?? "…", at: line, place, width: max(0, start - place - 1), style)
      if marks.has(row, isActive: index == active, choice(ofRow: row, inColumn: index)) {
        frame.put("▌", at: line, area.lowerBound, width: 1, .mark)
      }
      guard row == column.cursor.row, index <= active || index == columns.count - 1 else { continue }
      let cells = area.lowerBound..<(index == columns.count - 1 ? area.upperBound : area.upperBound - 1)
      if index == active {
        frame.choose(line, cells, ink: style.ink)
      } else if index < active {
        frame.style(line, cells) { $0.adding(.bold).adding(.underline) }
      }
    }
  }

  private static func heading(_ property: String) -> String {
    let noun = noun(property)
    return noun.prefix(1).uppercased() + noun.dropFirst()
  }

  /// A property's name for people.
  static func noun(_ property: String?) -> String {
    property == "albumArtist" ? "artist" : property ?? "title"
  }

  /// The text below the columns: how much there is, or by which words the list is narrowed.
  var summary: String {
    guard words.isEmpty else { return "with '\(words)'; Esc shows all" }
    return status.map { "\(CountText.text($0.tracks, "track")), \(CountText.text($0.albums, "album"))" } ?? ""
  }
}
