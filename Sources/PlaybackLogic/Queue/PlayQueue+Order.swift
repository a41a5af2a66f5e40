// SPDX-License-Identifier: MIT

/// Internal access to the play order: the shuffled permutation, or the list where shuffle is off.
extension PlayQueue {
  func rank(of slot: Slot) -> Int { shuffled?.ranks.rank(of: slot) ?? list.rank(of: slot) }
  func slot(ranked rank: Int) -> Slot { shuffled?.ranks[rank] ?? list[rank] }

  /// The slot that Next leads to.
  var slotAfterCurrent: Slot? {
    guard let playing else { return nil }
    let rank = rank(of: playing) + 1
    if rank < count { return slot(ranked: rank) }
    guard repeatMode == .all else { return nil }
    return shuffled == nil ? list[0] : nextFirst
  }

  /// The slot that Previous leads to.
  var slotBeforeCurrent: Slot? {
    guard let playing else { return nil }
    if shuffled != nil, let last = history.last, let slot = table.slot(of: last) { return slot }
    let rank = rank(of: playing)
    if rank > 0 { return slot(ranked: rank - 1) }
    return shuffled == nil && repeatMode == .all && count > 1 ? list[count - 1] : nil
  }

  /// The slot that `start` would begin with, or nil if an entry is current already.
  var openingSlot: Slot? {
    guard playing == nil, !isEmpty else { return nil }
    return isOver && shuffled != nil ? nextFirst : slot(ranked: 0)
  }

  /// The slot that becomes current if the current entry is removed along with all entries at these positions. It is looked for in
  /// this pass only: nil if none is left in it.
  func heir(losing positions: RangeSet<Int>) -> Slot? {
    guard let playing, positions.size < count else { return nil }
    let cursor = rank(of: playing)
    let wraps = shuffled == nil && repeatMode == .all
    let ranks = [cursor + 1..<count, 0..<(wraps ? cursor : 0)].joined()
    return ranks.lazy.map { slot(ranked: $0) }.first { !positions.contains(list.rank(of: $0)) }
  }

  // MARK: Around every change

  /// Runs a change of any kind, and reports what happened to the current entry and to the one that follows. `body` returns why
  /// the current entry changed, or nil if it did not. A nil `command` marks a change that is not to be journaled.
  mutating func perform(
    _ command: QueueCommand?, _ body: (inout PlayQueue, inout QueueChange) -> CurrentChange.Cause?
  ) -> QueueChange {
    let (current, following, passes) = (current, following, passes)
    var change = QueueChange()
    let cause = body(&self, &change)
    settle()
    if let cause {
      change.current = CurrentChange(from: current, to: self.current, cause: playing == nil ? .ended : cause)
    }
    change.following = self.following
    change.hasNewFollowing = change.following != following
    change.isReordered = self.passes != passes
    change.command = command
    if command != nil { work += change.work(in: self) }
    return change
  }

  /// Brings `nextFirst` up to date.
  private mutating func settle() {
    let isLast = playing.map { repeatMode == .all && rank(of: $0) == count - 1 } ?? false
    if shuffled == nil || !(isLast || isOver) {
      nextFirst = nil
    } else if isOver, !pendingRun.isEmpty {
      nextFirst = slot(ranked: 0)
    } else if nextFirst == nil {
      nextFirst = drawFirst()
    }
  }

  /// Draws the first entry of a new pass: any entry except the one just played. By albums it is the first entry of the drawn
  /// one's album, unless that was just played.
  mutating func drawFirst() -> Slot? {
    guard let order = shuffled, count > 1 else { return isEmpty ? nil : list[0] }
    let before = playing ?? history.last.flatMap { table.slot(of: $0) }
    var rank = random.below(before == nil ? count : count - 1)
    if let before, rank >= order.ranks.rank(of: before) { rank += 1 }
    let head = order.ranks[order.stretch(around: rank, table).lowerBound]
    return head == before ? order.ranks[rank] : head
  }

  // MARK: Becoming current

  /// Makes an entry current. Its place in the play order must be right already.
  mutating func arrive(at slot: Slot) {
    playing = slot
    isOver = false
    if history.last == table[slot].id { forgetTheGone() }
  }

  /// Drops entries from the end of the history as long as they are no longer in the queue or are current.
  mutating func forgetTheGone() {
    while let last = history.last, table.slot(of: last) == nil || last == current { history.pop() }
  }

  /// Makes `heir` current after the current entry was removed. Without an heir a new pass begins, or the play order is over.
  mutating func inherit(_ heir: Slot?) {
    // This pass is at its end. Asked-for entries that it passed over are not moved to the front of another one.
    if heir == nil { asked = [] }
    if let heir {
      arrive(at: heir)
    } else if shuffled != nil, repeatMode == .all, let first = nextFirst ?? drawFirst() {
      beginPass(with: first)
    } else {
      isOver = !isEmpty
    }
  }

  /// Draws a new shuffled order that begins with this entry, and makes the entry current.
  mutating func beginPass(with slot: Slot) {
    reshuffle(around: slot)
    arrive(at: slot)
  }

  // MARK: What was asked to be next

  /// The ranks directly after the current entry that hold entries somebody asked to hear next. It may be empty.
  var pendingRun: Range<Int> {
    let start = playing.map { rank(of: $0) + 1 } ?? 0
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

  /// The first rank after the current entry and after all entries that somebody asked to hear next.
  var restStart: Int {
    let run = pendingRun
    let isCurrentAsked = playing.map { asked.contains($0) } ?? false
    // Usually all asked-for entries follow the current one directly, and the slow search below is not needed.
    if asked.count == run.count + (isCurrentAsked ? 1 : 0) { return run.upperBound }
    return max(run.upperBound, (asked.lazy.map { rank(of: $0) }.max() ?? -1) + 1)
  }

  /// Marks entries as asked for, and in a shuffled order inserts them at this rank. They must be in the list already.
  mutating func ask(_ slots: [Slot], at rank: Int) {
    for (index, slot) in slots.enumerated() { shuffled?.insert(slot, at: rank + index, table) }
    asked.formUnion(slots)
  }

  /// Without shuffle, entries placed between two asked-for entries become asked for as well. With shuffle, does nothing.
  mutating func joinRun(_ slots: [Slot], at positions: Range<Int>) {
    guard shuffled == nil, !asked.isEmpty, positions.lowerBound > 0, positions.upperBound < count else {
      return
    }
    if asked.contains(list[positions.lowerBound - 1]), asked.contains(list[positions.upperBound]) {
      asked.formUnion(slots)
    }
  }

  /// The indices within `slots` of the entries that were asked for.
  func numbersOfAsked(among slots: [Slot]) -> RangeSet<Int> {
    var numbers = RangeSet<Int>()
    if asked.isEmpty { return numbers }
    for (number, slot) in slots.enumerated() where asked.contains(slot) {
      numbers.insert(contentsOf: number..<number + 1)
    }
    return numbers
  }
}
