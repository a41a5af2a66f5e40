// SPDX-License-Identifier: MIT

extension Array {
  /// Inserts elements so that they are at these positions afterwards. Traps if the number of positions differs from that of the
  /// elements, or if a position would be beyond the end.
  mutating func merge(_ elements: [Element], at positions: RangeSet<Int>) {
    precondition(positions.size == elements.count && positions.lies(within: count + elements.count))
    guard positions.ranges.count > 1 else {
      if let range = positions.ranges.first { insert(contentsOf: elements, at: range.lowerBound) }
      return
    }
    var merged: [Element] = []
    merged.reserveCapacity(count + elements.count)
    var (old, new) = (self[...], elements[...])
    for range in positions.ranges {
      let kept = range.lowerBound - merged.count
      merged += old.prefix(kept)
      old = old.dropFirst(kept)
      merged += new.prefix(range.count)
      new = new.dropFirst(range.count)
    }
    self = merged + old
  }
}
