// SPDX-License-Identifier: MIT

/// What a play order can tell: the list, what comes before and after the current entry, and its state for storing.
extension PlayOrder {
  var count: Int { list.count }
  var lastID: UInt64 { table.lastID }
  subscript(position: Int) -> Entry { table[list[position]] }
  func entries(at positions: Range<Int>) -> [Entry] { list.slots(positions).map { table[$0] } }
  func entry(_ id: EntryID) -> Entry? { table.slot(of: id).map { table[$0] } }
  func position(of id: EntryID) -> Int? { table.slot(of: id).map { list.rank(of: $0) } }

  var current: EntryID? { id(playing) }
  var currentPosition: Int? { playing.map { list.rank(of: $0) } }
  /// The entry that plays by itself after the current one; under "repeat one" that is the current one again.
  var following: EntryID? { id(modes.repeatMode == .one ? playing : slotAfterCurrent) }
  var next: EntryID? { id(slotAfterCurrent) }
  var previous: EntryID? { id(slotBeforeCurrent) }
  /// The entry that `start` would make current; nil if an entry is current already or there is none.
  var opening: EntryID? { id(openingSlot) }

  /// The entries after the current one that will play until the end of the play order, at most `limit` of them.
  func upcoming(_ limit: Int) -> [EntryID] {
    if progress == .over { return [] }
    let start = rankAfterCurrent
    return slots(ranked: start..<min(count, start + max(0, limit))).map { table[$0].id }
  }

  func id(_ slot: Slot?) -> EntryID? { slot.map { table[$0].id } }

  var playing: Slot? { if case .at(let slot) = progress { slot } else { nil } }
  var rankAfterCurrent: Int { playing.map { rank(of: $0) + 1 } ?? 0 }

  func rank(of slot: Slot) -> Int { shuffled?.ranks.rank(of: slot) ?? list.rank(of: slot) }
  func slot(ranked rank: Int) -> Slot { shuffled?.ranks[rank] ?? list[rank] }
  func slots(ranked ranks: Range<Int>) -> [Slot] { (shuffled?.ranks ?? list).slots(ranks) }

  var slotAfterCurrent: Slot? {
    guard let playing else { return nil }
    let rank = rank(of: playing) + 1
    if rank < count { return slot(ranked: rank) }
    guard modes.repeatMode == .all else { return nil }
    return shuffled == nil ? list[0] : nextFirst
  }

  var slotBeforeCurrent: Slot? {
    guard let playing else { return nil }
    if shuffled != nil, let last = history.last, let slot = table.slot(of: last) { return slot }
    let rank = rank(of: playing)
    if rank > 0 { return slot(ranked: rank - 1) }
    return shuffled == nil && modes.repeatMode == .all && count > 1 ? list[count - 1] : nil
  }

  var openingSlot: Slot? {
    guard playing == nil, count > 0 else { return nil }
    return progress == .over && shuffled != nil ? nextFirst : slot(ranked: 0)
  }

  func stretch(around rank: Int) -> Range<Int> { shuffled?.stretch(around: rank, table) ?? rank..<rank + 1 }
  func group(around rank: Int) -> Range<Int> {
    shuffled?.group(around: rank, without: asked, table) ?? rank..<rank + 1
  }

  /// The slot of the entry that becomes current if the current one is removed along with all entries at these positions. It is the next one in the
  /// play order that stays. Without shuffle and under "repeat all", the search goes on from the top of the list; otherwise it ends with the play
  /// order. Nil if none is found.
  func heir(losing positions: RangeSet<Int>) -> Slot? {
    guard let playing, positions.size < count else { return nil }
    let cursor = rank(of: playing)
    let wraps = shuffled == nil && modes.repeatMode == .all
    let ranks = [cursor + 1..<count, 0..<(wraps ? cursor : 0)].joined()
    return ranks.lazy.map { slot(ranked: $0) }.first { !positions.contains(list.rank(of: $0)) }
  }

  // MARK: What was asked to be next

  /// The ranks (places in the play order, from 0) of the entries that somebody asked to hear next and that directly follow the current one. Empty if
  /// there are none.
  var pendingRun: Range<Int> {
    let start = rankAfterCurrent
    let order = shuffled?.ranks ?? list
    let limit = min(order.count, start + asked.count)
    var end = start
    while end < limit {
      let piece = order.slots(end..<min(limit, end + RankedSlots.usualSize))
      let run = piece.prefix { asked.contains($0) }.count
      end += run
      if run < piece.count { break }
    }
    return start..<end
  }

  /// The first place in the play order, from this one on, whose entry nobody asked to hear next.
  func endOfAsked(from start: Int) -> Int {
    // In the middle of an edit, the order may have fewer entries than the list.
    let order = shuffled?.ranks ?? list
    var end = start
    while end < order.count, asked.contains(order[end]) { end += 1 }
    return end
  }

  /// The first place in the play order (its rank, from 0) after the current entry and after all entries that somebody asked to hear next.
  var restStart: Int {
    let run = pendingRun
    let isCurrentAsked = playing.map { asked.contains($0) } ?? false
    // Usually all asked-for entries follow the current one directly, and the slow search below is not needed.
    if asked.count == run.count + (isCurrentAsked ? 1 : 0) { return run.upperBound }
    return max(run.upperBound, (asked.lazy.map { rank(of: $0) }.max() ?? -1) + 1)
  }

  /// The indices, within `slots`, of the entries that somebody asked to hear next.
  func numbersOfAsked(among slots: [Slot]) -> RangeSet<Int> {
    var numbers = RangeSet<Int>()
    if asked.isEmpty { return numbers }
    for (number, slot) in slots.enumerated() where asked.contains(slot) {
      numbers.insert(contentsOf: number..<number + 1)
    }
    return numbers
  }

  // MARK: The stored state

  /// The state of the play order, for storing, without the undo log, which `PlayQueue` adds. Reads the whole list.
  var state: QueueState {
    var state = QueueState()
    state.entries = entries(at: 0..<count)
    state.order = shuffled.map { order in
      QueueState.Order(
        positions: list.ranks(of: order.ranks.all), pass: order.pass, byAlbum: order.byAlbum,
        anchors: list.ranks(of: Array(order.anchorSlots)).sorted())
    }
    state.current = currentPosition
    state.isOver = progress == .over
    state.nextFirst = nextFirst.map { list.rank(of: $0) }
    state.asked = stretchesOfAsked.flatMap { stretch in
      [stretch.lowerBound, stretch.upperBound - 1].map { list.rank(of: slot(ranked: $0)) }
    }
    state.history = history.entries
    state.lastID = lastID
    state.passes = passes
    state.chance = random.state
    state.modes = modes
    return state
  }

  /// The places in the play order, counted from 0, of all entries that somebody asked to hear next, as ranges in ascending order.
  private var stretchesOfAsked: [Range<Int>] {
    var stretches: [Range<Int>] = []
    for rank in asked.map({ rank(of: $0) }).sorted() {
      if let last = stretches.last, last.upperBound == rank {
        stretches[stretches.count - 1] = last.lowerBound..<rank + 1
      } else {
        stretches.append(rank..<rank + 1)
      }
    }
    return stretches
  }
}
