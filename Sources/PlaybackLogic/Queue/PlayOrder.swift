// SPDX-License-Identifier: MIT

/// The entries of a queue: their list, the order in which they play, and how far it was played. It knows no undo and no journal;
/// `PlayQueue` has those.
///
/// While shuffle is off the list is the play order. Every edit returns the part of an undo step that takes it back, and appends
/// what it did to `edits`. Call `finishChange` after each change of any kind.
struct PlayOrder: Sendable {
  enum Progress: Equatable {
    /// Nothing is current. `start` begins with the first entry of the play order.
    case notBegun
    /// The entry in this slot is current: it plays or would play.
    case at(Slot)
    /// The play order was played to its end, and nothing has become current since.
    case over
  }

  private(set) var table = EntryTable()
  private(set) var list: RankedSlots
  /// The play order while shuffle is on; nil while it is off, because then the list is the play order.
  private(set) var shuffled: ShuffleOrder?
  private(set) var progress = Progress.notBegun
  /// The entry with which the next shuffled pass through the queue begins. Under "repeat all" it is drawn as soon as the last entry of this pass is
  /// current, because what follows must always be known. It is also drawn when the play order is over. Otherwise nil.
  private(set) var nextFirst: Slot?
  /// The entries that somebody asked to hear next and that were neither heard to the end nor skipped yet. Those directly after
  /// the current entry play next. The others keep the mark, so somebody who jumps away and comes back finds them as they were.
  private(set) var asked: Set<Slot> = []
  private(set) var history = PlayHistory()
  private(set) var random: QueueRandom
  /// How many play orders this queue has had. A place in one play order means nothing in another, so undo notes this number with the places of
  /// removed entries.
  private(set) var passes: UInt64 = 0
  private(set) var modes: QueueModes

  /// An empty play order. `seed` determines every random choice; `chunkSize` is how many entries a chunk of the list holds at most
  /// (`RankedSlots.full`).
  init(seed: UInt64, _ modes: QueueModes, chunkSize: Int) {
    random = QueueRandom(state: seed)
    list = RankedSlots(chunkSize: chunkSize)
    self.modes = modes
    if modes.shuffleMode != .off { reshuffle(around: nil) }
  }

  // MARK: Steps

  /// Makes `opening` current, the entry to begin with while nothing is current. Returns false if there is none.
  mutating func start() -> Bool {
    guard let slot = openingSlot else { return false }
    if progress == .over, shuffled != nil { beginPass(with: slot) } else { arrive(at: slot) }
    return true
  }

  /// Makes the next entry of the play order current. After the last one the order begins again under "repeat all"; otherwise nothing is current then.
  /// Does nothing if nothing is current.
  mutating func goOn() { leave(for: slotAfterCurrent) }

  /// Makes nothing current, as after the last entry. Does nothing if nothing is current.
  mutating func end() { leave(for: nil) }

  private mutating func leave(for heir: Slot?) {
    guard let left = playing else { return }
    let isLast = rank(of: left) == count - 1
    history.push(table[left].id)
    asked.remove(left)
    if isLast { asked = [] }
    guard let heir else { return progress = .over }
    if isLast, shuffled != nil { beginPass(with: heir) } else { arrive(at: heir) }
  }

  /// Goes back to the previous entry. Returns false if there is none.
  mutating func goBack() -> Bool {
    guard let slot = slotBeforeCurrent else { return false }
    if history.last == table[slot].id { history.pop() }
    bringBack(slot)
    arrive(at: slot)
    forgetTheGone()
    return true
  }

  /// Makes an entry current. Returns false if it is not in the queue.
  mutating func jump(to id: EntryID) -> Bool {
    guard let slot = table.slot(of: id) else { return false }
    jump(to: slot)
    return true
  }

  /// Puts entries into a random order.
  mutating func shuffle(_ entries: inout [Entry]) {
    for last in stride(from: entries.count - 1, to: 0, by: -1) {
      entries.swapAt(last, random.below(last + 1))
    }
  }

  /// Makes a random entry current, never the present one unless it is the only one. Returns false in an empty queue.
  mutating func jumpAnywhere() -> Bool {
    if count == 0 { return false }
    let others = playing == nil || count == 1 ? count : count - 1
    var position = random.below(others)
    if others < count, let current = currentPosition, position >= current { position += 1 }
    jump(to: list[position])
    return true
  }

  /// Makes an entry current again that was current before an edit. If its place in the play order is a new one (`isNewlyPlaced`), it comes first there, so
  /// that all others are still to come. Returns false, and does nothing, if it is not in the queue.
  mutating func restoreCurrent(_ id: EntryID?, isNewlyPlaced: Bool) -> Bool {
    guard let slot = id.flatMap({ table.slot(of: $0) }) else { return false }
    if isNewlyPlaced { bringForward(slot) }
    arrive(at: slot)
    return true
  }

  /// Whether entries that this part of an undo step brings back get new places in the shuffled order, because that is not the one in which they stood.
  func placesAnew(_ part: UndoStep.Part) -> Bool {
    guard case .insert(_, _, let places, _) = part, let shuffled else { return false }
    return places.map { !shuffled.hasStill($0) } ?? true
  }

  private mutating func jump(to slot: Slot) {
    if slot == playing { return }
    if let current { history.push(current) }
    if progress == .over, shuffled != nil { return beginPass(with: slot) }
    bringForward(slot)
    arrive(at: slot)
  }

  /// Makes an entry current. Its place in the play order must be right already.
  private mutating func arrive(at slot: Slot) {
    progress = .at(slot)
    if history.last == table[slot].id { forgetTheGone() }
  }

  /// Drops entries from the end of the history until the last one is in the queue and is not the current one.
  private mutating func forgetTheGone() {
    while let last = history.last, table.slot(of: last) == nil || last == current { history.pop() }
  }

  /// Puts back what was played, after rows were out of the queue for a moment: meanwhile the history forgot them.
  mutating func restore(_ played: PlayHistory) {
    history = played
    forgetTheGone()
  }

  /// In a shuffled order, moves an entry to directly after the current one. By albums, the rest of its album moves along, but an
  /// entry of the album that is playing stays where it is. The entries that somebody asked to hear next are placed directly after
  /// the moved one.
  private mutating func bringForward(_ slot: Slot) {
    guard shuffled != nil else { return }
    let run = pendingRun
    let rank = rank(of: slot)
    let here = playing.map { stretch(around: self.rank(of: $0)) } ?? 0..<0
    if here.contains(rank), !run.contains(rank) { return }
    let next = slots(ranked: run).filter { $0 != slot }
    let group = group(around: rank)
    let target = run.isEmpty ? here.upperBound : run.lowerBound
    shuffled?.move(group, to: group.lowerBound < target ? target - group.count : target)
    guard let first = next.first else { return }
    let start = self.rank(of: first)
    let after = self.rank(of: slot) + 1
    shuffled?.move(start..<start + next.count, to: after)
  }

  /// In a shuffled order, moves an entry that is still to come to before the current one; by albums, its album moves along.
  /// This is needed when Previous leads to an entry that an earlier pass played. An entry that this pass has played stays where
  /// it is.
  private mutating func bringBack(_ slot: Slot) {
    guard shuffled != nil, let playing else { return }
    let here = stretch(around: rank(of: playing))
    let rank = rank(of: slot)
    guard rank >= here.upperBound else { return }
    let group = group(around: rank)
    shuffled?.move(group, to: here.lowerBound)
  }

  // MARK: Passes and modes

  /// Sets the modes. If the shuffle mode in effect changes, the play order is made anew.
  mutating func setModes(_ new: QueueModes) {
    let before = modes.shuffleMode
    modes = new
    if modes.shuffleMode == before { return }
    if modes.shuffleMode != .off { return reshuffle(around: playing) }
    shuffled = nil
    passes += 1
    // The list is not rearranged for the asked-for entries. They stay asked for only if they stand directly after the current
    // entry in the list anyway.
    asked = Set(list.slots(pendingRun))
  }

  /// Draws a new shuffled order: the current entry, then the entries that somebody asked to hear next, then all others at random.
  private mutating func reshuffle(around current: Slot?) {
    let next = slots(ranked: pendingRun).filter { $0 != current }
    let byAlbum = modes.shuffleMode == .albums
    let order =
      byAlbum
      ? ShuffleOrder.drawAlbums(list, around: current, next, &random, table)
      : ShuffleOrder.drawSongs(list, around: current, next, &random)
    passes += 1
    shuffled = ShuffleOrder(order, pass: passes, byAlbum: byAlbum, chunkSize: list.full, table)
    asked = Set(next)
    if progress == .over { progress = .notBegun }
  }

  /// Draws a new shuffled order that begins with this entry, and makes the entry current.
  private mutating func beginPass(with slot: Slot) {
    reshuffle(around: slot)
    arrive(at: slot)
  }

  /// Draws the first entry of the next shuffled pass through the queue: any entry except the one just played. By albums it is the
  /// first entry of the drawn one's album, unless that was just played.
  private mutating func drawFirst() -> Slot? {
    guard let order = shuffled, count > 1 else { return count == 0 ? nil : list[0] }
    let before = playing ?? history.last.flatMap { table.slot(of: $0) }
    var rank = random.below(before == nil ? count : count - 1)
    if let before, rank >= order.ranks.rank(of: before) { rank += 1 }
    let head = order.head(of: order.ranks[rank], in: list, table)
    return head == before ? order.ranks[rank] : head
  }

  /// Has to be called after each change of the queue. Sets `nextFirst`, the first entry of the next shuffled pass, as soon as it must be known, and
  /// to nil when it is not needed.
  mutating func finishChange() {
    let isLast = playing.map { modes.repeatMode == .all && rank(of: $0) == count - 1 } ?? false
    let isOver = progress == .over
    if shuffled == nil || !(isLast || isOver) {
      nextFirst = nil
    } else if isOver, !pendingRun.isEmpty {
      nextFirst = slot(ranked: 0)
    } else if nextFirst == nil {
      nextFirst = drawFirst()
    }
  }

  // MARK: Edits

  /// Adds new entries to the list at this position. In a shuffled order they get random places among the entries still to come. Returns what takes
  /// the addition back.
  mutating func add(_ sources: [EntrySource], at position: Int, _ edits: inout [QueueEdit]) -> UndoStep.Part {
    let slots = table.add(sources)
    let positions = enlist(slots, at: RangeSet(position..<position + slots.count), &edits)
    fallIn(slots)
    joinRun(slots, at: position..<position + slots.count)
    return .remove(positions)
  }

  /// Adds new entries that play next, after the current one. Those that were added like this earlier play before them, or behind them if `beforeOthers`
  /// is true.
  mutating func addNext(
    _ sources: [EntrySource], beforeOthers: Bool, _ edits: inout [QueueEdit]
  ) -> UndoStep.Part {
    let run = beforeOthers ? rankAfterCurrent..<rankAfterCurrent : pendingRun
    let before = run.isEmpty ? playing : slot(ranked: run.upperBound - 1)
    let position = before.map { list.rank(of: $0) + 1 } ?? 0
    let slots = table.add(sources)
    let positions = enlist(slots, at: RangeSet(position..<position + slots.count), &edits)
    for (index, slot) in slots.enumerated() { shuffled?.insert(slot, at: run.upperBound + index, table) }
    asked.formUnion(slots)
    return .remove(positions)
  }

  /// Brings back entries that an edit had removed. `places` tells where they stood in the shuffled order; without it, they are
  /// placed there like new entries. `numbers` are the indices, within `entries`, of those that somebody had asked to hear next.
  mutating func putBack(
    _ entries: [Entry], at positions: RangeSet<Int>, _ places: UndoStep.OrderPlaces?,
    asked numbers: RangeSet<Int>,
    _ edits: inout [QueueEdit]
  ) -> UndoStep.Part {
    let slots = table.insert(entries)
    _ = enlist(slots, at: positions, &edits)
    let next = Set(numbers.ranges.joined().map { slots[$0] })
    if shuffled == nil {
      asked.formUnion(next)
    } else if let places {
      fallBack(slots, to: places, asked: next)
    } else {
      fallIn(slots)
    }
    return .remove(positions)
  }

  /// Removes entries. If the current one is among them, the next one that stays becomes current.
  mutating func remove(at positions: RangeSet<Int>, _ edits: inout [QueueEdit]) -> UndoStep.Part {
    let slots = positions.ranges.flatMap { list.slots($0) }
    let entries = slots.map { table[$0] }
    let places = shuffled?.places(of: slots, cursor: rankAfterCurrent - 1)
    let lost = numbersOfAsked(among: slots)
    let isCurrent = currentPosition.map { positions.contains($0) } ?? false
    let heir = isCurrent ? heir(losing: positions) : nil
    let first = id(nextFirst)
    if slots.count == count { takeOutAll() } else { takeOut(slots, at: positions) }
    if let first, table.slot(of: first) == nil { nextFirst = nil }
    if isCurrent { progress = .notBegun }
    forgetTheGone()
    if isCurrent { inherit(heir) }
    edits.append(.removed(entries, at: positions))
    return .insert(entries, at: positions, places: places, asked: lost)
  }

  /// Moves rows of the list. While shuffle is on, the play order stays as it is. `numbers` are the indices, within `rows`, of the
  /// entries that then count as those that somebody asked to hear next.
  mutating func move(
    _ rows: Range<Int>, to target: Int, asked numbers: RangeSet<Int> = RangeSet(), _ edits: inout [QueueEdit]
  ) -> UndoStep.Part {
    let places = target..<target + rows.count
    // Without shuffle the list is the play order, so an entry that is moved by hand out of the run of asked-for entries is no
    // longer part of it.
    let slots = shuffled == nil && !(asked.isEmpty && numbers.isEmpty) ? list.slots(rows) : []
    let lost = numbersOfAsked(among: slots)
    asked.subtract(slots)
    list.move(rows, to: target)
    joinRun(slots, at: places)
    if !slots.isEmpty { asked.formUnion(numbers.ranges.joined().map { slots[$0] }) }
    edits.append(.moved(rows, to: target))
    return .move(places, to: rows.lowerBound, asked: lost)
  }

  /// Lets rows exchange their entries. The current entry stays current, and while shuffle is on the play order stays as it is.
  /// `numbers` are the indices, within the rows before, of the entries that then count as those that somebody asked to hear next.
  mutating func arrange(
    _ arrangement: Arrangement, asked numbers: RangeSet<Int> = RangeSet(), _ edits: inout [QueueEdit]
  ) -> UndoStep.Part {
    let slots = list.slots(at: arrangement.rows)
    let new = arrangement.arranged(slots)
    list.rearrange(new, at: arrangement.rows)
    edits.append(.arranged(arrangement))
    // Without shuffle the list is the play order, so rows that were asked for next lose that mark when the list is arranged.
    guard shuffled == nil else { return .arrange(arrangement.inverse) }
    let lost = numbersOfAsked(among: new)
    asked.subtract(slots)
    asked.formUnion(numbers.ranges.joined().map { slots[$0] })
    return .arrange(arrangement.inverse, asked: lost)
  }

  /// The arrangement that puts these entries in this order into the rows that they hold together. Identities that are not in the queue, or come a
  /// second time, are ignored.
  func arrangement(of ids: [EntryID], order: String) -> Arrangement {
    // Indexed by slot: 0 for an entry that stays, otherwise one more than the index of the entry in the new order.
    var places = [UInt32](repeating: 0, count: table.capacity)
    var count: UInt32 = 0
    for slot in ids.lazy.compactMap({ table.slot(of: $0) }) where places[Int(slot)] == 0 {
      count += 1
      places[Int(slot)] = count
    }
    var origins = [UInt32](repeating: 0, count: Int(count))
    var (rows, found): ([Range<Int>], UInt32) = ([], 0)
    for (row, slot) in list.all.enumerated() where places[Int(slot)] > 0 {
      origins[Int(places[Int(slot)]) - 1] = found
      found += 1
      if let last = rows.last, last.upperBound == row {
        rows[rows.count - 1] = last.lowerBound..<row + 1
      } else {
        rows.append(row..<row + 1)
      }
    }
    return Arrangement(rows: rows, origins: origins, order: order)
  }

  /// Notes whether the file of an entry is missing. Returns whether that was noted otherwise before.
  mutating func setMissing(_ isMissing: Bool, of id: EntryID) -> Bool {
    guard let slot = table.slot(of: id), table[slot].isMissing != isMissing else { return false }
    table.setMissing(isMissing, in: slot)
    return true
  }

  /// Makes sure that entries that are added from now on get higher identities than this one.
  mutating func skipIdentities(through id: EntryID) { table.skipIdentities(through: id) }

  var texts: some Sequence<PackedText> { table.texts }
  mutating func exchange(_ texts: [PackedText: PackedText]) -> [EntryID] { table.exchange(texts) }

  private mutating func enlist(
    _ slots: [Slot], at positions: RangeSet<Int>, _ edits: inout [QueueEdit]
  ) -> RangeSet<Int> {
    list.insert(slots, at: positions)
    edits.append(.added(slots.map { table[$0] }, at: positions))
    return positions
  }

  private mutating func takeOut(_ slots: [Slot], at positions: RangeSet<Int>) {
    asked.subtract(slots)
    for (slot, position) in zip(slots, positions.ranges.joined()).reversed() {
      shuffled?.remove(slot, table)
      list.remove(at: position)
      table.remove(slot)
    }
  }

  private mutating func takeOutAll() {
    table.removeAll()
    list.replaceAll(with: [])
    shuffled?.replaceAll(with: [], table)
    (progress, asked) = (.notBegun, [])
  }

  /// Makes `heir` current after the current entry was removed. Without an heir, a new shuffled pass begins, or the play order is over.
  private mutating func inherit(_ heir: Slot?) {
    if let heir { return arrive(at: heir) }
    // This pass is at its end. Asked-for entries that it passed over are not moved to the front of the next pass.
    asked = []
    if shuffled != nil, modes.repeatMode == .all, let first = nextFirst ?? drawFirst() {
      beginPass(with: first)
    } else {
      progress = count == 0 ? .notBegun : .over
    }
  }

  /// Places entries, which must be in the list already, in the shuffled order. They get random places among the entries still to come, after those
  /// that somebody asked to hear next. By albums, they join their album if it is still to come or the current entry is of it.
  private mutating func fallIn(_ slots: [Slot]) {
    if shuffled == nil { return }
    if shuffled?.ranks.count == 0 { return reshuffle(around: nil) }
    let start = restStart
    for slot in slots {
      let cursor = max(0, rankAfterCurrent - 1)
      let rank =
        shuffled?.joiningRank(slot, from: start, cursor: cursor, list, table)
        ?? shuffled?.randomRank(from: start, after: playing, &random, table)
      if let rank { shuffled?.insert(slot, at: rank, table) }
    }
  }

  /// Puts removed entries back at their former places in the shuffled order, if they still have these. Entries that had been played come
  /// before the current entry, the others after it. Those in `next` count again as entries that somebody asked to hear next. In another order, all
  /// are placed like new entries.
  private mutating func fallBack(_ slots: [Slot], to places: UndoStep.OrderPlaces, asked next: Set<Slot>) {
    guard shuffled?.hasStill(places) == true else { return fallIn(slots) }
    let returners = zip(places.ranks, slots).sorted { $0.0 < $1.0 }
    if shuffled?.ranks.count == 0 {
      shuffled?.replaceAll(with: returners.map(\.1), table)
      asked.formUnion(next)
      return
    }
    // Each of them may make the run of asked-for entries after the current one longer, or part it from that one.
    var run = pendingRun
    for (former, slot) in returners {
      let isNext = next.contains(slot)
      let rank = min(Int(former), shuffled?.ranks.count ?? 0)
      // If nothing is current, there is no past, and no run.
      let place =
        playing == nil
        ? rank : Self.returningRank(rank, wasPast: former <= places.cursor, isNext: isNext, run)
      shuffled?.insert(slot, at: place, table)
      if isNext { asked.insert(slot) }
      if place < run.lowerBound {
        run = run.lowerBound + 1..<run.upperBound + 1
      } else if isNext, place <= run.upperBound {
        run = run.lowerBound..<endOfAsked(from: run.upperBound + 1)
      } else if !isNext, place == run.lowerBound {
        run = place..<place
      }
    }
  }

  /// Where an entry goes that had this place in the play order: not from the past to the future or back, and not between those that somebody asked to hear
  /// next and that follow the current entry (`run`), unless it is one of these.
  private static func returningRank(_ rank: Int, wasPast: Bool, isNext: Bool, _ run: Range<Int>) -> Int {
    let cursor = run.lowerBound - 1
    if wasPast { return min(rank, cursor) }
    if isNext { return max(rank, run.lowerBound) }
    return rank <= cursor || run.lowerBound < rank && rank < run.upperBound ? run.upperBound : rank
  }

  /// Without shuffle, entries that were placed between two that somebody asked to hear next count as asked for too. With shuffle, does nothing.
  private mutating func joinRun(_ slots: [Slot], at positions: Range<Int>) {
    guard shuffled == nil, !asked.isEmpty, positions.lowerBound > 0, positions.upperBound < count else {
      return
    }
    if asked.contains(list[positions.lowerBound - 1]), asked.contains(list[positions.upperBound]) {
      asked.formUnion(slots)
    }
  }

  // MARK: Restoring

  /// The entries and the order of a stored state. A part of the state that makes no sense (an entry twice, an order that is not a permutation, a
  /// position outside the list) is drawn again or left out; the entries are kept.
  init(restoring state: QueueState, lastID: UInt64, _ modes: QueueModes) {
    random = QueueRandom(state: state.chance)
    list = RankedSlots()
    self.modes = modes
    passes = min(state.passes, EntryTable.highestID)
    let slots = table.restore(state.entries, lastID: lastID)
    list.replaceAll(with: slots)
    func slot(_ position: Int?) -> Slot? {
      position.flatMap { slots.indices.contains($0) ? slots[$0] : nil }
    }
    if let current = slot(state.current) { progress = .at(current) }
    let isOrderKept = restoreOrder(state, slots)
    history = PlayHistory(state.history)
    forgetTheGone()
    if state.isOver, playing == nil, count > 0 { progress = .over }
    nextFirst = slot(state.nextFirst)
    if isOrderKept { restoreAsked(state.asked.map(slot)) }
    finishChange()
  }

  /// Restores the play order. `slots` are the restored entries in the order of the list. Returns false if the stored order does not fit: then a new one
  /// is drawn if the list is shuffled, and the order of the list counts if not.
  private mutating func restoreOrder(_ state: QueueState, _ slots: [Slot]) -> Bool {
    guard modes.shuffleMode != .off else { return state.order == nil }
    let positions = state.order?.positions ?? []
    let isPermutation =
      positions.count == count && Set(positions).count == count && positions.allSatisfy { $0 < count }
    guard let order = state.order, isPermutation, order.byAlbum == (modes.shuffleMode == .albums) else {
      reshuffle(around: playing)
      return false
    }
    let anchors = order.anchors.map { $0.filter { $0 < count }.map { slots[Int($0)] } }
    shuffled = ShuffleOrder(
      positions.map { slots[Int($0)] }, pass: order.pass, byAlbum: order.byAlbum, anchors: anchors,
      chunkSize: list.full, table)
    return true
  }

  /// Marks stretches of the play order as entries that somebody asked to hear next. `ends` has the first and the last entry of
  /// each stretch. A pair is left out if it is not a valid stretch after the one before.
  private mutating func restoreAsked(_ ends: [Slot?]) {
    var done = 0
    for number in stride(from: 0, to: ends.count - 1, by: 2) {
      guard let first = ends[number], let last = ends[number + 1] else { continue }
      let (start, end) = (rank(of: first), rank(of: last) + 1)
      guard start >= done, start < end else { continue }
      asked.formUnion(slots(ranked: start..<end))
      done = end
    }
  }
}

/// The entries that were really played before the current one, the latest last.
struct PlayHistory: Sendable {
  /// The history has room for at least this many entries, the latest ones. At times it has up to twice as many.
  private static let depth = 1_000

  private(set) var entries: [EntryID]

  init(_ entries: [EntryID] = []) { self.entries = entries.suffix(2 * Self.depth) }

  var last: EntryID? { entries.last }

  mutating func push(_ entry: EntryID) {
    // The oldest thousand are dropped at once, because dropping one at each push would shift the whole array each time.
    if entries.count >= 2 * Self.depth { entries.removeFirst(Self.depth) }
    entries.append(entry)
  }

  mutating func pop() { entries.removeLast() }
}
