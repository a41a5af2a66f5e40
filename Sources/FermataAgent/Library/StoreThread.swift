// SPDX-License-Identifier: MIT
import AgentLoop
import SQLiteIO
import Synchronization

/// A thread that alone uses a database, and opens it when there is work for it.
///
/// Any thread may give it work, which it does in order. The thread starts with the first piece of work and then stays, waiting for more. `close`
/// closes the database but keeps the thread, so an idle library costs next to no memory. If the database cannot be opened, the present work fails,
/// and the next work tries again.
final class StoreThread<Store>: Sendable {
  /// The place where the thread keeps the open database.
  private struct Slot {
    private(set) var store: Store?
    /// The last failure to open it that was long in coming, and until when it answers further attempts.
    private var failure: (error: any Error, end: ContinuousClock.Instant)?

    /// The database, which is opened with `open` if it is closed. If another program has it locked, a failure takes seconds: then those who ask
    /// in the next second are given the same one, so that who asks several things does not wait for each.
    mutating func opened(by open: () throws -> Store) throws -> Store {
      if let store { return store }
      let start = ContinuousClock.now
      if let failure, start < failure.end { throw failure.error }
      do {
        let store = try open()
        (self.store, failure) = (store, nil)
        return store
      } catch {
        let end = ContinuousClock.now
        failure = end - start < .seconds(1) ? nil : (error, end + .seconds(1))
        throw error
      }
    }

    mutating func close() { store = nil }
  }

  /// Something to do with the database.
  private struct Work {
    /// Whether it stops when other work comes, and is done again after that. Work that takes long and may be a little late is patient.
    var isPatient = false
    var run: @Sendable (inout Slot) -> Void
  }

  private struct Mailbox {
    var work: [Work] = []
    var hasStarted = false
  }

  /// Patient work stops for other work at most this often; then it runs to its end. Without a limit a scan, which always has work, would hold it up for
  /// ever.
  private static var mostDelays: Int { 5 }

  private let name: String
  private let open: @Sendable () throws -> Store
  private let mailbox = Mutex(Mailbox())
  private let signal = Wakeup()

  /// A thread that is not started yet. It calls `open` to open the database.
  init(_ name: String, open: @escaping @Sendable () throws -> Store) { (self.name, self.open) = (name, open) }

  /// Runs `body` with the database and returns its result. Throws the errors of `open` and of `body`.
  @AgentLoop
  func run<Answer: Sendable>(
    isPatient: Bool = false, _ body: @escaping @Sendable (Store) throws -> Answer
  ) async throws -> Answer {
    let result: Result<Answer, any Error> = await withUnsafeContinuation { continuation in
      let waiter = Waiter(continuation)
      post(isPatient: isPatient) { [open] slot in
        waiter.answer(Result { try body(slot.opened(by: open)) })
      }
    }
    return try result.get()
  }

  /// Like `run`, for what takes long and is not urgent. If other work comes while `body` runs, that is done first: `body` is told so by its second
  /// argument, ends by throwing an error whose `isInterruption` is true, and is run again afterwards.
  @AgentLoop
  func runPatiently<Answer: Sendable>(
    _ body: @escaping @Sendable (Store, _ isInterrupted: @escaping () -> Bool) throws -> Answer
  ) async throws -> Answer {
    for _ in 0..<Self.mostDelays {
      do {
        return try await run(isPatient: true) { [self] in try body($0) { self.isUrgentlyWanted } }
      } catch let error as StoreError where error.isInterruption { continue }
    }
    return try await run { try body($0) { false } }
  }

  /// Runs `body` with the database and returns its result. Blocks, for at most `time`: call it on a thread that may. Nil if it fails or takes longer.
  nonisolated func ask<Answer: Sendable>(
    within time: Duration, _ body: @escaping @Sendable (Store) throws -> Answer?
  ) -> Answer? {
    let reply = Reply<Answer>()
    post { [open] slot in
      let found = try? body(slot.opened(by: open))
      reply.answer.withLock { $0 = found }
      reply.isThere.wake()
    }
    return reply.isThere.wait(atMost: time) ? reply.answer.withLock { $0 } : nil
  }

  /// Closes the database after all work given so far, and returns its memory to the system. The next work opens it again. `closed` is called on the
  /// database's thread when that is done.
  func close(_ closed: @escaping @Sendable () -> Void = {}) {
    guard mailbox.withLock({ $0.hasStarted }) else { return closed() }
    post { slot in
      slot.close()
      Process.returnMemory()
      closed()
    }
  }

  /// Whether there is work for which patient work has to stop.
  private var isUrgentlyWanted: Bool { mailbox.withLock { $0.work.contains { !$0.isPatient } } }

  private func post(isPatient: Bool = false, _ run: @escaping @Sendable (inout Slot) -> Void) {
    let isFirst = mailbox.withLock { mailbox in
      mailbox.work.append(Work(isPatient: isPatient, run: run))
      defer { mailbox.hasStarted = true }
      return !mailbox.hasStarted
    }
    if isFirst { WorkerThread.start(name) { [self] in serve() } }
    signal.wake()
  }

  private func serve() {
    WorkerThread.takeLongTurns()
    var slot = Slot()
    while true {
      let next = mailbox.withLock { $0.work.isEmpty ? nil : $0.work.removeFirst() }
      if let next { next.run(&slot) } else { signal.sleep() }
    }
  }

  /// The result that a blocked thread waits for. That thread may have stopped waiting when the result comes.
  private final class Reply<Answer: Sendable>: Sendable {
    let answer = Mutex<Answer?>(nil)
    let isThere = Wakeup()
  }

  /// A task that waits for a result. It is answered once, by a task on the loop.
  private final class Waiter<Answer: Sendable>: Sendable {
    typealias Waiting = UnsafeContinuation<Result<Answer, any Error>, Never>
    private let waiting: Waiting

    init(_ waiting: Waiting) { self.waiting = waiting }

    func answer(_ result: Result<Answer, any Error>) {
      AgentLoop.task { [waiting] in waiting.resume(returning: result) }
    }
  }
}
