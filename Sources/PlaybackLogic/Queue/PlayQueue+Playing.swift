// SPDX-License-Identifier: MIT

extension PlayQueue {
  /// Makes an entry current if nothing is. That is the first one in the play order, or, when a shuffled order was played to its
  /// end, the first of a new pass. Entries asked for next come before any others. Changes nothing if an entry is current already
  /// or the queue is empty.
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

  /// Call when the current entry has played to its end. The entry that `following` named becomes current, or nothing if there was
  /// none.
  package mutating func advance() -> QueueChange {
    guard playing != nil else { return perform(nil) { _, _ in nil } }
    return perform(.advance) { queue, _ in
      if queue.repeatMode != .one { queue.goOn() }
      return .advanced
    }
  }

  /// Call when somebody pressed Next. Changes nothing if `next` is nil.
  package mutating func skipToNext() -> QueueChange {
    perform(.skipToNext) { queue, _ in
      guard queue.slotAfterCurrent != nil else { return nil }
      queue.goOn()
      return .skipped
    }
  }

  /// Call when somebody pressed Previous. Changes nothing if `previous` is nil.
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

  /// Makes this entry current. If it is current already, it begins again. Changes nothing if the entry is not in the queue. In a
  /// shuffled order, the entries that were still to come stay to come, and those asked for next come first.
  package mutating func jump(to id: EntryID) -> QueueChange {
    guard let slot = table.slot(of: id) else { return perform(nil) { _, _ in nil } }
    return perform(.jump(to: id)) { queue, _ in
      queue.jump(to: slot)
      return .chosen
    }
  }

  /// Makes a random entry current, never the present one unless it is the only one.
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
