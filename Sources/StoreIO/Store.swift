// SPDX-License-Identifier: MIT
package import PlaybackLogic
package import SQLiteIO
import Synchronization

/// The agent's state on disk: a journal of the queue's commands, and now and then the whole queue.
///
/// Owns a thread on which all of SQLite happens; nothing here blocks the caller. Changes that were acknowledged survive the end of the process and a
/// power cut. The thread ends after `close`, or when this object is released and all changes are written; the folder stays locked until then. Any
/// thread, but one at a time: changes are stored in the order in which they are posted, which must be the order in which they were made.
package final class Store: Sendable {
  private let worker: StoreWorker

  private init(_ worker: StoreWorker) { self.worker = worker }

  deinit { worker.quit() }

  /// Opens `state.db` in the folder and reads it. A file that is damaged, or that a newer program wrote, is set aside, and the result says so. With
  /// `isAnew`, a file that holds a queue is set aside too, because the program already has another queue that was never stored. Throws if the disk or
  /// the system is at fault. `report` is called, on the store's thread, with errors that no change waits for. The journal may always be as long as
  /// `leastWork` edits, which are replayed in some ten milliseconds; beyond that, only in proportion to the queue's length.
  package static func open(
    in folder: StateFolder, leastWork: Int = 4_096, isAnew: Bool = false,
    report: @escaping @Sendable (StoreError) -> Void
  ) async throws(StoreError) -> (store: Store, stored: StoredState) {
    let plan = StorePlan(leastWork: leastWork)
    let worker = StoreWorker(folder, plan, isAnew: isAnew, report: report)
    let result = await withCheckedContinuation { continuation in
      worker.start { continuation.resume(returning: $0) }
    }
    return (Store(worker), try result.get())
  }

  /// Stores changes that were just made to the queue, and then calls `done`, on the store's thread. `queue` is the queue after them; it is kept only
  /// if it is to be written whole.
  ///
  /// After an error the disk is behind the queue: all further changes are refused with the same error, until `resume`.
  package func post(
    _ changes: [StoreChange], to queue: PlayQueue, done: @escaping @Sendable (StoreError?) -> Void
  ) {
    let base = worker.plan.takeTurn(queue) ? queue : nil
    worker.post(StoreJob(changes: changes, kind: .append(base: base), done: done))
  }

  /// After an error, stores the changes that were refused because of it and are still wanted. Then calls `done`, on the store's thread. The caller
  /// passes `queue`, the queue as it will be on disk with these changes.
  package func resume(
    _ changes: [StoreChange], to queue: PlayQueue, done: @escaping @Sendable (StoreError?) -> Void
  ) {
    worker.post(StoreJob(changes: changes, kind: .resume(queue), done: done))
  }

  /// Writes the place of playback. `tell` is called on the store's thread if that failed, and once when it succeeds again. It is not called while all
  /// is well, because an agent that plays writes its place every few seconds and must not be woken for each. If another place is passed before this one
  /// is written, only the newer one is written.
  package func keep(
    _ place: PositionFile.Record, tell: @escaping @Sendable (StateKeeping.PlaceOutcome) -> Void
  ) {
    worker.keep(place, tell)
  }

  /// Reads the queue on disk, with all acknowledged changes and no others; nil if none was stored yet. `done` is called on the store's thread.
  package func readBack(_ done: @escaping @Sendable (Result<PlayQueue?, StoreError>) -> Void) {
    worker.post(StoreJob(kind: .readBack(done)) { error in if let error { done(.failure(error)) } })
  }

  /// Like `post`, but returns after the commit. The changes are posted before this is first suspended, so calls from one task or actor keep their
  /// order.
  package func commit(_ changes: [StoreChange], to queue: PlayQueue) async throws(StoreError) {
    let error = await withCheckedContinuation { continuation in
      post(changes, to: queue) { continuation.resume(returning: $0) }
    }
    if let error { throw error }
  }

  /// Writes the whole queue and ends the thread, so that another version of the program need not replay this one's journal. `changes` are those that
  /// were refused because of an error. Throws if a change is not stored; changes that are only in the journal count as stored. Nothing may be posted
  /// afterwards.
  package func close(saving queue: PlayQueue, _ changes: [StoreChange] = []) async throws(StoreError) {
    let error = await withCheckedContinuation { continuation in
      worker.post(StoreJob(changes: changes, kind: .finish(queue)) { continuation.resume(returning: $0) })
    }
    if let error { throw error }
  }
}

/// The state that a store found on disk.
package struct StoredState: Sendable {
  /// The queue, with its modes, its order, undo and redo; nil if none was stored. It knows which entry is current, but not
  /// whether that one was playing.
  package var queue: PlayQueue?
  package var volume: Double?
  /// The listener's place in the entry that it names; nil if none was stored.
  package var place: PositionFile.Record?
  /// Why the agent starts without its stored state, and where the damaged file is now; nil if nothing was set aside.
  package var damage: DamagedFile?
  /// How many commands of the journal no longer fitted the queue and were left out: none, unless another version of the program wrote
  /// them.
  package var misfits = 0

  package init() {}
}

package enum StoreChange: Sendable, Equatable {
  /// A change of the queue: the `command` of a `QueueChange`.
  case queue(QueueCommand)
  case volume(Double)
}

/// One job for the store's thread.
struct StoreJob: Sendable {
  enum Kind: Sendable {
    /// Store the changes, unless a change before them could not be stored. `base` is the queue after the changes, if it is to be written whole.
    case append(base: PlayQueue?)
    /// Store the changes, which are all that is missing since the failure. The value is the queue after them.
    case resume(PlayQueue)
    /// As `resume`, and write the queue whole if possible; the thread ends after this job.
    case finish(PlayQueue)
    /// Read the queue on disk, and call this function with it; nil if none was stored yet.
    case readBack(@Sendable (Result<PlayQueue?, StoreError>) -> Void)
  }

  var changes: [StoreChange] = []
  var kind: Kind
  /// Called once with the outcome. For `readBack` it is called only if the store is closed first.
  var done: @Sendable (StoreError?) -> Void

  /// The queue to be written whole, if an `append` job brings one.
  var base: PlayQueue? { if case .append(let base) = kind { base } else { nil } }
  /// Whether the job is an `append`, which only adds to what is stored.
  var isPlain: Bool { if case .append = kind { true } else { false } }
  /// Whether the store's thread ends after this job.
  var isLast: Bool { if case .finish = kind { true } else { false } }

  /// The last volume among the changes; nil if none sets it.
  var volume: Double? {
    changes.lazy.compactMap { if case .volume(let volume) = $0 { volume } else { nil } }.last
  }
}

/// Decides when the queue is written whole. The store's callers and its thread share it. Safe on any thread.
final class StorePlan: Sendable {
  private struct State {
    var isDueAtOnce = false
    /// How much work the queue had counted when it was last written whole (`PlayQueue.work`).
    var work = 0
  }

  private let state = Mutex(State())

  private let leastWork: Int

  /// A plan under which the journal may always hold commands of this much work (`PlayQueue.work`).
  init(leastWork: Int) { self.leastWork = leastWork }

  /// Makes `takeTurn` return true at its next call, because no further command can be added to what is on disk.
  func demand() { state.withLock { $0.isDueAtOnce = true } }

  /// Returns whether this queue is to be written whole now; if so, counts it as written. Two rules are behind it: replaying the journal should not
  /// take longer than reading the whole queue, and the queue should be written whole only after that many edits. So it is due when the work since the
  /// last time is more than a share of the queue's size.
  func takeTurn(_ queue: PlayQueue) -> Bool {
    state.withLock { state in
      // For a queue that was read back from the disk, `work` counts only the commands of the journal.
      if queue.work < state.work { state.work = 0 }
      let isDue = state.isDueAtOnce || queue.work - state.work > max(leastWork, queue.bulk / 8)
      if isDue { state = State(isDueAtOnce: false, work: queue.work) }
      return isDue
    }
  }
}

extension StoredState {
  /// The stored place in the current entry; zero if there is none, or it is that of another entry.
  package func position(in queue: PlayQueue) -> Duration {
    guard let place, place.entry == queue.current else { return .zero }
    return place.position
  }

  /// Whether music was playing, or was only interrupted, when the place in the current entry was stored. True if an older version stored it, which did
  /// not note that.
  package func wasWanted(in queue: PlayQueue) -> Bool {
    guard let place, place.entry == queue.current else { return false }
    return place.isWanted ?? true
  }

  /// Whether it is to be stored that music is wanted, if this is what the listener wants now. An agent that has just started is paused until somebody
  /// gives an order, and until then it stores what was stored before. So a second crash right after the start still finds that music was wanted.
  package func isWanted(_ intent: Intent, in queue: PlayQueue) -> Bool {
    switch intent {
    case .playing: true
    case .paused(by: .restored): wasWanted(in: queue)
    case .paused, .stopped: false
    }
  }
}
