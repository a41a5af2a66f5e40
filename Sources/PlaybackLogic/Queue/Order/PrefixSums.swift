// SPDX-License-Identifier: MIT

/// Keeps the sizes of things in a row (in a Fenwick tree). In O(log n) it tells the sum of all sizes before a thing, and which
/// thing holds the n-th part.
struct PrefixSums: Sendable {
  // tree[i - 1] is the sum of the sizes of the things j..<i, where j is i with its lowest set bit cleared.
  private var tree: [Int]
  // The highest power of two within the tree, where a search begins.
  private let top: Int

  /// The sums of these sizes.
  init(_ sizes: [Int]) {
    tree = sizes
    var top = 1
    while top * 2 <= tree.count { top *= 2 }
    self.top = top
    for index in tree.indices {
      let parent = (index + 1) + ((index + 1) & -(index + 1))
      if parent <= tree.count { tree[parent - 1] += tree[index] }
    }
  }

  /// Changes the size of one thing by `difference`.
  mutating func add(_ difference: Int, at index: Int) {
    var node = index + 1
    while node <= tree.count {
      tree[node - 1] += difference
      node += node & -node
    }
  }

  /// The sum of all sizes before this one.
  func sum(before index: Int) -> Int {
    var node = index
    var sum = 0
    while node > 0 {
      sum += tree[node - 1]
      node &= node - 1
    }
    return sum
  }

  /// The index of the thing that holds the part with this number, counted from 0, and the part's offset within that thing. For a
  /// number beyond the last part, the index is past the end.
  func locate(_ part: Int) -> (index: Int, offset: Int) {
    var index = 0
    var offset = part
    var step = top
    while step > 0 {
      if index + step <= tree.count, tree[index + step - 1] <= offset {
        index += step
        offset -= tree[index - 1]
      }
      step /= 2
    }
    return (index, offset)
  }
}
