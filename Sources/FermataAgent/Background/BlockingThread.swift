// SPDX-License-Identifier: MIT
import AgentLoop
import Glibc
import Synchronization

/// A thread for what may block: reading tags, looking into folders. Jobs run one after another, in the order in which they came.
///
/// It starts with the first job and lasts as long as the process; a disk that hangs holds up the jobs behind it, and nothing else.
public final class BlockingThread: Sendable {
  private struct Mailbox {
    var jobs: [@Sendable () -> Void] = []
    var hasThread = false
  }

  private let mailbox = Mutex(Mailbox())
  private let signal = Semaphore()

  /// A thread that has nothing to do yet.
  public init() {}

  /// Runs a job there and returns what it returns. On the loop, who came first goes on first.
  public func run<Result: Sendable>(_ job: @escaping @Sendable () -> Result) async -> Result {
    await withUnsafeContinuation { continuation in
      post {
        let result = job()
        // By way of the loop: who has not even begun to wait would go on at once, past those who wait.
        AgentLoop.task { continuation.resume(returning: result) }
      }
    }
  }

  /// Runs a job there and tells nobody. Any thread.
  public func post(_ job: @escaping @Sendable () -> Void) {
    let needsThread = mailbox.withLock { mailbox in
      mailbox.jobs.append(job)
      defer { mailbox.hasThread = true }
      return !mailbox.hasThread
    }
    if needsThread { start() }
    signal.post()
  }

  private func start() {
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer else { return nil }
        Unmanaged<BlockingThread>.fromOpaque(pointer).takeRetainedValue().work()
      }, Unmanaged.passRetained(self).toOpaque())
    precondition(failure == 0, "no thread for what blocks: \(failure)")
    pthread_detach(thread)
  }

  private func work() -> Never {
    while true {
      signal.wait()
      let job = mailbox.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
      job?()
    }
  }

  /// POSIX's own, at an address that stays.
  private final class Semaphore: @unchecked Sendable {
    // Unchecked: a semaphore is made to be used by several threads.
    private let raw = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(raw, 0, 0) }

    deinit {
      sem_destroy(raw)
      raw.deallocate()
    }

    func post() { sem_post(raw) }
    func wait() { while sem_wait(raw) != 0 {} }
  }
}
