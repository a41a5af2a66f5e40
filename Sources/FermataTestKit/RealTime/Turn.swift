// SPDX-License-Identifier: MIT
import Synchronization

/// A lock that tasks wait for without holding a thread; first come, first served. Any thread may call it.
final class Turn: Sendable {
  static let shared = Turn()

  private struct Line {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let line = Mutex(Line())

  /// Returns when nobody else has it. Who takes it passes it on.
  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = line.withLock { line in
        if line.isTaken { line.waiting.append(continuation) }
        defer { line.isTaken = true }
        return !line.isTaken
      }
      if isFree { continuation.resume() }
    }
  }

  /// Gives it to the next in the line.
  func pass() {
    let next = line.withLock { line in
      line.isTaken = !line.waiting.isEmpty
      return line.waiting.isEmpty ? nil : line.waiting.removeFirst()
    }
    next?.resume()
  }
}
