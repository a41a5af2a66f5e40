// SPDX-License-Identifier: MIT

/// One change of the list: enough to repeat it on a copy of the list, and to reverse it.
package enum QueueEdit: Sendable, Hashable {
  /// These entries were added. They now stand at these positions, in this order.
  case added([Entry], at: RangeSet<Int>)
  /// These entries were removed. They stood at these positions, in this order.
  case removed([Entry], at: RangeSet<Int>)
  /// The entries at these positions were moved together. The first of them now stands at `to`.
  case moved(Range<Int>, to: Int)

  /// The edit that reverses this one.
  package var inverse: QueueEdit {
    switch self {
    case .added(let entries, let positions): .removed(entries, at: positions)
    case .removed(let entries, let positions): .added(entries, at: positions)
    case .moved(let rows, let target): .moved(target..<target + rows.count, to: rows.lowerBound)
    }
  }

  /// Applies the edit to a list, which must be as long as the queue was before the edit. Costs at most one pass over the list.
  package func apply(to list: inout [Entry]) { apply(to: &list) { $0 } }

  /// Applies the edit to a list of rows of another type. `row` makes the row for each entry that was added.
  package func apply<Row>(to list: inout [Row], making row: (Entry) -> Row) {
    switch self {
    case .added(let entries, let positions): list.merge(entries.map(row), at: positions)
    case .removed(_, let positions): list.removeSubranges(positions)
    case .moved(let rows, let target):
      let moved = list[rows]
      list.removeSubrange(rows)
      list.insert(contentsOf: moved, at: target)
    }
  }
}
