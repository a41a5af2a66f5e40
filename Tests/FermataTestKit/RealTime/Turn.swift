// SPDX-License-Identifier: MIT
import Synchronization

/// A pool of a few threads, each used by one task at a time. Waiting for one blocks no thread, and the first task
/// that waits is served first. Any thread may call it.
final class Turn: Sendable {
  /// Two, as a machine with two processors can run that many such suites at once: they spend most of their time
  /// waiting.
  static let shared = Turn(threads: 2)

  private struct Line {
    var free: [TestThread]
    var waiting: [CheckedContinuation<TestThread, Never>] = []
  }

  private let line: Mutex<Line>

  init(threads: Int) {
    line = Mutex(Line(free: (0..<threads).map { _ in TestThread() }))
  }

  /// Waits for a free thread and takes it. The caller has to `pass` it on.
  func take() async -> TestThread {
    await withCheckedContinuation { continuation in
      let thread = line.withLock { line in
        if line.free.isEmpty { line.waiting.append(continuation) }
        return line.free.popLast()
      }
      if let thread { continuation.resume(returning: thread) }
    }
  }

  /// Gives the thread to the next task that waits, or back to the pool.
  func pass(_ thread: TestThread) {
    let next = line.withLock { line in
      if line.waiting.isEmpty { line.free.append(thread) }
      return line.waiting.isEmpty ? nil : line.waiting.removeFirst()
    }
    next?.resume(returning: thread)
  }
}
