// SPDX-License-Identifier: MIT
import AgentLoop
import Synchronization

/// A thread that alone uses a database, and opens it when there is something to do.
///
/// Any thread may give it work, which it does in order. Its thread starts with the first piece of work and then waits for more; nothing
/// runs before. `close` closes the database and keeps the thread, so an idle library costs next to no memory. A database that cannot be
/// opened fails the work at hand, and is tried anew with the next.
final class StoreThread<Store>: Sendable {
  private typealias Work = (inout Slot) -> Void

  /// Where the thread keeps the open database.
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

  /// A thread that is not started yet. `open` is called on it.
  init(_ name: String, open: @escaping @Sendable () throws -> Store) { (self.name, self.open) = (name, open) }

  /// Does something with the database and returns its result. Throws what opening it or `body` throws.
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

  /// Does something with the database and returns its result, on a thread that may block. Nil if it fails, or takes longer than this.
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

  /// Closes the database when everything that was asked for is done, and gives its memory back. The next work opens it again.
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

  /// What a thread waits for that blocks. It may have given up when it comes.
  private final class Reply<Answer: Sendable>: Sendable {
    let answer = Mutex<Answer?>(nil)
    let isThere = Wakeup()
  }

  /// Whoever waits for a result. It is answered once, by a task on the loop.
  private final class Waiter<Answer: Sendable>: Sendable {
    typealias Waiting = UnsafeContinuation<Result<Answer, any Error>, Never>
    private let waiting: Waiting

    init(_ waiting: Waiting) { self.waiting = waiting }

    func answer(_ result: Result<Answer, any Error>) {
      AgentLoop.task { [waiting] in waiting.resume(returning: result) }
    }
  }
}
