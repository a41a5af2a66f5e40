// SPDX-License-Identifier: MIT
import BusModel
import FaceModel
import PlaybackLogic

extension AgentClient {
  /// Reads the whole queue, page by page. Reads it again if its length changed between two pages, and throws after
  /// four attempts.
  func queue() async throws(CommandError) -> QueuePage {
    for _ in 0..<4 { if let queue = try await queueAtOnce() { return queue } }
    throw CommandError(.tryAgain, "queue", "it is being edited all the time", "try again")
  }

  private func queueAtOnce() async throws(CommandError) -> QueuePage? {
    var queue = try await page(from: 1)
    while queue.items.count < queue.length {
      let next = try await page(from: queue.items.count + 1)
      guard next.length == queue.length, !next.items.isEmpty else { return nil }
      queue.items += next.items
      queue.current = next.current
    }
    return queue
  }

  /// The entry IDs of rows, which must be in ascending order. Throws if a row doesn't exist.
  func entries(ofRows rows: [Int]) async throws(CommandError) -> [EntryID] {
    var entries: [EntryID] = []
    var (first, rowsOfPage) = (1, [ItemFace]())
    for row in rows {
      if !(first..<first + rowsOfPage.count).contains(row) {
        let page = try await page(from: row, count: rows.count == 1 ? 1 : AgentQueue.largestPage)
        guard row <= page.length else { throw Self.noRow(row, of: page.length) }
        (first, rowsOfPage) = (row, page.items)
      }
      guard let entry = rowsOfPage.dropFirst(row - first).first?.entry else { throw unreadable }
      entries.append(entry)
    }
    return entries
  }

  private static func noRow(_ row: Int, of length: Int) -> CommandError {
    guard length > 0 else {
      return CommandError(.refused, "row \(row)", "the queue is empty", "fill it with 'fermata add SOURCE…'")
    }
    let rows = length == 1 ? "one row" : "\(length) rows"
    return CommandError(.refused, "row \(row)", "the queue has \(rows)", "'fermata queue' lists them")
  }
}
