// SPDX-License-Identifier: MIT
import AudioModel
import CommandModel
import FaceModel
import MediaModel
import PlaybackLogic

/// The current track in full, and below it either the next tracks or its lyrics.
struct NowScreen: Sendable {
  private var upcoming: [TrackRow] = []
  private var isAsked = false
  /// How many answers had a track whose tags were not read yet, since the next tracks became others.
  private var unreadAnswers = 0
  /// The current track, whose lyrics these are: its entry in the queue, and its item in the library.
  private var entry: EntryID?
  private var item: MediaItem.ID?
  private var lyrics: Lyrics?
  /// The lyrics as they were laid out for the last frame.
  private var laid = LaidLyrics()
  private var isLyricsAsked = false
  private(set) var showsLyrics = false
  /// Which lines of lyrics are visible if they have no times; they are scrolled by hand.
  var cursor = ListCursor()

  mutating func take(_ items: [ItemFace]) {
    upcoming = items.map(TrackRow.init)
    guard upcoming.contains(where: \.isUnread), unreadAnswers < UnreadRows.mostInVain else { return }
    unreadAnswers += 1
    isAsked = false
  }

  mutating func forget() { (isAsked, unreadAnswers) = (false, 0) }

  /// Takes what is newly known of some of the next tracks.
  mutating func take(changed items: [ItemFace]) {
    for face in items {
      guard let index = upcoming.firstIndex(where: { $0.entry == face.entry }) else { continue }
      upcoming[index] = TrackRow(face)
    }
  }

  /// Notes the current track. It may be another one, or the same with more that is known of it.
  mutating func take(current face: ItemFace?) {
    let isOther = face?.entry != entry || face?.item.id != item
    (entry, item) = (face?.entry, face?.item.id)
    if isOther { (lyrics, isLyricsAsked) = (nil, false) }
    if isOther || lyrics == nil { set(lyrics: face?.item.tags.lyrics) }
  }

  /// Takes an item with its lyrics from the library, if it is the current track.
  mutating func take(known face: ItemFace) {
    guard face.item.id == item, lyrics == nil else { return }
    set(lyrics: face.item.tags.lyrics)
  }

  private mutating func set(lyrics text: String?) {
    lyrics = text.flatMap { Lyrics($0) }
    laid = LaidLyrics()
    cursor = ListCursor()
    cursor.set(count: lyrics?.lines.count ?? 0)
  }

  /// The questions for the next tracks, and for the lyrics of a track of the library, because lists of items come without lyrics.
  mutating func needs() -> [ScreenEffect] {
    var effects: [ScreenEffect] = isAsked ? [] : [.needUpcoming]
    isAsked = true
    if let item, lyrics == nil, !isLyricsAsked {
      isLyricsAsked = true
      effects.append(.needItem(item))
    }
    return effects
  }

  /// Switches between the lyrics and the next tracks. Returns false if there are no lyrics.
  mutating func toggleLyrics() -> Bool {
    guard lyrics != nil else { return false }
    showsLyrics.toggle()
    return true
  }

  private var shownLyrics: Lyrics? { showsLyrics ? lyrics : nil }

  /// The line of the lyrics that is sung at this place in the track; nil if none is, or if no lyrics with times are shown.
  func sung(at position: Duration) -> Int? {
    shownLyrics.flatMap { $0.isTimed ? $0.line(at: position) : nil }
  }

  /// The place in the track at which another line of the lyrics is sung; nil if none is shown.
  func nextChange(after position: Duration) -> Duration? {
    shownLyrics.flatMap { $0.isTimed ? $0.nextStart(after: position) : nil }
  }

  var hasLyrics: Bool { lyrics != nil }

  // MARK: Drawing

  /// Draws the screen from the column `left` on. To its left is the cover, if there is one.
  mutating func draw(
    _ frame: inout Frame, rows area: Range<Int>, left: Int, _ status: StatusFace?, sung: Int?
  ) {
    frame.cursor = (area.lowerBound, 0)
    guard let status, let current = status.current else {
      return frame.putMiddle([("Nothing is chosen to play.", .dim)], rows: area)
    }
    let first = Self.drawHead(current, status.coding, &frame, area, left)
    if let lyrics = shownLyrics {
      draw(lyrics, &frame, min(first, area.upperBound)..<area.upperBound, left, sung: sung)
    } else {
      drawDetails(current, &frame, min(first, area.upperBound)..<area.upperBound, left)
    }
  }

  /// Draws the title, the names and how the sound is coded. Returns the row after them and a blank one.
  private static func drawHead(
    _ current: ItemFace, _ coding: SoundCoding?, _ frame: inout Frame, _ area: Range<Int>, _ left: Int
  ) -> Int {
    let tags = current.item.tags
    let album = tags.album.map { album in tags.date.map { "\(album)  (\($0))" } ?? album }
    let lines: [(String?, CellStyle)] = [
      (current.item.displayTitle, .bold), (tags.artist.joined(separator: ", "), .accent), (album, .plain),
      (coding?.text, .dim),
    ]
    var row = area.lowerBound + 1
    for case (let text?, let style) in lines where !text.isEmpty && row < area.upperBound {
      frame.put(text, at: row, left, width: frame.size.columns - left - 1, style)
      row += 1
    }
    return row + 1
  }

  // The line that is being sung stays in the middle. Lyrics without times are scrolled by hand.
  private mutating func draw(
    _ lyrics: Lyrics, _ frame: inout Frame, _ area: Range<Int>, _ left: Int, sung: Int?
  ) {
    let width = max(1, frame.size.columns - left - 1)
    if laid.width != width { laid = LaidLyrics(lyrics, width: width) }
    let sungRow = sung.flatMap { line in laid.rows.firstIndex { $0.line == line } }
    cursor.set(count: laid.rows.count)
    cursor.set(height: max(1, area.count))
    if lyrics.isTimed {
      cursor.move(to: sungRow ?? 0)
      cursor.center()
    }
    for (offset, index) in cursor.visible.enumerated() where offset < area.count {
      let isSung = laid.rows[index].line == sung
      let style: CellStyle = isSung ? .playing : lyrics.isTimed ? .dim : .plain
      let row = area.lowerBound + offset
      if index == sungRow {
        frame.put("▶", at: row, left - 2, width: 1, .playing)
        frame.cursor = (row, left)
      }
      frame.put(laid.rows[index].text, at: row, left, width: width, style)
    }
    if sung == nil { frame.cursor = (area.lowerBound, left) }
  }

  private func drawDetails(_ current: ItemFace, _ frame: inout Frame, _ area: Range<Int>, _ left: Int) {
    var row = area.lowerBound
    let width = frame.size.columns - left - 1
    for (name, value) in Self.details(current) {
      guard row < area.upperBound else { return }
      frame.put(name, at: row, left, width: 14, .dim)
      frame.put(value, at: row, left + 14, width: max(0, width - 14))
      row += 1
    }
    guard !upcoming.isEmpty, row + 2 < area.upperBound else { return }
    row += 1
    frame.put("Next", at: row, left, .heading)
    row += 1
    let table = TrackTable(left: left - 3, width: frame.size.columns - left + 3, digits: 0)
    for track in upcoming where row < area.upperBound {
      table.show(track, TrackTable.Look(), &frame, row)
      row += 1
    }
  }

  private static func details(_ face: ItemFace) -> [(String, String)] {
    let tags = face.item.tags
    var details: [(String, String)] = []
    func add(_ name: String, _ value: String?) {
      if let value, !value.isEmpty { details.append((name, value)) }
    }
    let albumArtist = tags.albumArtist == tags.artist ? nil : tags.albumArtist.joined(separator: ", ")
    add("album artist", albumArtist)
    add("composer", tags.composer.joined(separator: ", "))
    add("genre", tags.genre.joined(separator: ", "))
    add("track", tags.track.map { number in tags.trackCount.map { "\(number) of \($0)" } ?? "\(number)" })
    add("disc", tags.disc.map { number in tags.discCount.map { "\(number) of \($0)" } ?? "\(number)" })
    add("tempo", tags.bpm.map { "\($0) beats a minute" })
    add("comment", tags.comment.map { String($0.prefix { !$0.isNewline }) })
    let listening = face.item.listening
    add("rating", listening.rating > 0 ? String(repeating: "★", count: listening.rating) : nil)
    let plays = listening.playCount
    add("played", plays > 0 ? (plays == 1 ? "once" : "\(plays) times") : nil)
    add("file", TrackRow(face).place)
    return details
  }
}

/// Lyrics in the rows of a screen. A line that is too long has several rows.
private struct LaidLyrics: Sendable {
  /// How many columns a row has; 0 before the first frame.
  var width = 0
  /// The rows, each with the index of its line.
  var rows: [(line: Int, text: String)] = []

  init() {}

  init(_ lyrics: Lyrics, width: Int) {
    self.width = width
    rows = lyrics.lines.enumerated().flatMap { index, line in
      Wrap.line(line.text, width: width).map { (line: index, text: $0) }
    }
  }
}
