// SPDX-License-Identifier: MIT

// Takes back edits that could not be stored.
extension Player {
  /// What edits may disturb besides the queue, as it was before them. Needed to take the edits back.
  package struct Moment: Sendable, Equatable {
    /// The current entry.
    package var entry: EntryID?
    /// The listener's place in that entry.
    package var place: Duration
    /// What the user wanted: playing, paused or stopped.
    package var intent: Intent

    /// A moment with these properties.
    package init(entry: EntryID?, place: Duration, intent: Intent) {
      self.entry = entry
      self.place = place
      self.intent = intent
    }
  }

  /// The moment before an edit at `now`.
  package func moment(at now: Duration) -> Moment {
    Moment(entry: queue.current, place: place(at: now), intent: session.intent)
  }

  /// Puts back the queue from before the last edits, and returns the effects to carry out. If the same entry is current in both
  /// queues, it plays on undisturbed. If the edits had made another entry current, the former one goes on at its place in
  /// `moment`.
  package mutating func takeBack(
    to former: PlayQueue, moment: Moment?, at now: Duration
  ) -> [PlayerEffect] {
    perform(at: now) { player in
      let undone = player.queue
      player.queue = former
      player.queue.keepMissing(from: undone)
      let change = QueueChange(from: undone, to: player.queue)
      if change.current == nil { return player.note(change) }
      player.absorb(change)
      if let moment { player.goBack(to: moment) }
    }
  }

  private mutating func goBack(to moment: Moment) {
    guard queue.current != nil else { return }
    if queue.current == moment.entry, moment.place > .zero { go(to: moment.place) }
    // Somebody who has paused since then still wants the pause.
    if case .paused = session.intent { return }
    if session.intent != moment.intent { tell(.wanted(moment.intent)) }
  }
}

extension PlayQueue {
  /// Takes over from another queue which files are missing. The journal does not hold these notes, so the stored queue may lack
  /// them.
  fileprivate mutating func keepMissing(from other: PlayQueue) {
    for entry in other.entries(at: 0..<other.count) where entry.isMissing {
      _ = setMissing(true, of: entry.id)
    }
  }
}

extension QueueChange {
  /// The visible difference between two queues. Costs one pass over both lists.
  fileprivate init(from old: PlayQueue, to new: PlayQueue) {
    let (before, after) = (old.entries(at: 0..<old.count), new.entries(at: 0..<new.count))
    let same = zip(before, after).prefix { $0.id == $1.id }.count
    let rest = min(before.count, after.count) - same
    let end = zip(before.reversed(), after.reversed()).prefix(rest).prefix { $0.id == $1.id }.count
    let (gone, come) = (same..<before.count - end, same..<after.count - end)
    if !gone.isEmpty { edits.append(.removed(Array(before[gone]), at: RangeSet(gone))) }
    if !come.isEmpty { edits.append(.added(Array(after[come]), at: RangeSet(come))) }
    if old.current != new.current {
      current = CurrentChange(from: old.current, to: new.current, cause: .restored(at: .zero))
    }
    following = new.following
    hasNewFollowing = old.following != new.following
    isReordered = old.shuffleMode != new.shuffleMode
  }
}
