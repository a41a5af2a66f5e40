// SPDX-License-Identifier: MIT
import BusIO
import BusModel
package import CommandModel
package import FaceModel
package import LibraryQuery
package import MediaModel
package import PlaybackLogic

/// What the agent answers when sources were added to the queue.
package struct AddedRows: Sendable {
  /// The entries that were added, in the order of the list.
  package let entries: [EntryID]
  /// Messages about the sources that were left out.
  package let leftOut: [String]
  /// The name of the interruption that keeps the music silent for now, if the order was also to begin to play; nil if there is none.
  package let waiting: String?

  package var count: Int { entries.count }
}

/// What a client asks the agent about the queue: edits, and its rows in pages.
extension AgentClient {
  package func add(_ order: QueueOrder) async throws(CommandError) -> AddedRows {
    try await added(by: AgentCall(order))
  }

  private func added(by call: AgentCall) async throws(CommandError) -> AddedRows {
    let reply = try await edit(call, timeout: Self.patience)
    guard let entries = try? Array(reply.prefix(1)).decoded(as: [UInt64].self) else { throw unreadable }
    return AddedRows(
      entries: entries.map(EntryID.init(rawValue:)), leftOut: Self.leftOut(reply),
      waiting: Self.waiting(reply))
  }

  /// Replaces the queue by sources and plays them.
  package func play(_ sources: [MediaSource], _ options: PlayOptions) async throws(CommandError) -> AddedRows
  {
    try await added(by: .play(sources, options))
  }

  private static func leftOut(_ reply: [WireValue]) -> [String] {
    reply.last.flatMap { try? [$0].decoded(as: [String].self) } ?? []
  }

  /// Undoes or redoes an edit of the queue. Returns how many entries that edit adds, removes and moves.
  package func retrace(_ order: QueueOrder) async throws(CommandError) -> EditCounts {
    let reply = try await edit(AgentCall(order))
    guard let counts = try? AgentQueue.counts(reply: reply) else { throw unreadable }
    return counts
  }

  /// Sorts these entries among the rows that they are in, or the whole queue if there are none.
  package func sort(_ entries: [EntryID], by sort: TrackSort) async throws(CommandError) -> SortOutcome {
    let reply = try await edit(AgentCall(QueueOrder.sort(sort, entries)), timeout: Self.patience)
    guard let outcome = try? AgentQueue.sorted(reply: reply) else { throw unreadable }
    return outcome
  }

  /// Makes an edit of the queue, and returns when the agent has made it.
  package func edit(_ order: QueueOrder) async throws(CommandError) { try await edit(AgentCall(order)) }

  /// Makes an edit that removes all rows, or all but the current one, and returns how many went.
  package func removing(_ order: QueueOrder) async throws(CommandError) -> Int {
    switch try await edit(AgentCall(order)).first {
    case .uint32(let count)?: return Int(count)
    case .array(_, let removed)?: return removed.count
    default: return 0
    }
  }

  /// Makes the agent write the queue into a file. `replacing` says whether an existing file may be replaced.
  package func save(_ file: FilePath, replacing: Bool) async throws(CommandError) {
    try await call(AgentCall.save(file, replacing: replacing), timeout: Self.patience)
  }

  /// Makes the agent add the current entry at the end of a playlist file.
  package func addCurrent(toFile file: FilePath) async throws(CommandError) {
    try await call(.addCurrent(toFile: file), timeout: Self.patience)
  }

  /// Makes the agent add sources at the end of a playlist file. Returns how many tracks that are, and what was left out.
  package func add(
    _ sources: [MediaSource], toFile file: FilePath
  ) async throws(CommandError) -> (count: Int, leftOut: [String]) {
    let reply = try await call(.add(sources, toFile: file), timeout: Self.patience)
    guard let count = try? Array(reply.prefix(1)).decoded(as: UInt32.self) else { throw unreadable }
    return (Int(count), Self.leftOut(reply))
  }

  /// Makes an edit of the queue. If the agent's queue can't be stored, warns with the reason, because the edit would be lost when the agent ends.
  @discardableResult
  func edit(
    _ call: AgentCall, timeout: Duration = BusConnection.standardTimeout
  ) async throws(CommandError) -> [WireValue] {
    let reply = try await self.call(call, timeout: timeout)
    if let warn, let reason = await notStored() { warn("not stored: \(reason)") }
    return reply
  }

  /// Why the agent's queue is not stored; nil if it is stored or the agent does not say.
  package func notStored() async -> String? {
    guard case .variant(.string(let reason))? = try? await call(.notStored).first, !reason.isEmpty else {
      return nil
    }
    return reason
  }

  /// Reads the whole queue, page by page. If its length changes between two pages, starts again, and throws after four attempts. Of a long queue,
  /// titles are read only for some rows, unless `withTags` is set; the other rows are marked as unread if the agent does not know their tags already.
  package func queue(withTags: Bool) async throws(CommandError) -> QueuePage {
    try await untilUnedited { () async throws(CommandError) in try await queueAtOnce(withTags: withTags) }
  }

  /// Returns the answer of `read`. If that is nil, the queue was edited while it was read, and `read` is called again, four times in all. Then this throws.
  private func untilUnedited<Answer>(
    _ read: () async throws(CommandError) -> Answer?
  ) async throws(CommandError) -> Answer {
    for _ in 0..<4 { if let answer = try await read() { return answer } }
    throw CommandError(.tryAgain, "queue", "it is being edited all the time", "try again")
  }

  /// Reads these rows of the queue, which count from 1, with their tags if `withTags` is set. Throws if the first of them doesn't exist; the last may
  /// be beyond the end. An empty queue has no first row, and is no error for several rows from the first on. If the queue's length changes between two
  /// pages, starts again, and throws after four attempts.
  package func queue(rows: ClosedRange<Int>, withTags: Bool = false) async throws(CommandError) -> QueuePage {
    try await untilUnedited { () async throws(CommandError) in
      try await rowsAtOnce(rows, withTags: withTags)
    }
  }

  private func rowsAtOnce(
    _ rows: ClosedRange<Int>, withTags: Bool
  ) async throws(CommandError) -> QueuePage? {
    var queue = try await page(
      from: rows.lowerBound, count: min(rows.count, AgentQueue.largestPage), withTags: withTags)
    guard rows.lowerBound <= max(queue.length, rows.count > 1 ? 1 : 0) else {
      throw Self.noRow(rows.lowerBound, of: queue.length)
    }
    let last = min(rows.upperBound, queue.length)
    while rows.lowerBound + queue.items.count <= last {
      let first = rows.lowerBound + queue.items.count
      let next = try await page(
        from: first, count: min(last - first + 1, AgentQueue.largestPage), withTags: withTags)
      guard next.length == queue.length, !next.items.isEmpty else { return nil }
      queue.items += next.items
      queue.current = next.current
    }
    return try await isTorn(queue, from: rows.lowerBound) ? nil : queue
  }

  /// Whether the queue was edited while its rows were read in several pages, the first from this row on. An edit that keeps the length shows in this: a row
  /// that was moved from an unread page to a read one, or back, is missing or there twice; if another list took the place of all rows, the first row is
  /// another one now.
  private func isTorn(_ queue: QueuePage, from first: Int) async throws(CommandError) -> Bool {
    guard queue.items.count > AgentQueue.largestPage, let entry = queue.items.first?.entry else {
      return false
    }
    if Set(queue.items.lazy.compactMap(\.entry)).count < queue.items.count { return true }
    let now = try await page(from: first, count: 1)
    return now.length != queue.length || now.items.first?.entry != entry
  }

  /// Reads the entries that play next, at most `count`, and the row of each in the queue. Those for which the answer had no room are read by their rows;
  /// if the queue is edited meanwhile, starts again, and throws after four attempts.
  package func upcoming(_ count: Int) async throws(CommandError) -> (page: QueuePage, rows: [Int]) {
    try await untilUnedited { () async throws(CommandError) in try await upcomingAtOnce(count) }
  }

  private func upcomingAtOnce(
    _ count: Int
  ) async throws(CommandError) -> (page: QueuePage, rows: [Int])? {
    let reply = try await call(.upcoming(count))
    guard let answer = try? QueuePage.upcoming(reply: reply) else { throw unreadable }
    let rows = answer.rows
    var page = answer.page
    while let row = rows.dropFirst(page.items.count).first {
      // Rows that stand together in the list, too, are read at once.
      let run = zip(rows.dropFirst(page.items.count), row...).prefix { $0 == $1 }.count
      let next = try await self.page(from: row, count: min(run, AgentQueue.largestPage), withTags: false)
      guard next.length == page.length, next.current == page.current, !next.items.isEmpty else { return nil }
      page.items += next.items
    }
    return (page, rows)
  }

  private func queueAtOnce(withTags: Bool) async throws(CommandError) -> QueuePage? {
    var queue = try await page(from: 1, withTags: withTags)
    if !withTags, queue.length > LongQueue.leastRows { return try await longQueue(from: queue) }
    while queue.items.count < queue.length {
      let next = try await page(from: queue.items.count + 1, withTags: withTags)
      guard next.length == queue.length, !next.items.isEmpty else { return nil }
      queue.items += next.items
      queue.current = next.current
    }
    return try await isTorn(queue, from: 1) ? nil : queue
  }

  /// Reads the rest of a long queue after its first page; nil if the queue was edited meanwhile.
  private func longQueue(from first: QueuePage) async throws(CommandError) -> QueuePage? {
    var queue = first
    queue.items.reserveCapacity(first.length)
    while queue.items.count < queue.length {
      let reply = try await call(.rows(from: queue.items.count + 1, count: RowsPage.largest))
      guard let next = try? RowsPage(reply: reply) else { throw unreadable }
      let items = next.items
      guard items.count == next.entries.count else { throw unreadable }
      guard next.length == queue.length, !items.isEmpty else { return nil }
      queue.items += items
      queue.current = next.current
    }
    let end = queue.length - LongQueue.titledRows + 1
    let middle = queue.current.map { max(1, $0 - LongQueue.titledRows / 2) }
    for last in [middle, end].compactMap({ $0.map { $0 + LongQueue.titledRows - 1 } }) {
      // Rows of the first page have their titles.
      let row = max(last - LongQueue.titledRows, first.items.count) + 1
      if row > last { continue }
      let titled = try await page(from: row, count: last - row + 1)
      let rows = row - 1..<row - 1 + titled.items.count
      guard titled.length == queue.length,
        titled.items.elementsEqual(queue.items[rows], by: { $0.entry == $1.entry })
      else { return nil }
      queue.items.replaceSubrange(rows, with: titled.items)
      queue.current = titled.current
    }
    return try await isTorn(queue, from: 1) ? nil : queue
  }

  /// The entry IDs of rows, which must be in ascending order. If the queue's length changes meanwhile, starts again, because the rows may have moved.
  /// Throws if a row doesn't exist.
  package func entries(ofRows rows: [Int]) async throws(CommandError) -> [EntryID] {
    try await untilUnedited { () async throws(CommandError) in try await entriesAtOnce(ofRows: rows) }
  }

  private func entriesAtOnce(ofRows rows: [Int]) async throws(CommandError) -> [EntryID]? {
    var entries: [EntryID] = []
    var (first, known, length) = (1, [EntryID](), Int?.none)
    for row in rows {
      if !(first..<first + known.count).contains(row) {
        let reply = try await call(.rows(from: row, count: rows.count == 1 ? 1 : RowsPage.largest))
        guard let page = try? RowsPage(reply: reply) else { throw unreadable }
        if let length, length != page.length { return nil }
        guard row <= page.length else { throw Self.noRow(row, of: page.length) }
        (first, known, length) = (row, page.entries, page.length)
      }
      guard let entry = known.dropFirst(row - first).first else { throw unreadable }
      entries.append(entry)
    }
    return entries
  }

  /// Reads one page of the queue, which begins at `row`: at most `count` rows, and at most as many as fit into one answer.
  private func page(
    from row: Int, count: Int = AgentQueue.largestPage
  ) async throws(CommandError) -> QueuePage {
    let reply = try await call(.list(from: row, count: count))
    guard let page = try? QueuePage(reply: reply),
      page.items.count <= count, page.items.allSatisfy({ $0.entry != nil })
    else { throw unreadable }
    return page
  }

  /// Reads one page of the queue, which begins at `row`. With tags, rows whose tags have not been read are asked for again: each answer waits for a
  /// moment, and comes with those that were read by then.
  private func page(
    from row: Int, count: Int = AgentQueue.largestPage, withTags: Bool
  ) async throws(CommandError) -> QueuePage {
    var page = try await page(from: row, count: count)
    var vain = 0
    while withTags, vain < Self.mostVainAttempts, let first = page.items.firstIndex(where: \.isUnread) {
      let more = try await self.page(from: row + first, count: page.items.count - first)
      // If the queue was edited meanwhile, its length or the next page will tell.
      guard
        more.items.elementsEqual(page.items[first...].prefix(more.items.count), by: { $0.entry == $1.entry }),
        !more.items.isEmpty
      else { return page }
      page.items.replaceSubrange(first..<first + more.items.count, with: more.items)
      vain = page.items.firstIndex(where: \.isUnread) == first ? vain + 1 : 0
    }
    return page
  }

  /// How many answers in a row may come without new tags, half a minute in all. Then the client shows the rows without their tags. That is for
  /// safety: the agent itself gives up sooner on a file that cannot be read.
  private static let mostVainAttempts = 60

  private static func noRow(_ row: Int, of length: Int) -> CommandError {
    guard length > 0 else {
      return CommandError(.refused, "row \(row)", "the queue is empty", "fill it with 'fermata add SOURCE…'")
    }
    let rows = length == 1 ? "one row" : "\(length) rows"
    return CommandError(.refused, "row \(row)", "the queue has \(rows)", "'fermata queue' lists them")
  }
}

/// The rows of a long queue whose titles are read: those at its beginning and end, and around the current one.
private enum LongQueue {
  /// A queue with more rows than this is long.
  static let leastRows = 2_000
  /// The number of rows at the queue's end whose titles are read, and the number around the current row. More than a screen shows.
  static let titledRows = 100
}
