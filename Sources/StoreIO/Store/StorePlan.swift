// SPDX-License-Identifier: MIT
import PlaybackLogic
import Synchronization

/// Decides when the queue is written whole. The store's callers and its thread share it. Any thread.
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

  /// Has the next change bring the whole queue: no journal can go on from what is stored.
  func demand() { state.withLock { $0.isDueAtOnce = true } }

  /// Whether this queue is to be written whole now. Replaying the journal should not take longer than reading the base, and writing a
  /// base should be paid for by as many edits. So a base is due when the work since the last one is more than a share of what there
  /// is to store.
  func takeTurn(_ queue: PlayQueue) -> Bool {
    state.withLock { state in
      // A queue that was read back from the disk has only the work of the journal behind it.
      if queue.work < state.work { state.work = 0 }
      let isDue = state.isDueAtOnce || queue.work - state.work > max(leastWork, queue.bulk / 8)
      if isDue { state = State(isDueAtOnce: false, work: queue.work) }
      return isDue
    }
  }
}
