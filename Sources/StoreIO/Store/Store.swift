// SPDX-License-Identifier: MIT
package import PlaybackLogic

/// The agent's state on disk: a journal of what was done to the queue, and now and then the whole queue.
///
/// Owns a thread on which all of SQLite happens; nothing here blocks the caller. What was acknowledged outlives the
/// process and the power. The folder stays locked until the thread has ended, which letting go of the store brings
/// about too, after all that was posted is written. Any thread, but one at a time: changes are stored in the order in
/// which they are posted, which must be the order in which they were made.
package final class Store: Sendable {
  private let worker: StoreWorker

  private init(_ worker: StoreWorker) { self.worker = worker }

  deinit { worker.quit() }

  /// Opens `state.db` in the folder and reads what it holds. A file that is damaged, or that a newer program wrote, is set
  /// aside, and says so in the result. Throws where the disk or the system are at fault. `report` is told, on the
  /// store's thread, of trouble that no change waits for. A journal of `leastWork` edits is replayed in some ten milliseconds;
  /// a longer one is kept only where the queue is long, too.
  package static func open(
    in folder: StateFolder, leastWork: Int = 4_096, report: @escaping @Sendable (StoreError) -> Void
  ) async throws(StoreError) -> (store: Store, stored: StoredState) {
    try await open(in: folder, leastWork: leastWork, isAnew: false, report: report)
  }

  /// The same for a program that has a queue already which was never stored: a queue that the file holds is set aside with it.
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

  /// Stores changes that were just made to the queue, and then calls `done`, on the store's thread. `queue` is the queue
  /// after them; it is kept only where it is to be written whole.
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

  /// Reads the queue as it is on the disk, with all that was acknowledged and nothing else; nothing where none was stored yet.
  /// `done` is called on the store's thread.
  package func readBack(_ done: @escaping @Sendable (Result<PlayQueue?, StoreError>) -> Void) {
    worker.post(StoreJob(kind: .readBack(done)) { error in if let error { done(.failure(error)) } })
  }

  /// `post`; returns after the commit. The changes are posted before this is first suspended, so calls from one task or
  /// actor keep their order.
  package func commit(_ changes: [StoreChange], to queue: PlayQueue) async throws(StoreError) {
    let error = await withCheckedContinuation { continuation in
      post(changes, to: queue) { continuation.resume(returning: $0) }
    }
    if let error { throw error }
  }

  /// Writes the queue whole and ends the thread: what another version of the program finds is no journal of this one's.
  /// `changes` are those that were refused since an error. Throws where something is not stored; a queue that is only in the
  /// journal is. Nothing may be posted afterwards.
  package func close(saving queue: PlayQueue, _ changes: [StoreChange] = []) async throws(StoreError) {
    let error = await withCheckedContinuation { continuation in
      worker.post(StoreJob(changes: changes, kind: .finish(queue)) { continuation.resume(returning: $0) })
    }
    if let error { throw error }
  }
}
