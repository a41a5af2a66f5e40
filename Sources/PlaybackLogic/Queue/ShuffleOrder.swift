// SPDX-License-Identifier: MIT

/// The play order while shuffle is on: the slots of the list (the numbers that stand for its entries) in the order in which they play. A new one is
/// drawn for each pass through the queue.
struct ShuffleOrder: Sendable {
  /// The number of this play order. Places that were noted in one play order mean nothing in another.
  let pass: UInt64
  /// Whether the order keeps the entries of each album together.
  let byAlbum: Bool
  /// All slots, in the order in which they play.
  private(set) var ranks: RankedSlots
  // For each album, the slot after which a new entry of that album may be placed. Empty unless `byAlbum`.
  private var anchors: [AlbumKey: Slot] = [:]

  /// A play order with the slots in this order. `anchors` are the slots after which new entries of the same album are placed; if
  /// it is nil, these are the last slots of each album.
  init(
    _ slots: [Slot], pass: UInt64, byAlbum: Bool, anchors: [Slot]? = nil, chunkSize: Int, _ table: EntryTable
  ) {
    self.pass = pass
    self.byAlbum = byAlbum
    ranks = RankedSlots(chunkSize: chunkSize)
    ranks.replaceAll(with: slots)
    anchorAll(anchors ?? slots, table)
  }

  /// The slots after which new entries of the same album are placed, in no particular order.
  var anchorSlots: some Collection<Slot> { anchors.values }

  // MARK: Drawing

  /// Draws an order: the current entry, then those in `next`, which somebody asked to hear next, then all others at random.
  static func drawSongs(
    _ list: RankedSlots, around current: Slot?, _ next: [Slot], _ random: inout QueueRandom
  ) -> [Slot] {
    let first = (current.map { [$0] } ?? []) + next
    let apart = Set(first)
    var others = list.all.filter { !apart.contains($0) }
    random.shuffle(&others)
    return first + others
  }

  /// Draws an order by albums. After the current entry come those in `next`, which somebody asked to hear next. The rest of the current entry's album
  /// comes before the other albums. The entries of that album above the current one in the list count as already played.
  static func drawAlbums(
    _ list: RankedSlots, around current: Slot?, _ next: [Slot], _ random: inout QueueRandom,
    _ table: EntryTable
  ) -> [Slot] {
    let first = (current.map { [$0] } ?? []) + next
    let apart = Set(first)
    let own = current.map { table[$0].album } ?? .unknown
    let position = current.map { list.rank(of: $0) } ?? 0
    var (above, below, albums): ([Slot], [Slot], [[Slot]]) = ([], [], [])
    var numbers: [AlbumKey: Int] = [:]
    for (row, slot) in list.all.enumerated() where !apart.contains(slot) {
      let album = table[slot].album
      if album == .unknown {
        albums.append([slot])
      } else if album == own {
        if row < position { above.append(slot) } else { below.append(slot) }
      } else if let number = numbers[album] {
        albums[number].append(slot)
      } else {
        numbers[album] = albums.count
        albums.append([slot])
      }
    }
    random.shuffle(&albums)
    return above + first + below + albums.joined()
  }

  // MARK: Albums

  /// The places in the play order (ranks, from 0) around this one whose entries are all of its entry's album. Only this place if
  /// the order is not by albums or the album is unknown.
  func stretch(around rank: Int, _ table: EntryTable) -> Range<Int> {
    guard let album = album(of: ranks[rank], table) else { return rank..<rank + 1 }
    var (start, end) = (rank, rank + 1)
    while start > 0, table[ranks[start - 1]].album == album { start -= 1 }
    while end < ranks.count, table[ranks[end]].album == album { end += 1 }
    return start..<end
  }

  /// The places in the play order (ranks, from 0) around this one whose entries are of the same album and not in `asked`, which
  /// somebody asked to hear next. If this entry is in `asked`, its place alone.
  func group(around rank: Int, without asked: Set<Slot>, _ table: EntryTable) -> Range<Int> {
    let stretch = stretch(around: rank, table)
    if asked.isEmpty { return stretch }
    if asked.contains(ranks[rank]) { return rank..<rank + 1 }
    var (start, end) = (rank, rank + 1)
    while start > stretch.lowerBound, !asked.contains(ranks[start - 1]) { start -= 1 }
    while end < stretch.upperBound, !asked.contains(ranks[end]) { end += 1 }
    return start..<end
  }

  /// The first entry of the list that is of the same album as this slot's; the slot itself if the order is not by albums or the album is unknown.
  func head(of slot: Slot, in list: RankedSlots, _ table: EntryTable) -> Slot {
    guard let album = album(of: slot, table) else { return slot }
    return (0..<list.count).lazy.map { list[$0] }.first { table[$0].album == album } ?? slot
  }

  /// The album of a slot. Nil if the album is unknown, or if the order is not by albums.
  private func album(of slot: Slot, _ table: EntryTable) -> AlbumKey? {
    guard byAlbum else { return nil }
    let album = table[slot].album
    return album == .unknown ? nil : album
  }

  // MARK: Places for newcomers and returners

  /// The place in the play order (rank, from 0) at which a new entry joins its album. It is not below `start`; `cursor` is the
  /// place of the current entry. Nil if there is no album to join: the order is not by albums, or the album is unknown, not in
  /// the order, or played already.
  func joiningRank(_ slot: Slot, from start: Int, cursor: Int, _ list: RankedSlots, _ table: EntryTable)
    -> Int?
  {
    guard let album = album(of: slot, table), let anchor = anchors[album].map({ ranks.rank(of: $0) }),
      anchor >= cursor
    else { return nil }
    let position = list.rank(of: slot)
    // Entries of one album follow each other as in the list, and the anchor is the last of them. So a binary search finds the
    // first one that stands below this entry in the list.
    var (low, high) = (start, max(start, anchor + 1))
    while low < high {
      let middle = low + (high - low) / 2
      let other = ranks[middle]
      let isBelow = table[other].album == album && list.rank(of: other) > position
      (low, high) = isBelow ? (low, middle) : (middle + 1, high)
    }
    return low
  }

  /// A random place in the play order (rank, from 0) for a new entry, `start` or higher. By albums, an entry inserted there
  /// splits no album, not even the current entry's.
  func randomRank(from start: Int, after current: Slot?, _ random: inout QueueRandom, _ table: EntryTable)
    -> Int
  {
    let drawn = start + random.below(ranks.count - start + 1)
    let before = drawn == start ? current : ranks[drawn - 1]
    guard let anchor = before.flatMap({ album(of: $0, table) }).flatMap({ anchors[$0] }) else { return drawn }
    return max(drawn, ranks.rank(of: anchor) + 1)
  }

  /// Where these entries stand in the play order, so that undo can put them back there. `cursor` is the place of the current entry, or -1.
  func places(of slots: [Slot], cursor: Int) -> UndoStep.OrderPlaces {
    UndoStep.OrderPlaces(
      pass: pass, cursor: cursor, byAlbum: byAlbum, ranks: ranks.ranks(of: slots))
  }

  /// Whether entries that come back belong where they stood: in this same order, or in one that is empty and of the same kind.
  func hasStill(_ places: UndoStep.OrderPlaces) -> Bool {
    ranks.count == 0 ? byAlbum == places.byAlbum ?? byAlbum : pass == places.pass
  }

  // MARK: Edits

  /// Inserts a slot into the play order so that `rank` others come before it.
  mutating func insert(_ slot: Slot, at rank: Int, _ table: EntryTable) {
    ranks.insert(slot, at: rank)
    guard let album = album(of: slot, table) else { return }
    if let anchor = anchors[album], ranks.rank(of: anchor) > rank { return }
    anchors[album] = slot
  }

  /// Removes a slot, whose entry must still be in the table.
  mutating func remove(_ slot: Slot, _ table: EntryTable) {
    let rank = ranks.rank(of: slot)
    if let album = album(of: slot, table), anchors[album] == slot {
      let neighbours = [rank - 1, rank + 1].filter { $0 >= 0 && $0 < ranks.count }.map { ranks[$0] }
      anchors[album] = neighbours.first { table[$0].album == album }
    }
    ranks.remove(at: rank)
  }

  /// Replaces all slots of the play order, which keeps its number (`pass`).
  mutating func replaceAll(with slots: [Slot], _ table: EntryTable) {
    ranks.replaceAll(with: slots)
    anchorAll(slots, table)
  }

  /// Moves the slots at these places in the play order together, so that the first of them is at `target` afterwards.
  mutating func move(_ stretch: Range<Int>, to target: Int) { ranks.move(stretch, to: target) }

  /// Makes the last of each album's entries among these slots the one after which a new entry of the album is placed.
  private mutating func anchorAll(_ slots: [Slot], _ table: EntryTable) {
    anchors = [:]
    guard byAlbum else { return }
    for slot in slots { if let album = album(of: slot, table) { anchors[album] = slot } }
  }
}

/// The queue's own random generator (SplitMix64). The same seed gives the same shuffles, also after a restart.
struct QueueRandom: Sendable, Equatable {
  /// The whole state of the generator. A generator made with it continues the same sequence.
  private(set) var state: UInt64

  init(state: UInt64) { self.state = state }

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

  private mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }
}
