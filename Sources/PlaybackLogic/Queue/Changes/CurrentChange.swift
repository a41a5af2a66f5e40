// SPDX-License-Identifier: MIT

/// How the current entry has changed: to another entry, to none, or back to its own beginning.
package struct CurrentChange: Sendable, Hashable {
  /// Why it changed. What the sound has to do depends on this.
  package enum Cause: Sendable, Hashable {
    /// Somebody chose the entry: it plays from its beginning.
    case chosen
    /// Somebody pressed Next. If it was playing it goes on playing, and if it was paused it stays paused.
    case skipped
    /// Somebody pressed Previous. Playing and paused stay as they were, as with `skipped`.
    case wentBack
    /// The entry before it came to its end: this one follows without a gap.
    case advanced
    /// The entry before it was removed. Playing and paused stay as they were, as with `skipped`.
    case removed
    /// There is nothing left to play: playback stops.
    case ended
    /// Undo or redo brought back an entry that an edit had removed while it was current. It is current again, at the place that
    /// the listener had reached. Playing and paused stay as they were, and nothing starts by itself. Also used, with place zero,
    /// when edits that could not be stored are taken back.
    case restored(at: Duration)
  }

  /// The entry that was current before. It may no longer be in the queue.
  package let from: EntryID?
  /// The entry that is current now. It equals `from` if the entry is to begin again, and is nil if nothing is current.
  package let to: EntryID?
  /// The reason for the change.
  package let cause: Cause

  /// A change from one entry to another.
  package init(from: EntryID?, to: EntryID?, cause: Cause) {
    self.from = from
    self.to = to
    self.cause = cause
  }
}
