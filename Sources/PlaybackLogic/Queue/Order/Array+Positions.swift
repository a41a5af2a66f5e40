// SPDX-License-Identifier: MIT

extension Array {
  /// Puts elements in so that they stand at these positions afterwards. Traps if these are not as many, or
  /// lie beyond the end.
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
