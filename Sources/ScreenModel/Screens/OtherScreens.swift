// SPDX-License-Identifier: MIT
import CommandModel
import JobLogic

/// The screen of jobs: long work, such as scans, and its progress.
struct JobsScreen: Sendable {
  private(set) var jobs: [Job] = []
  var cursor = ListCursor()

  mutating func take(_ jobs: [Job]) {
    let former = chosen?.id
    self.jobs = jobs.sorted { $0.id > $1.id }
    cursor.set(count: jobs.count)
    if let place = self.jobs.firstIndex(where: { $0.id == former }) { cursor.move(to: place) }
  }

  /// Takes the new state of a job. Of those that are over, as many are kept as the agent keeps. The chosen job stays chosen.
  mutating func take(_ job: Job) {
    let former = chosen?.id
    if let place = jobs.firstIndex(where: { $0.id == job.id }) {
      jobs[place] = job
    } else {
      jobs.insert(job, at: 0)
    }
    while jobs.count(where: { $0.state.isOver }) > JobBoard.mostOver,
      let oldest = jobs.lastIndex(where: { $0.state.isOver })
    {
      jobs.remove(at: oldest)
    }
    cursor.set(count: jobs.count)
    if let place = jobs.firstIndex(where: { $0.id == former }) { cursor.move(to: place) }
  }

  var chosen: Job? { jobs.indices.contains(cursor.row) ? jobs[cursor.row] : nil }

  /// The text about a running job for the first line of every screen.
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
        frame.choose(row, 0..<frame.size.columns)
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

/// The screen that lists the kept playlists.
struct ListsScreen: Sendable {
  private var lists: [KeptList] = []
  private var hasAnswer = false
  private var isAsked = false
  var cursor = ListCursor()

  mutating func take(_ lists: [KeptList]) {
    let former = chosen
    (self.lists, hasAnswer) = (lists, true)
    cursor.set(count: lists.count)
    if let former { cursor = cursor.following(among: lists.indices) { lists[$0].name == former } }
  }

  mutating func forget() { isAsked = false }

  mutating func needs() -> [ScreenEffect] {
    defer { isAsked = true }
    return isAsked ? [] : [.needLists]
  }

  /// The names of the playlists, as far as they have been read.
  var names: [String] { lists.map(\.name) }

  var chosen: String? { lists.indices.contains(cursor.row) ? lists[cursor.row].name : nil }

  func choice(ofRow row: Int) -> LibraryChoice? {
    lists.indices.contains(row) ? .list(lists[row].name) : nil
  }

  func draw(_ frame: inout Frame, rows area: Range<Int>, _ picks: Picks) {
    let marks = ShownPicks(picks, cursor: cursor.row)
    if lists.isEmpty, hasAnswer {
      return frame.putMiddle(
        [("No playlist is kept yet.", .bold), ("", .plain), (":playlist save NAME  keeps the queue", .dim)],
        rows: area)
    }
    for (offset, index) in cursor.visible.enumerated() where offset < area.count {
      draw(lists[index], &frame, area.lowerBound + offset)
      if marks.has(index, isActive: true, .list(lists[index].name)) {
        frame.put("▌", at: area.lowerBound + offset, 2, width: 1, .mark)
      }
      if index == cursor.row {
        frame.choose(area.lowerBound + offset, 0..<frame.size.columns)
      }
    }
    frame.cursor = (area.lowerBound + cursor.row - cursor.top, 0)
  }

  private func draw(_ list: KeptList, _ frame: inout Frame, _ row: Int) {
    let facts = [list.isSmart ? "smart" : nil, list.count.map { CountText.text($0, "track") }]
    let width = frame.size.columns
    let end = frame.putRight(
      facts.compactMap(\.self).joined(separator: " · "), at: row, endingAt: width - 1, from: width / 2, .dim)
    frame.put(list.name, at: row, 3, width: end - 4)
  }
}
