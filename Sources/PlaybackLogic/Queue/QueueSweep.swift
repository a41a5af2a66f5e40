// SPDX-License-Identifier: MIT

/// Walks over all entries of a queue, some at a time, while the queue is edited. It visits every entry that was there at the
/// beginning and stays. Entries added meanwhile may be visited or not. A value; its owner must pass every edit to `follow`.
package struct QueueSweep: Sendable {
  /// How many rows from the top have been visited.
  private var done = 0

  /// A walk that has not begun yet.
  package init() {}

  /// The next entries to visit, at most `count`; empty at the end of the list.
  package mutating func next(_ count: Int, of queue: PlayQueue) -> [Entry] {
    let rows = min(done, queue.count)..<min(done + count, queue.count)
    done = rows.upperBound
    return queue.entries(at: rows)
  }

  /// Adjusts the walk to an edit of the queue.
  package mutating func follow(_ edit: QueueEdit) {
    switch edit {
    case .added(_, let positions):
      // Positions count in the list after the edit, so each run of added rows shifts the rows below it before the next run is
      // looked at.
      for run in positions.ranges where run.lowerBound < done { done += run.count }
    case .removed(_, let positions):
      done -= positions.ranges.reduce(0) { $0 + $1.clamped(to: 0..<done).count }
    case .moved(let rows, let target):
      // The move may bring unvisited rows among the visited ones, so the walk goes back to the first row that it touched.
      if rows.upperBound > done || target + rows.count > done { done = min(done, rows.lowerBound, target) }
    }
  }
}
