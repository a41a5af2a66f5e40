// SPDX-License-Identifier: MIT

/// A walk over all entries of a queue, some at a time, while the queue is edited: no entry that was there at the beginning
/// and stays is left out. What is added meanwhile may be met or not.
package struct QueueSweep: Sendable {
  /// How many rows from the top are done.
  private var done = 0

  /// A walk that is at its beginning.
  package init() {}

  /// The next entries, at most so many; none at the end.
  package mutating func next(_ count: Int, of queue: PlayQueue) -> [Entry] {
    let rows = min(done, queue.count)..<min(done + count, queue.count)
    done = rows.upperBound
    return queue.entries(at: rows)
  }

  /// The queue was edited.
  package mutating func follow(_ edit: QueueEdit) {
    switch edit {
    case .added(_, let positions):
      // One row after the other, as each moves those below it.
      for run in positions.ranges where run.lowerBound < done { done += run.count }
    case .removed(_, let positions):
      done -= positions.ranges.reduce(0) { $0 + $1.clamped(to: 0..<done).count }
    case .moved(let rows, let target):
      // Rows that were not met yet may now stand among those that are done.
      if rows.upperBound > done || target + rows.count > done { done = min(done, rows.lowerBound, target) }
    }
  }
}
