// SPDX-License-Identifier: MIT
import Synchronization

/// A few threads that tasks take one of, and wait for without holding any; first come, first served. Any thread may call it.
final class Turn: Sendable {
  /// As many suites hear sound at once as there are processors at least: they wait for most of their time.
  static let shared = Turn(threads: 2)

  private struct Line {
    var free: [TestThread]
    var waiting: [CheckedContinuation<TestThread, Never>] = []
  }

  private let line: Mutex<Line>

  init(threads: Int) {
    line = Mutex(Line(free: (0..<threads).map { _ in TestThread() }))
  }

  /// Returns when one is free. Who takes it passes it on.
  func take() async -> TestThread {
    await withCheckedContinuation { continuation in
      let thread = line.withLock { line in
        if line.free.isEmpty { line.waiting.append(continuation) }
        return line.free.popLast()
      }
      if let thread { continuation.resume(returning: thread) }
    }
  }

  /// Gives it to the next in the line.
  func pass(_ thread: TestThread) {
    let next = line.withLock { line in
      if line.waiting.isEmpty { line.free.append(thread) }
      return line.waiting.isEmpty ? nil : line.waiting.removeFirst()
    }
    next?.resume(returning: thread)
  }
}
