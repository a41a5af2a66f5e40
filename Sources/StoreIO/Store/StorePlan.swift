// SPDX-License-Identifier: MIT
import PlaybackLogic
import Synchronization

/// When the queue is written whole: both sides of a store ask and tell it. Any thread.
final class StorePlan: Sendable {
  private struct State {
    var isDueAtOnce = false
    /// The queue's `work` at the last base.
    var work = 0
  }

  private let state = Mutex(State())

  private let leastWork: Int

  /// A plan under which a journal may always hold this much work.
  init(leastWork: Int) { self.leastWork = leastWork }

  /// The next change has to come with the queue: no journal can go on from what is stored.
  func demand() { state.withLock { $0.isDueAtOnce = true } }

  /// Whether this queue is to be written whole. Replaying the journal should not take longer than reading the base, and
  /// writing a base is to be paid for by as many edits: both follow from a share of what there is to store.
  func takeTurn(_ queue: PlayQueue) -> Bool {
    state.withLock { state in
      let isDue = state.isDueAtOnce || queue.work - state.work > max(leastWork, queue.bulk / 8)
      if isDue { state = State(isDueAtOnce: false, work: queue.work) }
      return isDue
    }
  }
}
