// SPDX-License-Identifier: MIT
import FaceModel

/// Where an edit of the queue moves each row, so that all that is known of rows can move with them.
struct RowShifts: Sendable {
  /// Rows, as they were counted from 0 before the edit, that move by the same distance.
  struct Run: Sendable {
    let rows: Range<Int>
    let distance: Int
  }

  /// No queue has a row of this number.
  private static let end = 1 << 40

  /// From the top down. Rows in none of these are gone.
  private(set) var runs: [Run] = []

  /// Nil for an edit of which nothing else is known.
  init?(_ edit: QueueNews.Edit) {
    switch edit {
    case .added(let added):
      var (start, distance) = (0, 0)
      for run in added {
        // The rows of what was added are those after the edit.
        let place = run.row - 1 - distance
        add(start, place, by: distance)
        (start, distance) = (max(start, place), distance + run.count)
      }
      add(start, Self.end, by: distance)
    case .removed(let removed):
      var (start, distance) = (0, 0)
      for run in removed {
        add(start, run.row - 1, by: distance)
        (start, distance) = (max(start, run.row - 1 + run.count), distance - run.count)
      }
      add(start, Self.end, by: distance)
    case .moved(let row, let count, let target):
      let (first, after, distance) = (row - 1, row - 1 + count, target - row)
      add(0, min(first, first + distance), by: 0)
      add(first + distance, first, by: count)
      add(first, after, by: distance)
      add(after, after + distance, by: -count)
      add(max(after, after + distance), Self.end, by: 0)
    case .replaced: return nil
    }
  }

  /// Adds the rows from `start` to before `end`, if there are any and no row would get a number below 0.
  private mutating func add(_ start: Int, _ end: Int, by distance: Int) {
    let start = max(start, 0, -distance)
    if start < end { runs.append(Run(rows: start..<end, distance: distance)) }
  }

  /// Where this row is after the edit. For a row that is gone, the place of the next one that is left.
  func place(of row: Int) -> Int {
    guard let run = runs.first(where: { $0.rows.upperBound > row }) else { return row }
    return max(row, run.rows.lowerBound) + run.distance
  }

  /// Where this row is after the edit; nil if it is gone.
  func row(_ row: Int) -> Int? {
    runs.contains { $0.rows.contains(row) } ? place(of: row) : nil
  }

  /// Where these rows are after the edit.
  func rows(_ rows: RangeSet<Int>) -> RangeSet<Int> {
    var moved = RangeSet<Int>()
    for run in runs {
      for range in rows.intersection(RangeSet(run.rows)).ranges {
        moved.insert(contentsOf: range.lowerBound + run.distance..<range.upperBound + run.distance)
      }
    }
    return moved
  }
}
