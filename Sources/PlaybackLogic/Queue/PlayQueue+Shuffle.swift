// SPDX-License-Identifier: MIT

/// The random part of the play order: drawing it, and placing entries in it.
extension PlayQueue {
  /// Draws a new play order: the current entry, then the entries asked for next, then all others at random. By albums, the rest
  /// of the current entry's album comes before the other albums, and the entries of that album above the current one in the list
  /// count as already played.
  mutating func reshuffle(around current: Slot?) {
    let run = pendingRun
    let next = (shuffled?.ranks ?? list).slots(run).filter { $0 != current }
    let apart = Set(next + (current.map { [$0] } ?? []))
    let others = apart.isEmpty ? list.all : list.all.filter { !apart.contains($0) }
    let byAlbum = shuffleMode == .albums
    let order = byAlbum ? drawAlbums(others, around: current, next) : drawSongs(others, current, next)
    passes += 1
    shuffled = ShuffleOrder(order, pass: passes, byAlbum: byAlbum, chunkSize: list.full, table: table)
    asked = Set(next)
    isOver = false
  }

  private mutating func drawSongs(_ others: [Slot], _ current: Slot?, _ next: [Slot]) -> [Slot] {
    var others = others
    random.shuffle(&others)
    return (current.map { [$0] } ?? []) + next + others
  }

  private mutating func drawAlbums(_ others: [Slot], around current: Slot?, _ next: [Slot]) -> [Slot] {
    let key = current.map { table[$0].album }.flatMap { $0 == .unknown ? nil : $0 }
    let (own, rest) = key == nil ? ([], others) : others.parted { table[$0].album == key }
    var albums = grouped(rest)
    random.shuffle(&albums)
    let position = current.map { list.rank(of: $0) } ?? 0
    let (above, below) = own.parted { list.rank(of: $0) < position }
    return above + (current.map { [$0] } ?? []) + next + below + albums.joined()
  }

  /// The slots, grouped by album. A slot whose album is unknown is a group of its own.
  private func grouped(_ slots: [Slot]) -> [[Slot]] {
    var groups: [[Slot]] = []
    var numbers: [AlbumKey: Int] = [:]
    for slot in slots {
      let album = table[slot].album
      if album != .unknown, let number = numbers[album] {
        groups[number].append(slot)
      } else {
        numbers[album] = groups.count
        groups.append([slot])
      }
    }
    return groups
  }

  // MARK: Newcomers

  /// Places entries, which must be in the list already, in the shuffled order. They get random places among the entries still to
  /// come, after those asked for next. By albums, they join their album if it is still to come or the current entry is of it.
  /// Does nothing without shuffle.
  mutating func fallIn(_ slots: [Slot]) {
    if shuffled == nil { return }
    if shuffled?.ranks.count == 0 { return reshuffle(around: nil) }
    let start = restStart
    for slot in slots {
      let rank = joiningRank(slot, from: start) ?? randomRank(from: start)
      shuffled?.insert(slot, at: rank, table)
    }
  }

  /// The rank at which an entry joins its album. Nil if there is none to join: the order is not by albums, the album is unknown,
  /// or it is played already or not in the order.
  private func joiningRank(_ slot: Slot, from start: Int) -> Int? {
    guard let order = shuffled, let album = order.album(of: slot, table),
      let anchor = order.anchor(of: album).map({ order.ranks.rank(of: $0) }),
      anchor >= playing.map({ order.ranks.rank(of: $0) }) ?? 0
    else { return nil }
    let position = list.rank(of: slot)
    // Entries of one album follow each other as in the list, and the anchor is the last of them. So a binary search finds the
    // first one that stands below this entry in the list.
    var (low, high) = (start, max(start, anchor + 1))
    while low < high {
      let middle = low + (high - low) / 2
      let other = order.ranks[middle]
      let isBelow = table[other].album == album && list.rank(of: other) > position
      (low, high) = isBelow ? (low, middle) : (middle + 1, high)
    }
    return low
  }

  /// A random rank, from `start` on. By albums, it never splits an album.
  private mutating func randomRank(from start: Int) -> Int {
    guard let order = shuffled else { return start }
    let drawn = start + random.below(order.ranks.count - start + 1)
    guard order.byAlbum else { return drawn }
    let before = drawn == start ? playing : order.ranks[drawn - 1]
    guard let album = before.flatMap({ order.album(of: $0, table) }), let anchor = order.anchor(of: album)
    else { return drawn }
    return max(drawn, order.ranks.rank(of: anchor) + 1)
  }

  // MARK: Returners

  /// Where these entries stand in the shuffled order, so that undo can put them back there. Nil without shuffle.
  func places(of slots: [Slot]) -> UndoStep.OrderPlaces? {
    guard let order = shuffled else { return nil }
    let cursor = playing.map { order.ranks.rank(of: $0) } ?? -1
    let bySlot = order.ranks.isMany(slots.count) ? order.ranks.ranksBySlot : nil
    let ranks = slots.map { slot in bySlot.map { $0[Int(slot)] } ?? UInt32(order.ranks.rank(of: slot)) }
    return UndoStep.OrderPlaces(pass: order.pass, cursor: cursor, ranks: ranks)
  }

  /// Puts entries back at their noted ranks if this is still the same pass. Those that had been played come before the current
  /// entry, the others after it. Those in `next` become asked for again. In another pass, all are placed like newcomers.
  mutating func fallBack(_ slots: [Slot], to places: UndoStep.OrderPlaces, asked next: Set<Slot>) {
    let returners = zip(places.ranks, slots).sorted { $0.0 < $1.0 }
    if shuffled?.ranks.count == 0 {
      shuffled?.fill(with: returners.map(\.1), table)
      asked.formUnion(next)
    } else if shuffled?.pass == places.pass {
      for (rank, slot) in returners {
        let isNext = next.contains(slot)
        let rank = returningRank(Int(rank), wasPast: rank <= places.cursor, isNext: isNext)
        shuffled?.insert(slot, at: rank, table)
        if isNext { asked.insert(slot) }
      }
    } else {
      fallIn(slots)
    }
  }

  private func returningRank(_ rank: Int, wasPast: Bool, isNext: Bool) -> Int {
    let rank = min(rank, shuffled?.ranks.count ?? 0)
    guard let playing else { return rank }
    let cursor = self.rank(of: playing)
    if wasPast { return min(rank, cursor) }
    return max(rank, isNext ? cursor + 1 : restStart)
  }

  // MARK: Jumps

  /// Moves an entry to directly after the current one; by albums, the rest of its album comes along, and an entry of the album
  /// that is playing stays where it is. The entries asked for next follow directly after the moved one. Does nothing without
  /// shuffle.
  mutating func bringForward(_ slot: Slot) {
    guard shuffled != nil else { return }
    let run = pendingRun
    let rank = rank(of: slot)
    let here = playing.map { stretch(around: self.rank(of: $0)) } ?? 0..<0
    if here.contains(rank), !run.contains(rank) { return }
    let next = (shuffled?.ranks ?? list).slots(run).filter { $0 != slot }
    let group = group(around: rank)
    let target = run.isEmpty ? here.upperBound : run.lowerBound
    shuffled?.move(group, to: group.lowerBound < target ? target - group.count : target)
    guard let first = next.first else { return }
    let start = self.rank(of: first)
    let after = self.rank(of: slot) + 1
    shuffled?.move(start..<start + next.count, to: after)
  }

  /// Moves an entry to before the current one if the shuffled order has it after the current one, as after Previous into an
  /// earlier pass. By albums, its album moves along. An entry of this pass is before the current one already.
  mutating func bringBack(_ slot: Slot) {
    guard shuffled != nil, let playing else { return }
    let here = stretch(around: rank(of: playing))
    let rank = rank(of: slot)
    guard rank >= here.upperBound else { return }
    let group = group(around: rank)
    shuffled?.move(group, to: here.lowerBound)
  }

  private func stretch(around rank: Int) -> Range<Int> {
    shuffled?.stretch(around: rank, table) ?? rank..<rank + 1
  }

  /// The ranks around this one that hold the same album, without the entries asked for next. An entry that is asked for itself
  /// stands alone.
  private func group(around rank: Int) -> Range<Int> {
    let stretch = stretch(around: rank)
    if asked.isEmpty { return stretch }
    if asked.contains(slot(ranked: rank)) { return rank..<rank + 1 }
    var (start, end) = (rank, rank + 1)
    while start > stretch.lowerBound, !asked.contains(slot(ranked: start - 1)) { start -= 1 }
    while end < stretch.upperBound, !asked.contains(slot(ranked: end)) { end += 1 }
    return start..<end
  }
}

extension Array {
  /// The elements for which `isFirst` is true, and the others, both in their original order.
  func parted(_ isFirst: (Element) -> Bool) -> (first: [Element], second: [Element]) {
    (filter(isFirst), filter { !isFirst($0) })
  }
}
