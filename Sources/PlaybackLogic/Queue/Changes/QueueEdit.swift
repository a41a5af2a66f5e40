// SPDX-License-Identifier: MIT

/// How the list came to differ: enough to do the same to a copy of it, and to take it back.
package enum QueueEdit: Sendable, Hashable {
  /// These entries have come; they stand at these positions now, in this order.
  case added([Entry], at: RangeSet<Int>)
  /// These entries have gone; they stood at these positions, in this order.
  case removed([Entry], at: RangeSet<Int>)
  /// The entries at these positions have moved together; the first of them stands there now.
  case moved(Range<Int>, to: Int)

  /// The edit that takes this one back.
  package var inverse: QueueEdit {
    switch self {
    case .added(let entries, let positions): .removed(entries, at: positions)
    case .removed(let entries, let positions): .added(entries, at: positions)
    case .moved(let rows, let target): .moved(target..<target + rows.count, to: rows.lowerBound)
    }
  }

  /// Does the same to a list, which must be as long as the queue was before the edit. Costs what the list
  /// costs, once.
  package func apply(to list: inout [Entry]) { apply(to: &list) { $0 } }

  /// Does the same to a list of something else, of which one is made for each entry that has come.
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
