// SPDX-License-Identifier: MIT

/// A sequence of slots, which are the numbers that stand for the queue's entries. It can tell the rank of each slot: how many come before it. The
/// list is one such sequence, a shuffled play order another.
///
/// The sequence is cut into chunks of at most `full` slots, so an edit of one slot moves at most one chunk's worth of numbers. To
/// find a rank, the sizes of the chunks before it are added up; in a sequence of a million slots these are about a thousand.
struct RankedSlots: Sendable {
  /// The usual value of `full`. Half of it and twice as much were measured, and were hardly faster or slower.
  static let usualSize = 1_024

  private(set) var count = 0
  /// The largest number of slots in one of the chunks into which the sequence is cut, so that an edit moves few numbers.
  let full: Int
  // The slots of each chunk, in order, and beside them each chunk's size and its name, which no other chunk ever had.
  private var chunks: [[Slot]] = []
  private var sizes: [Int] = []
  private var names: [UInt32] = []
  private var lastName: UInt32 = 0
  // Indexed by slot: the name of the chunk that the slot is in. Meaningless for slots that are not in the sequence.
  private var homes: [UInt32] = []

  /// An empty sequence with chunks of at most this size.
  init(chunkSize: Int = usualSize) {
    precondition(chunkSize >= 2, "chunks of \(chunkSize)")
    full = chunkSize
  }

  /// The slot at this place in the sequence, counted from 0. Traps outside `0..<count`.
  subscript(rank: Int) -> Slot {
    precondition(rank >= 0 && rank < count, "rank \(rank) of \(count)")
    let (chunk, offset) = locate(rank)
    return chunks[chunk][offset]
  }

  /// How many slots of the sequence come before this one, which must be in it.
  func rank(of slot: Slot) -> Int {
    guard let chunk = names.firstIndex(of: homes[Int(slot)]), let offset = chunks[chunk].firstIndex(of: slot)
    else { preconditionFailure("slot \(slot) is not in the sequence") }
    return sizes[..<chunk].reduce(offset, +)
  }

  /// The slots at these places in the sequence, counted from 0. Traps outside `0..<count`.
  func slots(_ ranks: Range<Int>) -> [Slot] {
    precondition(ranks.lowerBound >= 0 && ranks.upperBound <= count, "ranks \(ranks) of \(count)")
    var result: [Slot] = []
    result.reserveCapacity(ranks.count)
    var (chunk, offset) = locate(ranks.lowerBound)
    while result.count < ranks.count {
      result += chunks[chunk][offset..<min(sizes[chunk], offset + ranks.count - result.count)]
      (chunk, offset) = (chunk + 1, 0)
    }
    return result
  }

  /// The slots at these places in the sequence, which must be in ascending order. Walks over the sequence once, however many ranges there are.
  func slots(at ranks: [Range<Int>]) -> [Slot] {
    var result: [Slot] = []
    var (chunk, start) = (0, 0)
    for range in ranks {
      for rank in range {
        while rank - start >= sizes[chunk] {
          start += sizes[chunk]
          chunk += 1
        }
        result.append(chunks[chunk][rank - start])
      }
    }
    return result
  }

  /// All slots, in order.
  var all: [Slot] { slots(0..<count) }

  /// For each of these slots, which must be in the sequence, how many come before it. For more than 64 slots, reads the whole sequence.
  func ranks(of slots: [Slot]) -> [UInt32] {
    if slots.count <= 64 { return slots.map { UInt32(rank(of: $0)) } }
    let bySlot = ranksBySlot
    return slots.map { bySlot[Int($0)] }
  }

  private var ranksBySlot: [UInt32] {
    var ranks = Array(repeating: UInt32(0), count: homes.count)
    for (rank, slot) in all.enumerated() { ranks[Int(slot)] = UInt32(rank) }
    return ranks
  }

  // MARK: Edits

  /// Inserts a slot so that `rank` others come before it. It must not be in the sequence already. Traps if `rank` is outside `0...count`.
  mutating func insert(_ slot: Slot, at rank: Int) {
    precondition(rank >= 0 && rank <= count, "rank \(rank) of \(count)")
    if chunks.isEmpty { addChunk([], at: 0) }
    var (chunk, offset) = rank == count ? (chunks.count - 1, sizes[chunks.count - 1]) : locate(rank)
    if sizes[chunk] == full {
      // At the end of the sequence the old chunk is left full, because a list mostly grows at its end.
      let kept = rank == count ? full : full / 2
      addChunk(Array(chunks[chunk][kept...]), at: chunk + 1)
      chunks[chunk].removeLast(full - kept)
      sizes[chunk] = kept
      if offset >= kept { (chunk, offset) = (chunk + 1, offset - kept) }
    }
    chunks[chunk].insert(slot, at: offset)
    sizes[chunk] += 1
    count += 1
    homes.reserve(forNewcomers: Int(slot) + 1 - homes.count)
    while homes.count <= Int(slot) { homes.append(0) }
    homes[Int(slot)] = names[chunk]
  }

  /// Removes the slot at this place in the sequence, counted from 0. Traps outside `0..<count`.
  mutating func remove(at rank: Int) {
    precondition(rank >= 0 && rank < count, "rank \(rank) of \(count)")
    let (chunk, offset) = locate(rank)
    chunks[chunk].remove(at: offset)
    sizes[chunk] -= 1
    count -= 1
    guard sizes[chunk] == 0 else { return }
    chunks.remove(at: chunk)
    sizes.remove(at: chunk)
    names.remove(at: chunk)
  }

  /// Inserts slots so that they stand at these places in the sequence afterwards, in this order. None of them may be in it already.
  mutating func insert(_ slots: [Slot], at ranks: RangeSet<Int>) {
    for (slot, rank) in zip(slots, ranks.ranges.joined()) { insert(slot, at: rank) }
  }

  /// Moves the slots at these places in the sequence together, so that the first of them is at `target` afterwards.
  mutating func move(_ ranks: Range<Int>, to target: Int) {
    let moved = slots(ranks)
    for rank in ranks.reversed() { remove(at: rank) }
    insert(moved, at: RangeSet(target..<target + moved.count))
  }

  /// Puts slots at these places in the sequence. They must be the slots that are there already, in another order.
  mutating func rearrange(_ slots: [Slot], at ranks: [Range<Int>]) {
    var (chunk, start, next) = (0, 0, 0)
    for range in ranks {
      for rank in range {
        while rank - start >= sizes[chunk] {
          start += sizes[chunk]
          chunk += 1
        }
        chunks[chunk][rank - start] = slots[next]
        homes[Int(slots[next])] = names[chunk]
        next += 1
      }
    }
  }

  /// Replaces the whole sequence by these slots, none of which may occur twice.
  mutating func replaceAll(with slots: [Slot]) {
    self = RankedSlots(chunkSize: full)
    count = slots.count
    homes = Array(repeating: 0, count: slots.max().map { Int($0) + 1 } ?? 0)
    // The chunks are filled to three quarters only; full ones would have to be split by the first edits.
    let filled = max(1, full / 4 * 3)
    for start in stride(from: 0, to: slots.count, by: filled) {
      addChunk(Array(slots[start..<min(slots.count, start + filled)]), at: chunks.count)
    }
  }

  /// The chunk in which the slot at this place of the sequence is, and where it is in that chunk. For the place `count` the chunk is past the end.
  private func locate(_ rank: Int) -> (chunk: Int, offset: Int) {
    var (chunk, offset) = (0, rank)
    while chunk < sizes.count, sizes[chunk] <= offset {
      offset -= sizes[chunk]
      chunk += 1
    }
    return (chunk, offset)
  }

  private mutating func addChunk(_ slots: [Slot], at place: Int) {
    lastName += 1
    chunks.insert(slots, at: place)
    sizes.insert(slots.count, at: place)
    names.insert(lastName, at: place)
    for slot in slots { homes[Int(slot)] = lastName }
  }
}
