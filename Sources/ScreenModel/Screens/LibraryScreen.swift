// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import MediaModel

/// The library in columns. Each column but the last lists the values of a property; the last lists the tracks that have the values chosen in the
/// columns before it.
///
/// A column asks the agent again when the choice before it has changed, one question at a time. So while somebody scrolls through the artists, only
/// the albums of the artist where they stop are asked for.
struct LibraryScreen: Sendable {
  /// The properties that columns can list, by their names for `:browse`.
  static let properties = ["genre", "composer", "albumArtist", "artist", "album", "podcast"]

  private struct Entry: Sendable {
    let title: String
    let detail: String
    let track: TrackRow?
  }

  private struct Column: Sendable {
    /// The property whose values the column lists; nil if it lists tracks.
    let property: String?
    var rows = RowWindow<Entry>()
    var cursor = ListCursor()
    /// The question that was asked last; nil if the column has to ask again.
    var asked: LibraryRequest?
    var number = 0
    var isWaiting = false
    var failure: String?
  }

  private var columns: [Column] = []
  private(set) var active = 0
  private(set) var words = ""
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
    columns = properties.map { Column(property: $0) } + [Column(property: nil)]
    active = 0
    return true
  }

  var grouping: String { columns.compactMap(\.property).joined(separator: "/") }

  // MARK: What the agent says

  /// The folder to suggest if the library has none.
  var offer: String? {
    guard let status, status.folders.isEmpty, status.tracks == 0 else { return nil }
    return music ?? "~/Music"
  }

  var isKnown: Bool { status != nil }

  mutating func take(_ status: LibraryStatus, music: String?) { (self.status, self.music) = (status, music) }

  mutating func take(_ answer: LibraryAnswer, _ ticket: LibraryTicket, column index: Int) {
    guard columns.indices.contains(index), ticket.number == columns[index].number else { return }
    columns[index].isWaiting = false
    columns[index].failure = nil
    switch answer {
    case .items(let items, let total):
      let rows = items.map { face in
        Entry(title: face.item.displayTitle, detail: "", track: TrackRow(face))
      }
      columns[index].rows.take(rows, first: ticket.first, total: total)
    case .collections(let collections, let total):
      let rows = collections.map { Entry(title: $0.title, detail: "\($0.count)", track: nil) }
      columns[index].rows.take(rows, first: ticket.first, total: total)
    case .failed(let why):
      columns[index].failure = why
      columns[index].rows.take([], first: 0, total: 0)
    }
    columns[index].cursor.set(count: columns[index].rows.count)
  }

  /// Makes all columns ask again, because the library has changed or another agent is there.
  mutating func forget() { for index in columns.indices { columns[index].asked = nil } }

  mutating func narrow(_ words: String) { self.words = words }

  // MARK: Questions

  /// The question for a column: it depends on the choices in the columns before it, and on the words that narrow the list.
  private func request(_ index: Int) -> LibraryRequest? {
    var tests: [String] = []
    for column in columns[..<index] {
      guard let property = column.property, let chosen = column.rows[column.cursor.row] else { return nil }
      tests.append(
        chosen.title.isEmpty ? "not \(property) begins \"\"" : "\(property) == \(Self.quoted(chosen.title))")
    }
    let isExpression = SearchScreen.isExpression(words)
    if isExpression { tests.append("(\(words))") }
    let property = columns[index].property
    return LibraryRequest(
      tests.joined(separator: " and "), search: isExpression ? "" : words,
      sort: property == nil
        ? (index > 0 ? ["albumArtist", "year", "album", "disc", "track", "title"] : ["title"]) : [],
      group: property)
  }

  static func quoted(_ text: String) -> String {
    "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
  }

  mutating func needs() -> [ScreenEffect] {
    var effects: [ScreenEffect] = []
    for index in columns.indices {
      if index > 0, columns[index - 1].isWaiting, columns[index - 1].asked == nil { break }
      guard !columns[index].isWaiting, var request = request(index) else { continue }
      if request != columns[index].asked {
        if columns[index].asked?.expression != request.expression
          || columns[index].asked?.search != request.search
        {
          columns[index].cursor.move(to: 0)
        }
        columns[index].asked = request
        columns[index].rows.reset(total: nil)
      }
      let visible = columns[index].cursor.visible
      guard let range = columns[index].rows.need(visible.isEmpty ? 0..<columns[index].cursor.height : visible)
      else { continue }
      columns[index].number += 1
      columns[index].isWaiting = true
      (request.first, request.count) = (range.lowerBound + 1, range.count)
      effects.append(
        .needLibrary(
          request,
          LibraryTicket(asker: .column(index), number: columns[index].number, first: range.lowerBound)))
    }
    return effects
  }

  // MARK: Keys

  var cursor: ListCursor {
    get { columns[active].cursor }
    set { columns[active].cursor = newValue }
  }

  mutating func set(height: Int) {
    for index in columns.indices { columns[index].cursor.set(height: height) }
  }

  mutating func step(_ distance: Int) { active = min(max(0, active + distance), columns.count - 1) }

  /// The rows of the library that the chosen row stands for.
  func choice(fromHere: Bool) -> LibraryChoice? {
    guard let entry = columns[active].rows[columns[active].cursor.row] else { return nil }
    if !fromHere, let item = entry.track?.item { return .items([item]) }
    // For a track, all tracks after it in its column are played too.
    guard entry.track == nil else {
      let items = (columns[active].cursor.row..<columns[active].rows.count).prefix(1000).compactMap {
        columns[active].rows[$0]?.track?.item
      }
      return items.isEmpty ? nil : .items(items)
    }
    guard var request = request(columns.count - 1) else { return nil }
    // The choices in the columns to the right of the active one do not count.
    var tests: [String] = []
    for column in columns[...active] {
      guard let property = column.property, let chosen = column.rows[column.cursor.row] else { return nil }
      tests.append(
        chosen.title.isEmpty ? "not \(property) begins \"\"" : "\(property) == \(Self.quoted(chosen.title))")
    }
    if SearchScreen.isExpression(words) { tests.append("(\(words))") }
    request.expression = tests.joined(separator: " and ")
    return .request(request)
  }

  var chosen: TrackRow? { columns[active].rows[columns[active].cursor.row]?.track }

  /// Chooses a row by a click. Returns whether it was chosen already; false also for a click beside the columns.
  mutating func click(row: Int, column: Int) -> Bool {
    guard let index = areas.firstIndex(where: { $0.contains(column) }), row >= 0 else { return false }
    let wanted = columns[index].cursor.top + row
    guard wanted < columns[index].cursor.count else { return false }
    let isSame = active == index && columns[index].cursor.row == wanted
    active = index
    columns[index].cursor.move(to: wanted)
    return isSame
  }

  // MARK: Drawing

  mutating func draw(_ frame: inout Frame, rows area: Range<Int>, playing: MediaItem.ID?) {
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
      draw(index, &frame, head: area.lowerBound, list, left..<right, playing: playing)
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
    playing: MediaItem.ID?
  ) {
    let column = columns[index]
    let end = area.upperBound - (index == columns.count - 1 ? 1 : 2)
    let name = column.property.map { Self.heading($0) } ?? "Title"
    frame.put(name, at: head, area.lowerBound + 1, width: end - area.lowerBound - 8, .dim)
    if let total = column.rows.total { frame.putRight("\(total)", at: head, endingAt: end, .dim) }
    if let failure = column.failure {
      frame.put(failure, at: list.lowerBound, area.lowerBound + 1, width: end - area.lowerBound - 1, .failure)
    }
    for (offset, row) in column.cursor.visible.enumerated() where offset < list.count {
      let line = list.lowerBound + offset
      let entry = column.rows[row]
      let detail = entry.map { $0.track?.duration.map(ClockText.text) ?? $0.detail } ?? ""
      let plays = playing != nil && entry?.track?.item == playing
      let style: CellStyle = plays ? .playing : entry?.track?.trouble != nil ? .dim : .plain
      let start = frame.putRight(detail, at: line, endingAt: end, plays ? .playing : .dim)
      var place = area.lowerBound + 1
      if let number = entry?.track?.track, index > 1 || column.property == nil, end - area.lowerBound > 24 {
        frame.putRight("\(number)", at: line, endingAt: place + 2, .dim)
        place += 3
      }
      let title = entry.map { $0.title.isEmpty ? "(none)" : $0.title } ?? "…"
      frame.put(title, at: line, place, width: max(0, start - place - 1), style)
      guard row == column.cursor.row, index <= active || index == columns.count - 1 else { continue }
      let cells = area.lowerBound..<(index == columns.count - 1 ? area.upperBound : area.upperBound - 1)
      if index == active {
        frame.style(line, cells) { $0.adding(.reverse) }
      } else if index < active {
        frame.style(line, cells) { $0.adding(.bold).adding(.underline) }
      }
    }
  }

  private static func heading(_ property: String) -> String {
    switch property {
    case "albumArtist": "Artist"
    default: property.prefix(1).uppercased() + property.dropFirst()
    }
  }

  var summary: (left: String, right: String) {
    let count =
      status.map { "\(CountText.text($0.tracks, "track")), \(CountText.text($0.albums, "album"))" } ?? ""
    return (words.isEmpty ? count : "with '\(words)'; Esc shows all", "Enter plays, a adds, A next")
  }
}
