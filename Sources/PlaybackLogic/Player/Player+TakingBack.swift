// SPDX-License-Identifier: MIT

// Edits that could not be stored.
extension Player {
  /// What an edit may disturb besides the queue, as it was before.
  package struct Moment: Sendable, Equatable {
    /// The current entry.
    package var entry: EntryID?
    /// The listener's place in it.
    package var place: Duration
    /// What was wanted.
    package var intent: Intent

    /// A moment with these properties.
    package init(entry: EntryID?, place: Duration, intent: Intent) {
      self.entry = entry
      self.place = place
      self.intent = intent
    }
  }

  /// What an edit at `now` may disturb.
  package func moment(at now: Duration) -> Moment {
    Moment(entry: queue.current, place: place(at: now), intent: session.intent)
  }

  /// Puts the queue back that was there before the last edits, and answers what follows from it. What plays goes on where it
  /// is in both queues; where the edits had made another entry current, the one before goes on at its place of that `moment`.
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
    // Whoever has paused since then wants that still.
    if case .paused = session.intent { return }
    if session.intent != moment.intent { tell(.wanted(moment.intent)) }
  }
}

extension PlayQueue {
  /// Notes which files were found to be gone: that is not stored.
  fileprivate mutating func keepMissing(from other: PlayQueue) {
    for entry in other.entries(at: 0..<other.count) where entry.isMissing {
      _ = setMissing(true, of: entry.id)
    }
  }
}

extension QueueChange {
  /// What makes one queue of another, as far as others see it. Costs what both lists cost.
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
