// SPDX-License-Identifier: MIT

extension PlayQueue {
  /// Adds entries at the end of the list. In a shuffled order they get random places among the entries still to come.
  package mutating func append(_ sources: [EntrySource]) -> QueueChange { insert(sources, at: count) }

  /// Adds entries so that the first of them stands at this position. Traps outside `0...count`.
  package mutating func insert(_ sources: [EntrySource], at position: Int) -> QueueChange {
    edit(.insert(sources, at: position), isNothing: sources.isEmpty) { queue, change in
      queue.admit(sources, at: position, &change)
    }
  }

  /// Adds entries that will play next: after the current entry, and after entries added this way before.
  package mutating func insertNext(_ sources: [EntrySource]) -> QueueChange {
    edit(.insertNext(sources), isNothing: sources.isEmpty) { queue, change in
      let run = queue.pendingRun
      let before = run.isEmpty ? queue.playing : queue.slot(ranked: run.upperBound - 1)
      let position = before.map { queue.list.rank(of: $0) + 1 } ?? 0
      return queue.admit(sources, at: position, &change, askedAt: run.upperBound)
    }
  }

  /// Removes the entries at these positions. If the current entry is among them, the next entry in the play order that stays
  /// becomes current; under "repeat all" the search goes on in the next round. If there is none, nothing is current. Traps
  /// outside `0..<count`.
  package mutating func remove(at positions: RangeSet<Int>) -> QueueChange {
    precondition(positions.lies(within: count), "positions \(positions) of \(count)")
    return edit(.remove(positions), isNothing: positions.isEmpty) { queue, change in
      queue.dismiss(positions, &change)
    }
  }

  /// Removes these entries. Identities that are not in the queue are ignored.
  package mutating func remove(_ ids: some Sequence<EntryID>) -> QueueChange {
    var positions = RangeSet<Int>()
    for position in ids.compactMap({ position(of: $0) }).sorted() {
      positions.insert(contentsOf: position..<position + 1)
    }
    return remove(at: positions)
  }

  /// Moves the entries at these positions together, so that the first of them is at `target` afterwards. Traps outside
  /// `0..<count`, and if the moved entries would reach beyond the end of the list.
  package mutating func move(_ rows: Range<Int>, to target: Int) -> QueueChange {
    precondition(RangeSet(rows).lies(within: count) && (0...count - rows.count).contains(target))
    let isNothing = rows.isEmpty || rows.lowerBound == target
    return edit(.move(rows, to: target), isNothing: isNothing) { queue, change in
      queue.shift(rows, to: target, &change)
    }
  }

  /// Removes everything. Nothing is current afterwards.
  package mutating func clear() -> QueueChange { remove(at: RangeSet(0..<count)) }

  /// Replaces the whole list, as one edit to undo. Nothing is current afterwards: to play, call `start` or `jump` in the same
  /// turn of the loop. `shuffle` is the new list's own shuffle mode; nil means that the mode chosen for all lists applies.
  package mutating func replace(
    with sources: [EntrySource], shuffle: ModeChoice<ShuffleMode>? = nil
  ) -> QueueChange {
    let isNothing = isEmpty && sources.isEmpty
    return edit(.replace(sources, shuffle: shuffle), isNothing: isNothing) { queue, change in
      let old = queue.isEmpty ? [] : queue.dismiss(RangeSet(0..<queue.count), &change)
      let mode = queue.listShuffle == shuffle ? [] : [queue.shuffleList(so: shuffle)]
      let new = sources.isEmpty ? [] : queue.admit(sources, at: 0, &change)
      return new + mode + old
    }
  }

  // MARK: Undo

  /// Whether there is an edit to undo.
  package var canUndo: Bool { !log.undo.isEmpty }
  /// Whether there is an edit to redo.
  package var canRedo: Bool { !log.redo.isEmpty }

  /// Undoes the last edit of the list. Removed entries come back with their identities. The entry that is current now stays
  /// current. If nothing is current and the edit had removed the current entry, that entry becomes current again, at the place
  /// noted by `noteLostPlace`. Returns nil if there is nothing to undo.
  package mutating func undo() -> QueueChange? { retrace(isRedo: false) }

  /// Redoes the edit that was undone last. Returns nil if there is none, or if the list has been edited since.
  package mutating func redo() -> QueueChange? { retrace(isRedo: true) }

  /// Notes where the listener was in the current entry that the last edit removed, so that undoing that edit can go on there.
  /// `inRedo` is true if that edit was itself an undo: the step that takes it back is then the last one to redo. Does nothing if
  /// the step removed no current entry.
  package mutating func noteLostPlace(_ place: Duration, inRedo: Bool) -> QueueChange {
    guard log.last(inRedo: inRedo)?.lostCurrent != nil else { return perform(nil) { _, _ in nil } }
    // The store keeps whole microseconds. 1e15 of them are about 32 years, longer than any track.
    let place = Duration.microseconds(Int64(min(max(0, place / .microseconds(1)), 1e15)))
    return perform(.noteLostPlace(place, inRedo: inRedo)) { queue, _ in
      queue.log.noteLostPlace(place, inRedo: inRedo)
      return nil
    }
  }

  private mutating func retrace(isRedo: Bool) -> QueueChange? {
    guard let step = log.pop(isRedo: isRedo) else { return nil }
    guard step.fits(count: count, isPresent: { table.slot(of: $0) != nil }) else {
      // Only a log read from the disk can belong to another list. No step of it can be trusted, so it is dropped.
      log = UndoLog()
      return nil
    }
    return perform(isRedo ? .redo : .undo) { queue, change in
      let before = queue.current
      let back = step.parts.map { queue.retrace($0, &change) }
      let lost = queue.current == before ? nil : before
      queue.log.push(UndoStep(parts: back.reversed(), lostCurrent: lost), isRedo: !isRedo)
      guard queue.playing == nil, let slot = step.lostCurrent.flatMap({ queue.table.slot(of: $0) }) else {
        return lost == nil ? nil : .removed
      }
      queue.arrive(at: slot)
      return .restored(at: step.lostPlace)
    }
  }

  private mutating func retrace(_ part: UndoStep.Part, _ change: inout QueueChange) -> UndoStep.Part {
    switch part {
    case .insert(let entries, let positions, let places, let asked):
      readmit(entries, at: positions, places, asked, &change)
      return .remove(positions)
    case .remove(let positions): return dismiss(positions, &change)[0]
    case .move(let rows, let target, let asked): return shift(rows, to: target, &change, asked: asked)[0]
    case .shuffleList(let choice): return shuffleList(so: choice)
    }
  }

  // MARK: One part of an edit; each returns what takes it back

  /// Runs an edit and records the step that undoes it. If `isNothing`, the edit changes nothing and is not recorded.
  private mutating func edit(
    _ command: QueueCommand, isNothing: Bool,
    _ body: (inout PlayQueue, inout QueueChange) -> [UndoStep.Part]
  ) -> QueueChange {
    if isNothing { return perform(nil) { _, _ in nil } }
    return perform(command) { queue, change in
      let before = queue.current
      let parts = body(&queue, &change)
      let lost = queue.current == before ? nil : before
      queue.log.record(UndoStep(parts: parts, lostCurrent: lost))
      return lost == nil ? nil : .removed
    }
  }

  private mutating func admit(
    _ sources: [EntrySource], at position: Int, _ change: inout QueueChange, askedAt rank: Int? = nil
  ) -> [UndoStep.Part] {
    let texts = PackedText.packing(sources.lazy.map(\.location))
    let entries = zip(sources, texts).map { source, text in
      lastID += 1
      return Entry(id: EntryID(rawValue: lastID), text: text, source: source)
    }
    let slots = table.insert(entries)
    let positions = RangeSet(position..<position + slots.count)
    list.insert(slots, at: positions)
    if let rank {
      ask(slots, at: rank)
    } else {
      fallIn(slots)
      joinRun(slots, at: position..<position + slots.count)
    }
    change.edits.append(.added(entries, at: positions))
    return [.remove(positions)]
  }

  private mutating func readmit(
    _ entries: [Entry], at positions: RangeSet<Int>, _ places: UndoStep.OrderPlaces?,
    _ asked: RangeSet<Int>, _ change: inout QueueChange
  ) {
    let slots = table.insert(entries)
    list.insert(slots, at: positions)
    let next = Set(asked.ranges.joined().map { slots[$0] })
    if shuffled == nil {
      self.asked.formUnion(next)
    } else if let places {
      fallBack(slots, to: places, asked: next)
    } else {
      fallIn(slots)
    }
    change.edits.append(.added(entries, at: positions))
  }

  private mutating func dismiss(_ positions: RangeSet<Int>, _ change: inout QueueChange) -> [UndoStep.Part] {
    let slots = positions.ranges.flatMap { list.slots($0) }
    let entries = slots.map { table[$0] }
    let (places, asked) = (places(of: slots), numbersOfAsked(among: slots))
    let isCurrent = currentPosition.map { positions.contains($0) } ?? false
    let heir = isCurrent ? heir(losing: positions) : nil
    takeOut(slots, at: positions)
    if isCurrent { playing = nil }
    forgetTheGone()
    if isCurrent { inherit(heir) }
    change.edits.append(.removed(entries, at: positions))
    return [.insert(entries, at: positions, places: places, asked: asked)]
  }

  private mutating func takeOut(_ slots: [Slot], at positions: RangeSet<Int>) {
    let first = nextFirst.map { table[$0].id }
    defer { if let first, table.slot(of: first) == nil { nextFirst = nil } }
    if slots.count == count { return takeOutAll() }
    guard list.isMany(slots.count) else {
      for (slot, position) in zip(slots, positions.ranges.joined()).reversed() { takeOut(slot, at: position) }
      return
    }
    if !asked.isEmpty { asked.subtract(slots) }
    shuffled?.removeMany(slots, table)
    list.remove(positions)
    for slot in slots { _ = table.remove(slot) }
  }

  private mutating func takeOut(_ slot: Slot, at position: Int) {
    asked.remove(slot)
    shuffled?.remove(slot, table)
    list.remove(at: position)
    _ = table.remove(slot)
  }

  private mutating func takeOutAll() {
    table.removeAll()
    list.replaceAll(with: [])
    shuffled?.removeAll()
    (playing, asked, isOver) = (nil, [], false)
  }

  private mutating func shift(
    _ rows: Range<Int>, to target: Int, _ change: inout QueueChange, asked: RangeSet<Int> = RangeSet()
  ) -> [UndoStep.Part] {
    let places = target..<target + rows.count
    // Without shuffle the list is the play order, so an entry that is moved by hand out of the run of asked-for entries is no
    // longer part of it.
    let slots = shuffled == nil && !(self.asked.isEmpty && asked.isEmpty) ? list.slots(rows) : []
    let lost = numbersOfAsked(among: slots)
    self.asked.subtract(slots)
    list.move(rows, to: target)
    joinRun(slots, at: places)
    if !slots.isEmpty { self.asked.formUnion(asked.ranges.joined().map { slots[$0] }) }
    change.edits.append(.moved(rows, to: target))
    return [.move(places, to: rows.lowerBound, asked: lost)]
  }

  /// Sets the list's own shuffle mode; nil means that the mode chosen for all lists applies.
  private mutating func shuffleList(so choice: ModeChoice<ShuffleMode>?) -> UndoStep.Part {
    let before = listShuffle
    changeModes { $0.listShuffle = choice }
    return .shuffleList(before)
  }
}
