// SPDX-License-Identifier: MIT

/// How the current entry came to be another, or the same once more.
package struct CurrentChange: Sendable, Hashable {
  /// Why it changed; from this follows what the sound has to do.
  package enum Cause: Sendable, Hashable {
    /// Somebody chose it: it plays from its beginning.
    case chosen
    /// Somebody pressed Next: playing stays playing and paused stays paused.
    case skipped
    /// Somebody pressed Previous: the same.
    case wentBack
    /// The one before came to its end: it follows without a gap.
    case advanced
    /// The one before was removed: playing stays playing and paused stays paused.
    case removed
    /// There is nothing more to play: playback stops.
    case ended
    /// An undo brought the marked row back: it is marked, at the place that the listener had come to. What played before goes on with
    /// it, and nothing starts.
    case restored(at: Duration)
  }

  /// The entry that was current. It may be out of the queue by now.
  package let from: EntryID?
  /// The entry that is; the same as before if it is to begin again.
  package let to: EntryID?
  /// Why.
  package let cause: Cause

  /// A change from one entry to another.
  package init(from: EntryID?, to: EntryID?, cause: Cause) {
    self.from = from
    self.to = to
    self.cause = cause
  }
}
