// SPDX-License-Identifier: MIT
@testable import PlaybackLogic

// A copy of the queue's list, as a client has it, that follows the queue by its changes.

extension QueueChange {
  /// Applies the edits to a copy of the list, which must equal the queue's list before the change.
  func apply(to list: inout [Entry]) { for edit in edits { edit.apply(to: &list) } }
}

extension QueueEdit {
  /// Applies the edit to a copy of the list, which must equal the queue's list before the edit.
  func apply(to list: inout [Entry]) {
    switch self {
    case .added(let entries, let positions): list.merge(entries, at: positions)
    case .removed(_, let positions): list.removeSubranges(positions)
    case .moved(let rows, let target):
      let moved = list[rows]
      list.removeSubrange(rows)
      list.insert(contentsOf: moved, at: target)
    case .arranged(let arrangement):
      let new = arrangement.arranged(arrangement.rows.flatMap { list[$0] })
      for (row, entry) in zip(arrangement.rows.joined(), new) { list[row] = entry }
    }
  }
}

extension Array {
  /// Inserts elements so that they are at these positions afterwards. Traps if a position would be beyond the end.
  mutating func merge(_ elements: [Element], at positions: RangeSet<Int>) {
    precondition(positions.size == elements.count)
    for (position, element) in zip(positions.ranges.joined(), elements) { insert(element, at: position) }
  }
}
