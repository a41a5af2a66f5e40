// SPDX-License-Identifier: MIT
import AgentLoop
import Synchronization

/// A thread that alone uses a database, and opens it when there is work for it.
///
/// Any thread may give it work, which it does in order. The thread starts with the first piece of work and then stays, waiting for more. `close`
/// closes the database but keeps the thread, so an idle library costs next to no memory. If the database cannot be opened, the present work fails,
/// and the next work tries again.
final class StoreThread<Store>: Sendable {
  /// The place where the thread keeps the open database.
  private struct Slot {
    var store: Store?
  }

  private struct Mailbox {
    var work: [@Sendable (inout Slot) -> Void] = []
    var hasStarted = false
  }

  private let name: String
  private let open: @Sendable () throws -> Store
  private let mailbox = Mutex(Mailbox())
  private let signal = Wakeup()

  /// A thread that is not started yet. It calls `open` to open the database.
  init(_ name: String, open: @escaping @Sendable () throws -> Store) { (self.name, self.open) = (name, open) }

  /// Runs `body` with the database and returns its result. Throws the errors of `open` and of `body`.
  @AgentLoop
  func run<Answer: Sendable>(_ body: @escaping @Sendable (Store) throws -> Answer) async throws -> Answer {
    let result: Result<Answer, any Error> = await withUnsafeContinuation { continuation in
      let waiter = Waiter(continuation)
      post { [open] slot in
        let result = Result {
          let store = try slot.store ?? open()
          slot.store = store
          return try body(store)
        }
        waiter.answer(result)
      }
    }
    return try result.get()
  }

  /// Runs `body` with the database and returns its result. Blocks, for at most `time`: call it on a thread that may. Nil if it fails or takes longer.
  nonisolated func ask<Answer: Sendable>(
    within time: Duration, _ body: @escaping @Sendable (Store) throws -> Answer?
  ) -> Answer? {
    let reply = Reply<Answer>()
    post { [open] slot in
      slot.store = try? slot.store ?? open()
      let found = slot.store.flatMap { try? body($0) }
      reply.answer.withLock { $0 = found }
      reply.isThere.wake()
    }
    return reply.isThere.wait(atMost: time) ? reply.answer.withLock { $0 } : nil
  }

  /// Closes the database after all work given so far, and returns its memory to the system. The next work opens it again.
  func close() {
    guard mailbox.withLock({ $0.hasStarted }) else { return }
    post { slot in
      slot.store = nil
      Process.returnMemory()
    }
  }

  private func post(_ work: @escaping @Sendable (inout Slot) -> Void) {
    let isFirst = mailbox.withLock { mailbox in
      mailbox.work.append(work)
      defer { mailbox.hasStarted = true }
      return !mailbox.hasStarted
    }
    if isFirst { WorkerThread.start(name) { [self] in serve() } }
    signal.wake()
  }

  private func serve() {
    var slot = Slot()
    while true {
      let work = mailbox.withLock { mailbox in
        defer { mailbox.work = [] }
        return mailbox.work
      }
      for work in work { work(&slot) }
      if work.isEmpty { signal.sleep() }
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
