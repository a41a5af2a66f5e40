// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import MediaModel

/// Searches the whole library while the user types: for words in any field, or with a predicate. Below the tracks it lists albums and playlists with
/// the words in their names.
///
/// Each change of the text asks for tracks at once; the agent then cancels the earlier question, and a late answer to it is dropped here. Albums are
/// asked for only when the tracks have come, so that they never delay those.
struct SearchScreen: Sendable {
  /// At most this many albums are listed, to leave room for tracks. A user who misses an album can type more words.
  private static let mostAlbums = 4
  private static let mostLists = 2
  /// If fewer rows than this would be left for tracks, albums and playlists are not shown.
  private static let leastTracks = 4

  private(set) var field = LineEditor()
  /// Whether keys edit the search text. Otherwise they move in the list.
  private(set) var isTyping = true
  private var rows = RowWindow<TrackRow>()
  /// The chosen row among the tracks, albums and playlists.
  var cursor = ListCursor()
  private var asked = ""
  /// The text to which the rows are the answer.
  private var answered = ""
  private var failure: String?
  private var albums: [Extra] = []
  /// The search text to which the albums are the answer. They stay in view until the next answer comes, but none of them can be chosen.
  private var albumsAnswered = ""
  /// The search text for which albums were last requested.
  private var albumsAsked = ""
  /// Whether the albums for the present text were asked for once more, because the first question was not answered.
  private var areAlbumsRetried = false
  private var listNames: [String] = []
  /// The number of rows for tracks, albums and playlists together.
  private var height = 1

  /// Whether the library was made ready for the first letter since this screen was opened.
  private var isPrepared = false
  /// A word that no text has: a character without a meaning.
  private static let wordOfNone = "\u{10FFFD}"

  var isEmpty: Bool { field.text.isEmpty }

  mutating func type() { isTyping = true }

  /// Begins to type another text; the present one stays until the first letter is typed.
  mutating func typeAnother() {
    (isTyping, isPrepared) = (true, false)
    field.select()
  }

  mutating func empty() {
    isTyping = true
    field.begin()
  }

  mutating func leaveField() {
    isTyping = false
    field.deselect()
  }

  /// Handles a key while the text is edited; returns false for a key that does not edit it.
  mutating func take(_ press: KeyPress) -> Bool {
    switch press.key {
    case .enter, .down:
      leaveField()
      return true
    case .escape, .up, .tab, .backTab, .pageUp, .pageDown, .control("c"), .control("z"), .control("l"):
      return false
    default: return field.take(press)
    }
  }

  /// Puts a text into the field; returns false if it is too long for that.
  mutating func paste(_ text: String) -> Bool { field.insert(text) }

  /// Makes the screen ask again, because the library has changed or another agent is there. The chosen row stays the same.
  mutating func forget() {
    rows.invalidate()
    albumsAsked = ""
  }

  // MARK: Questions

  private var request: LibraryRequest {
    Self.isExpression(field.text) ? LibraryRequest(field.text) : LibraryRequest(search: field.text)
  }

  mutating func needs() -> [ScreenEffect] {
    guard !SearchText.words(field.text).isEmpty else {
      if rows.total != nil {
        (asked, failure) = ("", nil)
        (albums, albumsAsked, albumsAnswered) = ([], "", "")
        rows.reset()
        countRows()
      }
      return prepare()
    }
    if field.text != asked {
      (asked, areAlbumsRetried) = (field.text, false)
      // The old rows stay visible until the answer comes.
      rows.invalidate()
      cursor.move(to: 0)
      countRows()
    }
    let visible = visibleTracks
    guard let range = rows.need(visible.isEmpty ? 0..<max(1, height) : visible) else { return needAlbums() }
    var request = request
    (request.first, request.count) = (range.lowerBound + 1, max(range.count, height * 2))
    return [
      .needLibrary(request, LibraryTicket(asker: .search, number: rows.number, first: range.lowerBound))
    ]
  }

  /// Makes the agent read the texts that a search goes through, by a search that finds nothing. From a database that nobody has used for a while that
  /// takes 30 ms at 100,000 tracks, which the first letter would have to wait for.
  private mutating func prepare() -> [ScreenEffect] {
    guard !isPrepared else { return [] }
    isPrepared = true
    var request = LibraryRequest(search: Self.wordOfNone)
    request.count = 1
    return [.needLibrary(request, LibraryTicket(asker: .preparation, number: 0, first: 0))]
  }

  /// Asks for the albums with these words in their title or artist. Not done for a predicate, because that is about tracks, nor without room for one.
  private mutating func needAlbums() -> [ScreenEffect] {
    // An album takes two lines, with the heading.
    guard albumsAsked != field.text, rows.isAnswered, height - 2 >= Self.leastTracks else { return [] }
    albumsAsked = field.text
    guard !Self.isExpression(field.text) else {
      (albums, albumsAnswered) = ([], field.text)
      countRows()
      return []
    }
    let tests = field.text.split(whereSeparator: \.isWhitespace).map { word in
      let word = LibraryRequest.quoted(String(word))
      return "(album contains \(word) or albumArtist contains \(word))"
    }
    var request = LibraryRequest(tests.joined(separator: " and "), group: "album")
    request.count = Self.mostAlbums
    return [.needLibrary(request, LibraryTicket(asker: .searchAlbums, number: rows.number, first: 0))]
  }

  mutating func take(_ answer: LibraryAnswer, _ ticket: LibraryTicket) {
    guard ticket.number == rows.number else { return }
    let former = answered == asked && !isTyping ? rows[cursor.row]?.item : nil
    answered = asked
    // An album or playlist stays chosen when the number of the tracks above it changes, and a track does not become one.
    let extra = chosenExtra == nil ? nil : cursor.row - rows.count
    switch answer {
    case .items(let items, let total):
      failure = nil
      rows.take(items.map(TrackRow.init), first: ticket.first, total: total, number: ticket.number)
    case .collections: return
    case .failed(let why):
      failure = why
      rows.take([], first: 0, total: 0, number: ticket.number)
    }
    countRows()
    if !isTyping { cursor.move(to: extra.map { rows.count + $0 } ?? min(cursor.row, rows.count - 1)) }
    // Tracks may have come or gone above the chosen one.
    if let former { cursor = cursor.following(among: rows.known) { rows[$0]?.item == former } }
  }

  /// Takes the albums, unless the text has changed since they were asked for.
  mutating func take(albums answer: LibraryAnswer) {
    guard albumsAsked == field.text else { return }
    guard case .collections(let collections, _) = answer else {
      // Further tracks that came into view have overtaken the question, so it is asked once more.
      if !areAlbumsRetried {
        (albumsAsked, areAlbumsRetried) = ("", true)
      } else if albumsAnswered != field.text {
        changeExtras { $0.albums = [] }
      }
      return
    }
    changeExtras {
      $0.albumsAnswered = $0.field.text
      $0.albums = collections.filter { !$0.title.isEmpty }.prefix(Self.mostAlbums).map { album in
        .album(
          album.title, artist: album.representative?.albumArtist ?? "", count: album.count,
          test: album.testOrTitle(groupedBy: "album"))
      }
    }
  }

  /// Takes the names of the kept playlists.
  mutating func take(lists names: [String]) {
    changeExtras { $0.listNames = names }
  }

  /// Changes the albums or playlists. The chosen one stays chosen, though others may have come or gone above it.
  private mutating func changeExtras(_ change: (inout SearchScreen) -> Void) {
    let former = chosenExtra
    change(&self)
    countRows()
    guard let former, let place = extras.firstIndex(where: { $0.choice == former.choice }) else { return }
    cursor.move(to: rows.count + place)
  }

  // MARK: Rows

  private var lists: [Extra] {
    let words = SearchText.words(field.text)
    guard !words.isEmpty else { return [] }
    return listNames.filter { name in
      let folded = SearchText.folded(name)
      return words.allSatisfy { SearchText.contains(folded, $0) }
    }.prefix(Self.mostLists).map(Extra.list)
  }

  /// The albums and playlists below the tracks; empty if there is no room.
  private var extras: [Extra] {
    let all = albums + lists
    return all.isEmpty || height - Self.lines(all) < Self.leastTracks ? [] : all
  }

  /// The number of lines that these albums and playlists take, with a heading for each kind.
  private static func lines(_ extras: [Extra]) -> Int {
    extras.count + Set(extras.map(\.heading)).count
  }

  mutating func set(height: Int) {
    self.height = max(1, height)
    countRows()
  }

  private mutating func countRows() {
    let extras = extras
    cursor.set(count: rows.count + extras.count)
    cursor.set(height: height - Self.lines(extras))
  }

  /// The visible tracks. They stay in place while an album or playlist below them is chosen.
  private var visibleTracks: Range<Int> {
    let top = min(cursor.top, max(0, rows.count - cursor.height))
    return top..<max(top, min(rows.count, top + cursor.height))
  }

  /// The row on a line of the list, counted from 0; nil if there is none.
  func row(atLine line: Int) -> Int? {
    let visible = visibleTracks
    guard line >= 0 else { return nil }
    if line < visible.count { return visible.lowerBound + line }
    let place = Self.places(extras, from: visible.count).first { $0.line == line }
    return place.map { rows.count + $0.index }
  }

  /// The line on which each of these albums and playlists is drawn. Their first heading is on the line `first`, below the tracks.
  private static func places(_ extras: [Extra], from first: Int) -> [(index: Int, line: Int)] {
    var line = first
    var heading = ""
    return extras.enumerated().map { index, extra in
      if extra.heading != heading { line += 1 }
      heading = extra.heading
      defer { line += 1 }
      return (index, line)
    }
  }

  // MARK: Keys

  /// Whether the rows belong to a text that was typed before the present one. Then none of them is chosen: an order would be for another track.
  private var isStale: Bool { answered != field.text }

  var chosen: TrackRow? { isStale ? nil : rows[cursor.row] }
  var chosenTitle: String? { chosen?.title ?? chosenExtra?.title }

  private var chosenExtra: Extra? { extra(ofRow: cursor.row) }

  /// The album or playlist in this row; nil if there is none that belongs to the present text.
  private func extra(ofRow row: Int) -> Extra? {
    let below = row - rows.count
    let extras = extras
    guard !isStale, extras.indices.contains(below) else { return nil }
    if case .album = extras[below], albumsAnswered != field.text { return nil }
    return extras[below]
  }

  /// The rows of the library that the choice stands for: the chosen track, with all after it if `fromHere`, or the chosen album or playlist.
  func choice(fromHere: Bool) -> LibraryChoice? {
    guard fromHere, let item = chosen?.item else { return choice(ofRow: cursor.row) }
    var request = request
    request.first = cursor.row + 1
    return .from(item, request)
  }

  /// What a row stands for; nil if it has not been read.
  func choice(ofRow row: Int) -> LibraryChoice? {
    if isStale { return nil }
    let below = row - rows.count
    if below < 0 { return rows[row]?.item.map { .item($0) } }
    return extra(ofRow: row)?.choice
  }

  /// The question whose answer the tracks are, and how many these are; the albums and playlists stand below them.
  var trackRequest: LibraryRequest? { isStale ? nil : request }
  var trackCount: Int { rows.count }

  func track(ofRow row: Int) -> TrackRow? { isStale || row >= rows.count ? nil : rows[row] }

  // MARK: Drawing

  func draw(_ frame: inout Frame, rows area: Range<Int>, playing: MediaItem.ID?, _ picks: Picks) {
    let marks = ShownPicks(picks, cursor: cursor.row)
    let list = area.lowerBound + 2..<max(area.lowerBound + 2, area.upperBound)
    let extras = extras
    if rows.count == 0, extras.isEmpty, !list.isEmpty {
      let text =
        field.text.isEmpty
        ? "words in any field, or a predicate such as  year > 1990"
        : rows.total == nil ? "" : "nothing like that"
      frame.putMiddle([(failure ?? text, failure == nil ? .dim : .failure)], rows: list)
    }
    let table = TrackTable(width: frame.size.columns, digits: 0)
    let visible = visibleTracks
    for (offset, index) in visible.enumerated() where offset < list.count {
      var look = TrackTable.Look(isChosen: index == cursor.row, isActive: !isTyping)
      look.isCurrent = playing != nil && rows[index]?.item == playing
      look.sign = look.isCurrent ? "▶" : " "
      look.isMarked = marks.has(index, isActive: true, choice(ofRow: index))
      table.show(rows[index], look, &frame, list.lowerBound + offset)
    }
    for (index, line) in Self.places(extras, from: visible.count) {
      let row = list.lowerBound + line
      guard list.contains(row) else { break }
      if index == 0 || extras[index - 1].heading != extras[index].heading {
        frame.put(extras[index].heading, at: row - 1, 1, .heading)
      }
      if marks.has(rows.count + index, isActive: true, extras[index].choice) {
        frame.put("▌", at: row, 2, width: 1, .mark)
      }
      draw(extras[index], isChosen: rows.count + index == cursor.row, &frame, row)
    }
    let shown = rows.total.map { $0 == 0 ? "" : "\($0) found" } ?? ""
    field.draw("Search: ", &frame, area.lowerBound, hint: shown)
    guard !isTyping else { return }
    frame.isCursorShown = false
    frame.cursor = (list.lowerBound + chosenLine(extras, visible), 0)
  }

  private func chosenLine(_ extras: [Extra], _ visible: Range<Int>) -> Int {
    let below = cursor.row - rows.count
    guard below >= 0 else { return cursor.row - visible.lowerBound }
    return Self.places(extras, from: visible.count).first { $0.index == below }?.line ?? 0
  }

  private func draw(_ extra: Extra, isChosen: Bool, _ frame: inout Frame, _ row: Int) {
    let width = frame.size.columns
    var end = width - 1
    switch extra {
    case .album(let title, let artist, let count, _):
      end = frame.putRight(CountText.text(count, "song"), at: row, endingAt: end, .dim)
      let after = frame.put(title, at: row, 3, width: max(0, end - 4))
      frame.put(artist.isEmpty ? "" : " · \(artist)", at: row, after, width: max(0, end - after - 1), .dim)
    case .list(let name): frame.put(name, at: row, 3, width: end - 3)
    }
    guard isChosen else { return }
    if isTyping {
      frame.style(row, 0..<width) { $0.adding(.underline) }
    } else {
      frame.choose(row, 0..<width)
    }
  }

  /// The text below the list: what keys do that lead into the line or out of it.
  var summary: String {
    guard isTyping else { return "/ types again" }
    return field.text.isEmpty ? "Esc goes back" : "Enter goes to the list, Esc empties the line"
  }
}

/// An album or playlist that is listed below the tracks found.
private enum Extra: Sendable, Hashable {
  /// `test` is the filter expression for its tracks, because other albums may have the same title.
  case album(String, artist: String, count: Int, test: String)
  case list(String)

  var heading: String {
    switch self {
    case .album: "Albums"
    case .list: "Lists"
    }
  }

  var title: String {
    switch self {
    case .album(let title, _, _, _), .list(let title): title
    }
  }

  var choice: LibraryChoice {
    switch self {
    case .album(_, _, _, let test): .request(LibraryRequest(test))
    case .list(let name): .list(name)
    }
  }
}
