// SPDX-License-Identifier: MIT

extension PlayQueue {
  /// Adds entries at the end of the list. In a shuffled order they get random places among the entries still to come.
  package mutating func append(_ sources: [EntrySource]) -> QueueChange { insert(sources, at: count) }

  /// Inserts entries into the list, the first of them at this position. Traps outside `0...count`.
  package mutating func insert(_ sources: [EntrySource], at position: Int) -> QueueChange {
    edit(.insert(sources, at: position), isNothing: sources.isEmpty) { order, edits in
      [order.add(sources, at: position, &edits)]
    }
  }

  /// Adds entries that will play next: after the current entry, and after entries added this way before.
  package mutating func insertNext(_ sources: [EntrySource]) -> QueueChange {
    edit(.insertNext(sources), isNothing: sources.isEmpty) { order, edits in
      [order.addNext(sources, beforeOthers: false, &edits)]
    }
  }

  /// Adds entries directly after the current entry, before those that somebody asked to hear next. For entries of which one is then jumped to: the
  /// others of them follow it, and then those that were asked for.
  package mutating func insertFirst(_ sources: [EntrySource]) -> QueueChange {
    edit(.insertFirst(sources), isNothing: sources.isEmpty) { order, edits in
      [order.addNext(sources, beforeOthers: true, &edits)]
    }
  }

  /// Removes the entries at these positions. If the current entry is among them, the next entry in the play order that stays
  /// becomes current; under "repeat all" the search goes on in the next round. If there is none, nothing is current. Traps
  /// outside `0..<count`.
  package mutating func remove(at positions: RangeSet<Int>) -> QueueChange {
    precondition(positions.lies(within: count), "positions \(positions) of \(count)")
    return edit(.remove(positions), isNothing: positions.isEmpty) { order, edits in
      [order.remove(at: positions, &edits)]
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
    return edit(.move(rows, to: target), isNothing: isNothing) { order, edits in
      [order.move(rows, to: target, &edits)]
    }
  }

  /// Removes everything but the current entry. Changes nothing if there is none.
  package mutating func crop() -> QueueChange {
    guard let position = currentPosition else { return remove(at: RangeSet()) }
    return remove(at: RangeSet([0..<position, position + 1..<count]))
  }

  /// Call when an entry has been played. Removes it from the list if the queue's mode says so (`consumes`).
  package mutating func consume(_ id: EntryID) -> QueueChange {
    let position = consumes ? position(of: id) : nil
    return edit(.consume(id), isNothing: position == nil) { order, edits in
      let rows = position.map { $0..<$0 + 1 } ?? 0..<0
      return [order.remove(at: RangeSet(rows), &edits)]
    }
  }

  /// Puts the rows of the list into a random order, once. The current entry becomes the first row, and plays on. Changes nothing if there are fewer
  /// than two rows to reorder.
  package mutating func shuffleNow() -> QueueChange {
    let others = count - (current == nil ? 0 : 1)
    return edit(.shuffleNow, isNothing: others < 2) { $0.shuffleRows(&$1) }
  }

  /// Puts these entries in this order into the rows that they hold together, as one edit to undo. The other rows stay as they are. This is how rows
  /// are sorted: a caller that knows the tags finds the order, and `order` is the name that undo shows for it.
  ///
  /// The current entry plays on, and a shuffled play order stays as it is. Identities that are not in the queue, or come a second time, are ignored.
  package mutating func arrange(_ ids: [EntryID], order: String = "") -> QueueChange {
    arrange(self.order.arrangement(of: ids, order: order))
  }

  /// Lets rows exchange their entries. Traps if the list does not have the rows of the arrangement.
  mutating func arrange(_ arrangement: Arrangement) -> QueueChange {
    precondition(arrangement.fits(count), "an arrangement of other rows than these \(count)")
    return edit(.arrange(arrangement), isNothing: arrangement.isNothing) { order, edits in
      [order.arrange(arrangement, &edits)]
    }
  }

  /// Removes everything. Nothing is current afterwards.
  package mutating func clear() -> QueueChange { remove(at: RangeSet(0..<count)) }

  /// Replaces the whole list, as one edit to undo. Nothing is current afterwards: to play, call `start` or `jump` before anything
  /// else happens. `shuffle` is the new list's own shuffle mode; nil means that the mode chosen for all lists applies.
  package mutating func replace(
    with sources: [EntrySource], shuffle: ModeChoice<ShuffleMode>? = nil
  ) -> QueueChange {
    let isNothing = isEmpty && sources.isEmpty
    return edit(.replace(sources, shuffle: shuffle), isNothing: isNothing) { order, edits in
      let old = order.count == 0 ? [] : [order.remove(at: RangeSet(0..<order.count), &edits)]
      let mode = order.modes.listShuffle == shuffle ? [] : [order.shuffleList(shuffle)]
      let new = sources.isEmpty ? [] : [order.add(sources, at: 0, &edits)]
      return new + mode + old
    }
  }

  // MARK: Undo

  /// Whether there is an edit to undo.
  package var canUndo: Bool { !log.undo.isEmpty }
  /// Whether there is an edit to redo.
  package var canRedo: Bool { !log.redo.isEmpty }

  /// Undoes the last edit of the list. Removed entries come back with their identities. The entry that is current now stays
  /// current, unless it goes with the edit. If it does, or if nothing is current, the entry that was current before the edit becomes current again, at the
  /// place noted by `noteLostPlace` or `noteLeft`. Returns nil if there is nothing to undo.
  package mutating func undo() -> QueueChange? { retrace(isRedo: false) }

  /// Redoes the edit that was undone last. Returns nil if there is none, or if the list has been edited since.
  package mutating func redo() -> QueueChange? { retrace(isRedo: true) }

  /// Notes where the listener was in the current entry that the last edit removed, so that undoing that edit can go on there.
  /// `inRedo` is true if that edit was itself an undo: the step that takes it back is then the last one to redo. Does nothing if
  /// the step removed no current entry.
  package mutating func noteLostPlace(_ place: Duration, inRedo: Bool) -> QueueChange {
    guard log.last(inRedo: inRedo)?.lostCurrent != nil else { return perform(nil) { _, _ in nil } }
    let place = Self.storable(place)
    return perform(.noteLostPlace(place, inRedo: inRedo)) { queue, _ in
      queue.log.noteLostPlace(place, inRedo: inRedo)
      return nil
    }
  }

  /// Notes which entry was current, and where the listener was in it, before an entry that the last edit added was made to play instead. Undoing that
  /// edit leads back there if what it takes out is still current.
  package mutating func noteLeft(_ entry: EntryID, at place: Duration) -> QueueChange {
    guard log.last(inRedo: false) != nil, self.entry(entry) != nil else {
      return perform(nil) { _, _ in nil }
    }
    let place = Self.storable(place)
    return perform(.noteLeft(entry, place)) { queue, _ in
      queue.log.noteLeft(entry, at: place)
      return nil
    }
  }

  /// The store keeps whole microseconds. 1e15 of them are about 32 years, longer than any track.
  private static func storable(_ place: Duration) -> Duration {
    .microseconds(Int64(min(max(0, place / .microseconds(1)), 1e15)))
  }

  private mutating func retrace(isRedo: Bool) -> QueueChange? {
    guard let step = log.pop(isRedo: isRedo) else { return nil }
    let fits = step.fits(count: count, isPresent: { entry($0) != nil }) { positions in
      positions.ranges.flatMap { entries(at: $0).map(\.id) }
    }
    guard fits else {
      // Only a log read from the disk can belong to another list. No step of it can be trusted, so it is dropped.
      log = UndoLog()
      return nil
    }
    return perform(isRedo ? .redo : .undo) { queue, change in
      let before = queue.current
      let pass = queue.order.passes
      var isNewlyPlaced = false
      let played = queue.order.history
      let back = step.parts.map { part in
        isNewlyPlaced = isNewlyPlaced || queue.order.placesAnew(part)
        return queue.order.retrace(part, &change.edits)
      }
      queue.order.restore(played)
      // To take out the last entry of a pass begins another one.
      if queue.order.passes != pass, !step.bringsBack { isNewlyPlaced = true }
      // Rows that were shuffled are taken out and put back, with the current one among them if that has changed since.
      if queue.current != before, queue.order.restoreCurrent(before, isNewlyPlaced: isNewlyPlaced) {
        queue.log.push(UndoStep(parts: back.reversed()), isRedo: !isRedo)
        return nil
      }
      let lost = queue.current == before ? nil : before
      queue.log.push(UndoStep(parts: back.reversed(), lostCurrent: lost), isRedo: !isRedo)
      if lost != nil || queue.current == nil,
        queue.order.restoreCurrent(step.lostCurrent, isNewlyPlaced: isNewlyPlaced)
      {
        return .restored(at: step.lostPlace)
      }
      return lost == nil ? nil : .removed
    }
  }

  /// Runs an edit and records the step that undoes it. `body` returns the parts of that step. If `isNothing`, the edit changes
  /// nothing and is not recorded.
  private mutating func edit(
    _ command: QueueCommand, isNothing: Bool, _ body: (inout PlayOrder, inout [QueueEdit]) -> [UndoStep.Part]
  ) -> QueueChange {
    if isNothing { return perform(nil) { _, _ in nil } }
    return perform(command) { queue, change in
      let before = queue.current
      let parts = body(&queue.order, &change.edits)
      let lost = queue.current == before ? nil : before
      var step = UndoStep(parts: parts, lostCurrent: lost)
      if case .consume = command { step.isOfConsumed = true }
      queue.log.record(step)
      return lost == nil ? nil : .removed
    }
  }
}

extension PlayOrder {
  /// Takes all rows but the current one out, and puts them back in a random order. Returns what takes that back.
  fileprivate mutating func shuffleRows(_ edits: inout [QueueEdit]) -> [UndoStep.Part] {
    var others = RangeSet(0..<count)
    if let currentPosition { others.remove(contentsOf: currentPosition..<currentPosition + 1) }
    // The rows are back in a moment, so what was played stays known.
    let played = history
    let removed = remove(at: others, &edits)
    defer { restore(played) }
    guard case .insert(var entries, _, _, _) = removed else { return [removed] }
    shuffle(&entries)
    let start = count
    return [
      putBack(entries, at: RangeSet(start..<start + entries.count), nil, asked: RangeSet(), &edits), removed,
    ]
  }

  /// Carries out one part of an undo step. Returns the part that takes it back.
  fileprivate mutating func retrace(_ part: UndoStep.Part, _ edits: inout [QueueEdit]) -> UndoStep.Part {
    switch part {
    case .insert(let entries, let positions, let places, let asked):
      putBack(entries, at: positions, places, asked: asked, &edits)
    case .remove(let positions): remove(at: positions, &edits)
    case .move(let rows, let target, let asked): move(rows, to: target, asked: asked, &edits)
    case .shuffleList(let choice): shuffleList(choice)
    case .arrange(let arrangement, let asked): arrange(arrangement, asked: asked, &edits)
    }
  }

  /// Sets the list's own shuffle mode; nil means that the mode chosen for all lists applies.
  fileprivate mutating func shuffleList(_ choice: ModeChoice<ShuffleMode>?) -> UndoStep.Part {
    var modes = modes
    modes.listShuffle = choice
    defer { setModes(modes) }
    return .shuffleList(self.modes.listShuffle)
  }
}
