// SPDX-License-Identifier: MIT

/// The play order of one shuffled pass over the queue: a permutation of the list's slots.
struct ShuffleOrder: Sendable {
  /// The permutation.
  private(set) var ranks: RankedSlots
  /// The number of this pass. Ranks noted in one pass mean nothing in another.
  let pass: UInt64
  /// Whether albums stay together.
  let byAlbum: Bool
  // For each album, the slot after which a newcomer of that album may be placed. Empty unless `byAlbum`.
  private(set) var anchors: [AlbumKey: Slot] = [:]

  /// A pass in this order.
  init(_ slots: [Slot], pass: UInt64, byAlbum: Bool, chunkSize: Int, table: EntryTable) {
    self.pass = pass
    self.byAlbum = byAlbum
    ranks = RankedSlots(chunkSize: chunkSize)
    fill(with: slots, table)
  }

  /// The album of a slot. Nil if the album is unknown, or if the order is not by albums.
  func album(of slot: Slot, _ table: EntryTable) -> AlbumKey? {
    guard byAlbum else { return nil }
    let album = table[slot].album
    return album == .unknown ? nil : album
  }

  /// The slot after which a newcomer of this album may be placed. Nil if no entry of the album is here.
  func anchor(of album: AlbumKey) -> Slot? { anchors[album] }

  /// The ranks around this one whose entries are all of the same album; only this one if `album(of:)` is nil.
  func stretch(around rank: Int, _ table: EntryTable) -> Range<Int> {
    guard let album = album(of: ranks[rank], table) else { return rank..<rank + 1 }
    var (start, end) = (rank, rank + 1)
    while start > 0, table[ranks[start - 1]].album == album { start -= 1 }
    while end < ranks.count, table[ranks[end]].album == album { end += 1 }
    return start..<end
  }

  // MARK: Edits

  /// Inserts a slot so that it has this rank.
  mutating func insert(_ slot: Slot, at rank: Int, _ table: EntryTable) {
    ranks.insert(slot, at: rank)
    guard let album = album(of: slot, table) else { return }
    if let anchor = anchors[album], ranks.rank(of: anchor) > rank { return }
    anchors[album] = slot
  }

  /// Removes a slot, whose entry must still be in the table.
  mutating func remove(_ slot: Slot, _ table: EntryTable) {
    unanchor(slot, table)
    ranks.remove(at: ranks.rank(of: slot))
  }

  /// Removes many slots. Costs one pass over the whole order.
  mutating func removeMany(_ slots: [Slot], _ table: EntryTable) {
    var isGone = Array(repeating: false, count: slots.max().map { Int($0) + 1 } ?? 0)
    for slot in slots { isGone[Int(slot)] = true }
    ranks.replaceAll(with: ranks.all.filter { $0 >= isGone.count || !isGone[Int($0)] })
    anchorAll(table)
  }

  /// Removes all slots. The pass keeps its number.
  mutating func removeAll() {
    ranks.replaceAll(with: [])
    anchors = [:]
  }

  /// Fills the empty order with slots. The pass keeps its number.
  mutating func fill(with slots: [Slot], _ table: EntryTable) {
    ranks.replaceAll(with: slots)
    anchorAll(table)
  }

  /// Moves a stretch so that its first slot has the rank `target`, counted without the stretch.
  mutating func move(_ stretch: Range<Int>, to target: Int) { ranks.move(stretch, to: target) }

  /// Makes a slot the anchor of its album if the album has none.
  mutating func anchorIfFirst(_ slot: Slot, _ table: EntryTable) {
    if let album = album(of: slot, table), anchors[album] == nil { anchors[album] = slot }
  }

  /// Call before a slot leaves its album. If it is the anchor, a neighbour of the same album takes its place as anchor.
  mutating func unanchor(_ slot: Slot, _ table: EntryTable) {
    guard let album = album(of: slot, table), anchors[album] == slot else { return }
    let rank = ranks.rank(of: slot)
    let neighbours = [rank - 1, rank + 1].filter { $0 >= 0 && $0 < ranks.count }.map { ranks[$0] }
    anchors[album] = neighbours.first { table[$0].album == album }
  }

  /// Makes these slots the anchors of their albums, and removes all other anchors.
  mutating func setAnchors(_ slots: [Slot], _ table: EntryTable) {
    anchors = [:]
    for slot in slots { if let album = album(of: slot, table) { anchors[album] = slot } }
  }

  private mutating func anchorAll(_ table: EntryTable) {
    anchors = [:]
    guard byAlbum else { return }
    for slot in ranks.all { if let album = album(of: slot, table) { anchors[album] = slot } }
  }
}

/// The queue's own random generator (SplitMix64). The same seed gives the same shuffles, also after a restart.
struct QueueRandom: Sendable, Equatable {
  /// The whole state of the generator. A generator made with it continues the same sequence.
  private(set) var state: UInt64

  init(state: UInt64) { self.state = state }

  private mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }

  /// A random number from 0 up to, but not including, the bound; all have the same probability. Traps if the bound is not
  /// positive.
  mutating func below(_ bound: Int) -> Int {
    precondition(bound > 0, "a random number below \(bound)")
    let bound = UInt64(bound)
    // The high half of the product is evenly distributed except for a few values of the low half. Those are drawn again.
    var product = next().multipliedFullWidth(by: bound)
    if product.low < bound {
      let uneven = (0 &- bound) % bound
      while product.low < uneven { product = next().multipliedFullWidth(by: bound) }
    }
    return Int(product.high)
  }

  /// Shuffles elements. Every order has the same probability.
  mutating func shuffle<Element>(_ elements: inout [Element]) {
    for last in stride(from: elements.count - 1, to: 0, by: -1) { elements.swapAt(last, below(last + 1)) }
  }
}

/// The entries that were really played before the current one, the latest last.
struct PlayHistory: Sendable, Equatable {
  /// How many of the latest entries are kept at least. Up to twice as many are kept at times.
  static let depth = 1_000

  private(set) var entries: [EntryID] = []

  /// A history that ends with these entries.
  init(_ entries: [EntryID] = []) { self.entries = entries.suffix(2 * Self.depth) }

  /// The entry played last.
  var last: EntryID? { entries.last }

  /// Adds an entry that has been played.
  mutating func push(_ entry: EntryID) {
    // The oldest thousand are dropped at once, because dropping one at each push would shift the whole array each time.
    if entries.count >= 2 * Self.depth { entries.removeFirst(Self.depth) }
    entries.append(entry)
  }

  /// Removes the entry played last. Traps if there is none.
  mutating func pop() { entries.removeLast() }
}
