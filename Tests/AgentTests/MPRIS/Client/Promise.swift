// SPDX-License-Identifier: MIT
import AgentLoop
import FermataTestKit
import Glibc
import Synchronization

/// What one thread waits for and another brings.
final class Promise<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let bell = CountedBell()

  /// Brings it; once.
  func keep(_ result: Result<Value, any Error>) {
    self.result.withLock { $0 = result }
    bell.ring()
  }

  /// Blocks until it was brought. Throws its error, and when it does not come in time.
  func value(of what: String, within patience: Duration) throws -> Value {
    let deadline = Deadline.after(patience)
    while true {
      if let result = result.withLock({ $0 }) { return try result.get() }
      guard bell.wait(until: deadline) else { throw KitError("no \(what) within \(patience)") }
    }
  }
}

/// Rings for whoever waits, as often as it was rung. Any thread.
final class CountedBell: @unchecked Sendable {
  // Unchecked: a semaphore is made to be used by several threads, and its address stays.
  private let raw = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(raw, 0, 0) }

  deinit {
    sem_destroy(raw)
    raw.deallocate()
  }

  func ring() { sem_post(raw) }

  /// Blocks until it rings; answers false when the deadline comes first.
  func wait(until deadline: Deadline) -> Bool {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let left = deadline.remaining.components
    let nanoseconds = Int64(time.tv_nsec) + left.attoseconds / 1_000_000_000
    time.tv_sec += Int(left.seconds + nanoseconds / 1_000_000_000)
    time.tv_nsec = Int(nanoseconds % 1_000_000_000)
    while sem_timedwait(raw, &time) != 0 { if errno != EINTR { return false } }
    return true
  }
}

/// Runs a body on the loop and blocks until it is done, for tests that go step by step.
func onLoopBlocking<Value: Sendable>(
  _ what: String, within patience: Duration = .patience,
  _ body: sending @escaping @AgentLoop () async throws -> Value
) throws -> Value {
  AgentLoop.runOnOwnThread()
  let promise = Promise<Value>()
  AgentLoop.task {
    do { promise.keep(.success(try await body())) } catch { promise.keep(.failure(error)) }
  }
  return try promise.value(of: what, within: patience)
}
