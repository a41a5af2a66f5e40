// SPDX-License-Identifier: MIT

extension PlayQueue {
  /// Begins where nothing is current: at the top of the list, with what was asked for next, or where chance
  /// says. Changes nothing if something is current, or nothing is there.
  package mutating func start() -> QueueChange {
    guard let opening = openingSlot else { return perform(nil) { _, _ in nil } }
    return perform(.start) { queue, _ in
      if queue.isOver, queue.shuffled != nil {
        queue.beginPass(with: opening)
      } else {
        queue.arrive(at: opening)
      }
      return .chosen
    }
  }

  /// The current entry has come to its end: on to what `following` said, or to the end.
  package mutating func advance() -> QueueChange {
    guard playing != nil else { return perform(nil) { _, _ in nil } }
    return perform(.advance) { queue, _ in
      if queue.repeatMode != .one { queue.goOn() }
      return .advanced
    }
  }

  /// Somebody pressed Next. Changes nothing where `next` says that nothing comes.
  package mutating func skipToNext() -> QueueChange {
    perform(.skipToNext) { queue, _ in
      guard queue.slotAfterCurrent != nil else { return nil }
      queue.goOn()
      return .skipped
    }
  }

  /// Somebody pressed Previous. Changes nothing where `previous` says that nothing was.
  package mutating func goBack() -> QueueChange {
    perform(.goBack) { queue, _ in
      guard let slot = queue.slotBeforeCurrent else { return nil }
      if queue.history.last == queue.table[slot].id { queue.history.pop() }
      queue.bringBack(slot)
      queue.arrive(at: slot)
      queue.forgetTheGone()
      return .wentBack
    }
  }

  /// Makes this entry current, also if it is already: then it begins again. Changes nothing if it is not in
  /// the queue. In a shuffled order what was to come still comes, what was asked for next first.
  package mutating func jump(to id: EntryID) -> QueueChange {
    guard let slot = table.slot(of: id) else { return perform(nil) { _, _ in nil } }
    return perform(.jump(to: id)) { queue, _ in
      queue.jump(to: slot)
      return .chosen
    }
  }

  /// Makes an entry current that chance chooses; another than the current one, if there are two.
  package mutating func jumpAnywhere() -> QueueChange {
    perform(.jumpAnywhere) { queue, _ in
      guard !queue.isEmpty else { return nil }
      let others = queue.playing == nil || queue.count == 1 ? queue.count : queue.count - 1
      var position = queue.random.below(others)
      if others < queue.count, let current = queue.currentPosition, position >= current { position += 1 }
      queue.jump(to: queue.list[position])
      return .chosen
    }
  }

  // MARK: Steps

  private mutating func goOn() {
    guard let left = playing else { return }
    let isLast = rank(of: left) == count - 1
    let heir = slotAfterCurrent
    history.push(table[left].id)
    asked.remove(left)
    if isLast { asked = [] }
    guard let heir else {
      playing = nil
      isOver = true
      return
    }
    if isLast, shuffled != nil { beginPass(with: heir) } else { arrive(at: heir) }
  }

  private mutating func jump(to slot: Slot) {
    guard slot != playing else { return }
    if let current { history.push(current) }
    if isOver, shuffled != nil { return beginPass(with: slot) }
    bringForward(slot)
    arrive(at: slot)
  }
}
