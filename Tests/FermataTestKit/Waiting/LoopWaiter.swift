// SPDX-License-Identifier: MIT
package import AgentLoop

/// Waits on the agent loop until what a test expects has come about. Every such wait ends: at the latest when patience is over
/// or the test's time limit has passed, and then with an error that says what was waited for.
///
/// Its owner calls `look()` after everything that happens.
@AgentLoop
package final class LoopWaiter {
  private struct Wait {
    var isOver: @AgentLoop () -> Bool
    var end: CheckedContinuation<String?, Never>
  }

  private var waits: [Int: Wait] = [:]
  private var last = 0

  /// One that nobody waits with yet.
  package init() {}

  /// Looks whether somebody waits for what has just happened.
  package func look() {
    for (number, wait) in waits where wait.isOver() { end(number, nil) }
  }

  /// Returns as soon as `check` holds. Throws when it does not in time, with what `seen` says there was instead.
  package func wait(
    for what: String, within patience: Duration = .patience, seen: @AgentLoop () -> String = { "" },
    _ check: @escaping @AgentLoop () -> Bool
  ) async throws {
    if check() { return }
    last += 1
    let number = last
    let timer = AgentLoop.after(patience) { self.end(number, "did not come within \(patience)") }
    defer { timer.cancel() }
    let failure = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waits[number] = Wait(isOver: check, end: continuation)
        if Task.isCancelled { end(number, Self.cancelled) }
      }
    } onCancel: {
      AgentLoop.task { self.end(number, Self.cancelled) }
    }
    if let failure {
      let seen = seen()
      throw KitError("\(what) \(failure)" + (seen.isEmpty ? "" : "; there was \(seen)"))
    }
  }

  private static let cancelled = "had not come when the test's time was over"

  private func end(_ number: Int, _ failure: String?) {
    waits.removeValue(forKey: number)?.end.resume(returning: failure)
  }
}
