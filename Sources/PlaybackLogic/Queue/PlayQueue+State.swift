// SPDX-License-Identifier: MIT

extension PlayQueue {
  /// Everything the queue consists of, for storing. Costs one pass over the list.
  package var state: QueueState {
    var state = QueueState()
    state.entries = entries(at: 0..<count)
    state.order = shuffled.map { order in
      let bySlot = list.ranksBySlot
      let positions = order.ranks.all.map { bySlot[Int($0)] }
      let anchors = order.anchors.values.map { bySlot[Int($0)] }.sorted()
      return QueueState.Order(
        positions: positions, pass: order.pass, byAlbum: order.byAlbum, anchors: anchors)
    }
    state.current = currentPosition
    state.isOver = isOver
    state.nextFirst = nextFirst.map { list.rank(of: $0) }
    state.asked = stretchesOfAsked.flatMap { stretch in
      [stretch.lowerBound, stretch.upperBound - 1].map { list.rank(of: slot(ranked: $0)) }
    }
    state.history = history.entries
    state.lastID = lastID
    state.passes = passes
    state.chance = random.state
    state.repeatChoice = repeatChoice
    state.shuffleChoice = shuffleChoice
    state.listShuffle = listShuffle
    state.repeatPreference = repeatPreference
    state.shufflePreference = shufflePreference
    state.log = log
    return state
  }

  /// A queue made from a stored state, with the modes of the present settings. It never traps. Where the state makes no sense (an
  /// entry twice, an order that is not a permutation, a position outside the list), that part is drawn anew or left out; the
  /// entries are kept.
  package init(restoring state: QueueState, repeat: RepeatMode = .none, shuffle: ShuffleMode = .off) {
    self.init(seed: state.chance, repeat: `repeat`, shuffle: .off)
    shufflePreference = shuffle
    repeatChoice = state.repeatChoice
    shuffleChoice = state.shuffleChoice
    listShuffle = state.listShuffle
    passes = min(state.passes, Self.highest)
    log = state.log
    takeBack(state.entries, lastID: state.lastID)
    playing = slot(at: state.current)
    let isOrderKept = restoreOrder(state)
    history = PlayHistory(state.history)
    forgetTheGone()
    isOver = state.isOver && playing == nil && !isEmpty
    nextFirst = slot(at: state.nextFirst)
    if isOrderKept { restoreAsked(state.asked) }
    _ = perform(nil) { _, _ in nil }
  }

  /// A queue made from a stored state, with the modes that the settings had when it was stored. Any command has the same outcome
  /// on it as on the queue that was stored, so a journal can be replayed on it.
  package init(resuming state: QueueState) {
    self.init(restoring: state, repeat: state.repeatPreference, shuffle: state.shufflePreference)
  }

  /// The highest identity or pass number that is accepted from a stored state. No real queue gets there, and counting on from it
  /// cannot overflow.
  static let highest = UInt64(1) << 62

  private mutating func takeBack(_ entries: [Entry], lastID stored: UInt64) {
    let held = (log.undo + log.redo).flatMap(\.entries)
    let ids = (entries.lazy.map(\.id.rawValue)).filter { $0 <= Self.highest }
    lastID = max(ids.max() ?? 0, held.lazy.map(\.id.rawValue).max() ?? 0, min(stored, Self.highest))
    if lastID > Self.highest {
      // No step that this queue has recorded can hold such an identity, so the log is not trusted.
      log = UndoLog()
      lastID = max(ids.max() ?? 0, min(stored, Self.highest))
    }
    var seen = Set<EntryID>()
    let sane = entries.map { entry in
      if entry.id.rawValue <= Self.highest, seen.insert(entry.id).inserted { return entry }
      lastID += 1
      return Entry(
        id: EntryID(rawValue: lastID), text: entry.text, source: entry.source, isMissing: entry.isMissing)
    }
    list.insert(table.insert(sane), at: RangeSet(0..<sane.count))
  }

  /// The stretches of the play order that were asked for, as ranges of ranks.
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

  /// Marks stretches of the play order as asked for. Each is given by the list positions of its first and last entry. A pair is
  /// left out if it is not a valid stretch after the one before.
  private mutating func restoreAsked(_ ends: [Int]) {
    var done = 0
    for number in stride(from: 0, to: ends.count - 1, by: 2) {
      guard let first = slot(at: ends[number]), let last = slot(at: ends[number + 1]) else { continue }
      let (start, end) = (rank(of: first), rank(of: last) + 1)
      guard start >= done, start < end else { continue }
      asked.formUnion((shuffled?.ranks ?? list).slots(start..<end))
      done = end
    }
  }

  /// Restores the play order. Returns true if it is the stored one, false if a new one had to be drawn or the stored one is not
  /// used.
  private mutating func restoreOrder(_ state: QueueState) -> Bool {
    guard shuffleMode != .off else { return state.order == nil }
    let positions = state.order?.positions ?? []
    let isPermutation =
      positions.count == count && Set(positions).count == count
      && positions.allSatisfy { $0 < count }
    guard let order = state.order, isPermutation, order.byAlbum == (shuffleMode == .albums) else {
      reshuffle(around: playing)
      return false
    }
    shuffled = ShuffleOrder(
      positions.map { list[Int($0)] }, pass: order.pass, byAlbum: order.byAlbum, chunkSize: list.full,
      table: table)
    if let anchors = order.anchors {
      let slots = anchors.filter { $0 < count }.map { list[Int($0)] }
      shuffled?.setAnchors(slots, table)
    }
    return true
  }

  private func slot(at position: Int?) -> Slot? {
    position.flatMap { $0 >= 0 && $0 < count ? list[$0] : nil }
  }
}
