// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import JobLogic
import MediaModel

/// Long work, such as scans, and how far it has come.
struct JobsScreen: Sendable {
  private(set) var jobs: [Job] = []
  var cursor = ListCursor()

  mutating func take(_ jobs: [Job]) {
    self.jobs = jobs.sorted { $0.id > $1.id }
    cursor.set(count: jobs.count)
  }

  /// Takes what is told of one job.
  mutating func take(_ job: Job) {
    if let place = jobs.firstIndex(where: { $0.id == job.id }) {
      jobs[place] = job
    } else {
      jobs.insert(job, at: 0)
    }
    cursor.set(count: jobs.count)
  }

  var chosen: Job? { jobs.indices.contains(cursor.row) ? jobs[cursor.row] : nil }

  /// What the first line of every screen says about a job that runs.
  var headline: String? {
    guard let job = jobs.first(where: { $0.state == .running }) else { return nil }
    guard let total = job.total, total > 0 else { return job.title }
    return "\(job.done * 100 / total) %  \(job.title)"
  }

  func draw(_ frame: inout Frame, rows area: Range<Int>) {
    if jobs.isEmpty {
      return frame.putMiddle([("No job runs, and none has ended lately.", .dim)], rows: area)
    }
    for (offset, index) in cursor.visible.enumerated() {
      let row = area.lowerBound + offset * 2
      guard row < area.upperBound else { break }
      draw(jobs[index], &frame, row, area)
      if index == cursor.row {
        frame.style(row, 0..<frame.size.columns) { $0.adding(.reverse) }
        frame.cursor = (row, 0)
      }
    }
  }

  private func draw(_ job: Job, _ frame: inout Frame, _ row: Int, _ area: Range<Int>) {
    let width = frame.size.columns
    let (sign, style) = Self.look(job.state)
    frame.put(sign, at: row, 1, width: 1, style)
    let end = frame.putRight(job.state.rawValue, at: row, endingAt: width - 1, style)
    frame.put(job.title, at: row, 3, width: end - 4, job.state.isOver ? .dim : .bold)
    guard row + 1 < area.upperBound else { return }
    if let why = job.why {
      frame.put(why, at: row + 1, 3, width: width - 4, job.state == .failed ? .failure : .dim)
    }
    guard job.why == nil, !job.state.isOver else { return }
    var text = job.total.map { "\(job.done) of \($0)" } ?? "\(job.done)"
    if let rate = job.rate, rate >= 1, rate < 1e9 { text += ", \(Int(rate))/s" }
    if let left = job.remaining { text += ", \(ClockText.text(left)) left" }
    let start = frame.putRight(text, at: row + 1, endingAt: width - 1, from: width / 3, .dim)
    if let total = job.total, total > 0, start > 12 {
      Bar.put(Double(job.done) / Double(total), &frame, row + 1, 3..<start - 2, .playing)
    }
  }

  private static func look(_ state: JobState) -> (String, CellStyle) {
    switch state {
    case .running: ("▶", .playing)
    case .waiting, .suspended: ("‖", .warning)
    case .done: ("✓", .dim)
    case .cancelled: ("■", .dim)
    case .failed: ("✗", .failure)
    }
  }
}

/// The playlists that are kept.
struct ListsScreen: Sendable {
  private var names: [String] = []
  private var hasAnswer = false
  private var isAsked = false
  var cursor = ListCursor()

  mutating func take(_ names: [String]) {
    (self.names, hasAnswer) = (names, true)
    cursor.set(count: names.count)
  }

  mutating func forget() { isAsked = false }

  mutating func needs() -> [ScreenEffect] {
    defer { isAsked = true }
    return isAsked ? [] : [.needLists]
  }

  var chosen: String? { names.indices.contains(cursor.row) ? names[cursor.row] : nil }

  func draw(_ frame: inout Frame, rows area: Range<Int>) {
    if names.isEmpty, hasAnswer {
      return frame.putMiddle(
        [("No playlist is kept yet.", .bold), ("", .plain), (":playlist save NAME  keeps the queue", .dim)],
        rows: area)
    }
    for (offset, index) in cursor.visible.enumerated() where offset < area.count {
      frame.put(names[index], at: area.lowerBound + offset, 3, width: frame.size.columns - 4)
      if index == cursor.row {
        frame.style(area.lowerBound + offset, 0..<frame.size.columns) { $0.adding(.reverse) }
      }
    }
    frame.cursor = (area.lowerBound + cursor.row - cursor.top, 0)
  }
}

/// What plays, in full, and what comes after it.
struct NowScreen: Sendable {
  private var upcoming: [TrackRow] = []
  private var isAsked = false

  mutating func take(_ items: [ItemFace]) { upcoming = items.map(TrackRow.init) }
  mutating func forget() { isAsked = false }

  mutating func needs() -> [ScreenEffect] {
    defer { isAsked = true }
    return isAsked ? [] : [.needUpcoming]
  }

  func draw(_ frame: inout Frame, rows area: Range<Int>, _ current: ItemFace?) {
    frame.cursor = (area.lowerBound, 0)
    guard let current else { return frame.putMiddle([("Nothing is chosen to play.", .dim)], rows: area) }
    var row = area.lowerBound + 1
    let left = 3
    let width = frame.size.columns - left - 1
    let tags = current.item.tags
    func line(_ text: String?, _ style: CellStyle) {
      guard let text, !text.isEmpty, row < area.upperBound else { return }
      frame.put(text, at: row, left, width: width, style)
      row += 1
    }
    line(current.item.displayTitle, .bold)
    line(tags.artist.joined(separator: ", "), .accent)
    line(tags.album.map { album in tags.date.map { "\(album)  (\($0))" } ?? album }, .plain)
    row += 1
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
    let table = TrackTable(left: 0, width: frame.size.columns, digits: 0)
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
    let rating = face.item.listening.rating
    add("rating", rating > 0 ? String(repeating: "★", count: rating) : nil)
    let plays = face.item.listening.playCount
    add("played", plays > 0 ? (plays == 1 ? "once" : "\(plays) times") : nil)
    return details
  }

  /// All that is known of a track, for the pager.
  static func lines(_ track: TrackRow) -> [(left: String, right: String)] {
    var lines = [("title", track.title), ("artist", track.artist), ("album", track.album)]
    lines.append(("length", track.duration.map(ClockText.text) ?? ""))
    lines.append(("track", track.track.map(String.init) ?? ""))
    lines.append(("rating", track.rating > 0 ? String(repeating: "★", count: track.rating) : ""))
    lines.append(("trouble", track.trouble ?? ""))
    lines.append(("place", track.place))
    lines.append(("number", track.item.map { "\($0.rawValue)" } ?? ""))
    return lines.filter { !$0.1.isEmpty }.map { (left: $0.0, right: $0.1) }
  }
}
