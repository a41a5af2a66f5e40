// SPDX-License-Identifier: MIT

/// A sequence of slots that can tell the rank of each slot. The list is one such sequence, the order of a shuffled pass another.
///
/// The sequence is cut into chunks of at most `full` slots. A slot leads to its chunk (`homes`), the chunk to its place
/// (`places`), and the sums of the chunks' sizes to the rank. An edit of one slot moves at most one chunk's worth of numbers.
/// About once in some hundred edits a chunk is split or joined, and then the few numbers kept per chunk are written anew.
struct RankedSlots: Sendable {
  /// The preset for `full`. With it a million slots are only a few thousand chunks, and shifting the slots of one chunk is still
  /// fast.
  static let usualSize = 512

  /// How many slots there are.
  private(set) var count = 0
  /// The largest number of slots in a chunk.
  let full: Int
  // Indexed by chunk number: its slots, and its place in `sequence`. The numbers in `spare` are not in use.
  private var chunks: [[Slot]] = []
  private var places: [Int] = []
  private var spare: [Int] = []
  // Indexed by place: the number of the chunk there, and the sums of the chunks' sizes.
  private var sequence: [Int] = []
  private var sums = PrefixSums([])
  // Indexed by slot: the number of its chunk. Meaningless for slots that are not in the sequence.
  private var homes: [UInt32] = []

  /// An empty sequence with chunks of at most this size.
  init(chunkSize: Int = usualSize) {
    precondition(chunkSize >= 2, "chunks of \(chunkSize)")
    full = chunkSize
  }

  /// The slot with this rank. Traps outside `0..<count`.
  subscript(rank: Int) -> Slot {
    precondition(rank >= 0 && rank < count, "rank \(rank) of \(count)")
    let (place, offset) = sums.locate(rank)
    return chunks[sequence[place]][offset]
  }

  /// The rank of a slot, which must be in the sequence.
  func rank(of slot: Slot) -> Int {
    let chunk = Int(homes[Int(slot)])
    guard let offset = chunks[chunk].firstIndex(of: slot) else {
      preconditionFailure("slot \(slot) is not in the sequence")
    }
    return sums.sum(before: places[chunk]) + offset
  }

  /// The slots with these ranks. Traps outside `0..<count`.
  func slots(_ ranks: Range<Int>) -> [Slot] {
    precondition(ranks.lowerBound >= 0 && ranks.upperBound <= count, "ranks \(ranks) of \(count)")
    var result: [Slot] = []
    result.reserveCapacity(ranks.count)
    var (place, offset) = sums.locate(ranks.lowerBound)
    while result.count < ranks.count {
      let chunk = chunks[sequence[place]]
      result += chunk[offset..<min(chunk.count, offset + ranks.count - result.count)]
      (place, offset) = (place + 1, 0)
    }
    return result
  }

  /// All slots, in order.
  var all: [Slot] { slots(0..<count) }

  // MARK: Edits

  /// Inserts a slot so that it has this rank. It must not be in the sequence already. Traps if the rank is outside `0...count`.
  mutating func insert(_ slot: Slot, at rank: Int) {
    precondition(rank >= 0 && rank <= count, "rank \(rank) of \(count)")
    if sequence.isEmpty { addChunk([], at: 0) }
    var (place, offset) =
      rank == count
      ? (sequence.count - 1, chunks[sequence[sequence.count - 1]].count)
      : sums.locate(rank)
    if chunks[sequence[place]].count == full { (place, offset) = split(place, offset) }
    let chunk = sequence[place]
    chunks[chunk].insert(slot, at: offset)
    setHome(of: slot, to: chunk)
    sums.add(1, at: place)
    count += 1
  }

  /// Removes the slot with this rank. Traps outside `0..<count`.
  mutating func remove(at rank: Int) {
    precondition(rank >= 0 && rank < count, "rank \(rank) of \(count)")
    let (place, offset) = sums.locate(rank)
    let chunk = sequence[place]
    chunks[chunk].remove(at: offset)
    sums.add(-1, at: place)
    count -= 1
    if chunks[chunk].count <= full / 4 { join(place) }
  }

  /// Inserts slots so that they have these ranks. Many at once cost one pass over the sequence.
  mutating func insert(_ slots: [Slot], at ranks: RangeSet<Int>) {
    guard isMany(slots.count) else {
      for (slot, rank) in zip(slots, ranks.ranges.joined()) { insert(slot, at: rank) }
      return
    }
    var all = all
    all.merge(slots, at: ranks)
    replaceAll(with: all)
  }

  /// Removes the slots with these ranks. Many at once cost one pass over the sequence.
  mutating func remove(_ ranks: RangeSet<Int>) {
    guard isMany(ranks.size) else {
      for range in ranks.ranges.reversed() { for rank in range.reversed() { remove(at: rank) } }
      return
    }
    var all = all
    all.removeSubranges(ranks)
    replaceAll(with: all)
  }

  /// Moves a stretch so that its first slot has the rank `target`, counted without the stretch.
  mutating func move(_ ranks: Range<Int>, to target: Int) {
    let moved = slots(ranks)
    remove(RangeSet(ranks))
    insert(moved, at: RangeSet(target..<target + moved.count))
  }

  /// Replaces the whole sequence.
  mutating func replaceAll(with slots: [Slot]) {
    self = RankedSlots(chunkSize: full)
    // The chunks are filled to three quarters only; full ones would have to be split by the first edits.
    let filled = max(1, full / 4 * 3)
    for start in stride(from: 0, to: slots.count, by: filled) {
      chunks.append(Array(slots[start..<min(slots.count, start + filled)]))
    }
    sequence = Array(chunks.indices)
    places = sequence
    count = slots.count
    homes = Array(repeating: 0, count: slots.max().map { Int($0) + 1 } ?? 0)
    for (chunk, slots) in chunks.enumerated() { for slot in slots { homes[Int(slot)] = UInt32(chunk) } }
    sums = PrefixSums(chunks.map(\.count))
  }

  /// Whether, for an edit of this many slots, making everything anew is faster than editing one slot after the other.
  func isMany(_ edited: Int) -> Bool { edited > 64 && edited > count / 16 }

  // MARK: Chunks

  /// Splits the chunk at a place, and returns the place and offset that an offset in it has now.
  private mutating func split(_ place: Int, _ offset: Int) -> (place: Int, offset: Int) {
    let chunk = sequence[place]
    // At the end of the sequence the old chunk is left full and an empty one is added, because a list mostly grows at its end.
    let isAtEnd = offset == full && place == sequence.count - 1
    let kept = isAtEnd ? full : full / 2
    let moved = Array(chunks[chunk][kept...])
    chunks[chunk].removeLast(moved.count)
    addChunk(moved, at: place + 1)
    return offset < kept || (offset == kept && !isAtEnd) ? (place, offset) : (place + 1, offset - kept)
  }

  /// Joins the chunk at a place with a neighbour if both are small. An empty chunk is dropped in any case.
  private mutating func join(_ place: Int) {
    let neighbours = [place - 1, place + 1].filter { sequence.indices.contains($0) }
    let size = chunks[sequence[place]].count
    guard let other = neighbours.first(where: { size + chunks[sequence[$0]].count <= full / 2 }) else {
      if size == 0 { dropChunk(at: place) }
      return
    }
    let (left, right) = (min(place, other), max(place, other))
    for slot in chunks[sequence[right]] { homes[Int(slot)] = UInt32(sequence[left]) }
    chunks[sequence[left]] += chunks[sequence[right]]
    dropChunk(at: right)
  }

  private mutating func addChunk(_ slots: [Slot], at place: Int) {
    let chunk = spare.popLast() ?? chunks.count
    if chunk == chunks.count {
      chunks.append(slots)
      places.append(place)
    } else {
      chunks[chunk] = slots
    }
    for slot in slots { homes[Int(slot)] = UInt32(chunk) }
    sequence.insert(chunk, at: place)
    renumber(from: place)
  }

  private mutating func dropChunk(at place: Int) {
    let chunk = sequence.remove(at: place)
    chunks[chunk] = []
    spare.append(chunk)
    renumber(from: place)
  }

  private mutating func renumber(from first: Int) {
    for place in first..<sequence.count { places[sequence[place]] = place }
    sums = PrefixSums(sequence.map { chunks[$0].count })
  }

  private mutating func setHome(of slot: Slot, to chunk: Int) {
    if Int(slot) >= homes.count {
      homes.reserve(forNewcomers: Int(slot) + 1 - homes.count)
      while homes.count <= Int(slot) { homes.append(0) }
    }
    homes[Int(slot)] = UInt32(chunk)
  }
}

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
