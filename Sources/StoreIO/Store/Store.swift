// SPDX-License-Identifier: MIT
package import PlaybackLogic

/// The agent's state on disk: a journal of what was done to the queue, and now and then the whole queue.
///
/// Owns a thread on which all of SQLite happens; nothing here blocks the caller. What was acknowledged survives the end of the
/// process and a power cut. The thread ends after `close`, or when the store is let go of and all that was posted is written; the
/// folder stays locked until then. Any thread, but one at a time: changes are stored in the order in which they are posted, which
/// must be the order in which they were made.
package final class Store: Sendable {
  private let worker: StoreWorker

  private init(_ worker: StoreWorker) { self.worker = worker }

  deinit { worker.quit() }

  /// Opens `state.db` in the folder and reads what it holds. A file that is damaged, or that a newer program wrote, is set aside, and
  /// the result says so. Throws if the disk or the system is at fault. `report` is called, on the store's thread, with errors that no
  /// change waits for. A journal of `leastWork` edits is replayed in some ten milliseconds; a longer one is kept only if the queue is
  /// long, too.
  package static func open(
    in folder: StateFolder, leastWork: Int = 4_096, report: @escaping @Sendable (StoreError) -> Void
  ) async throws(StoreError) -> (store: Store, stored: StoredState) {
    try await open(in: folder, leastWork: leastWork, isAnew: false, report: report)
  }

  /// As `open`, for a program that already has a queue which was never stored: a file that holds another queue is set aside.
  package static func openAnew(
    in folder: StateFolder, report: @escaping @Sendable (StoreError) -> Void
  ) async throws(StoreError) -> (store: Store, stored: StoredState) {
    try await open(in: folder, leastWork: 4_096, isAnew: true, report: report)
  }

  private static func open(
    in folder: StateFolder, leastWork: Int, isAnew: Bool, report: @escaping @Sendable (StoreError) -> Void
  ) async throws(StoreError) -> (store: Store, stored: StoredState) {
    let plan = StorePlan(leastWork: leastWork)
    let worker = StoreWorker(folder, plan, isAnew: isAnew, report: report)
    let result = await withCheckedContinuation { continuation in
      worker.start { continuation.resume(returning: $0) }
    }
    return (Store(worker), try result.get())
  }

  /// Stores changes that were just made to the queue, and then calls `done`, on the store's thread. `queue` is the queue after them;
  /// it is kept only if it is to be written whole.
  ///
  /// After an error the disk is behind the queue: what is posted then is refused with the same error, until `resume`.
  package func post(
    _ changes: [StoreChange], to queue: PlayQueue, done: @escaping @Sendable (StoreError?) -> Void
  ) {
    let base = worker.plan.takeTurn(queue) ? queue : nil
    worker.post(StoreJob(changes: changes, kind: .append(base: base), done: done))
  }

  /// Stores all that was refused since an error and is still wanted, and then calls `done`, on the store's thread. `queue` is
  /// what these changes make of the queue that is on the disk.
  package func resume(
    _ changes: [StoreChange], to queue: PlayQueue, done: @escaping @Sendable (StoreError?) -> Void
  ) {
    worker.post(StoreJob(changes: changes, kind: .resume(queue), done: done))
  }

  /// Reads the queue as it is on the disk, with all that was acknowledged and nothing else; nil if none was stored yet. `done` is
  /// called on the store's thread.
  package func readBack(_ done: @escaping @Sendable (Result<PlayQueue?, StoreError>) -> Void) {
    worker.post(StoreJob(kind: .readBack(done)) { error in if let error { done(.failure(error)) } })
  }

  /// As `post`, but returns after the commit. The changes are posted before this is first suspended, so calls from one task or actor
  /// keep their order.
  package func commit(_ changes: [StoreChange], to queue: PlayQueue) async throws(StoreError) {
    let error = await withCheckedContinuation { continuation in
      post(changes, to: queue) { continuation.resume(returning: $0) }
    }
    if let error { throw error }
  }

  /// Writes the whole queue and ends the thread, so that another version of the program need not replay this one's journal. `changes`
  /// are those that were refused since an error. Throws if something is not stored; a queue of which the last changes are only in the
  /// journal is stored. Nothing may be posted afterwards.
  package func close(saving queue: PlayQueue, _ changes: [StoreChange] = []) async throws(StoreError) {
    let error = await withCheckedContinuation { continuation in
      worker.post(StoreJob(changes: changes, kind: .finish(queue)) { continuation.resume(returning: $0) })
    }
    if let error { throw error }
  }
}
