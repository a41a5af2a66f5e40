// SPDX-License-Identifier: MIT
package import AgentLoop

/// Waits on the agent loop until a condition of a test is true. Every wait ends, at the latest when its `patience` or
/// the test's time limit is over, with an error that says what it waited for.
///
/// Its owner calls `look()` after every event. Only on the loop.
@AgentLoop
package final class LoopWaiter {
  private struct Wait {
    var isOver: @AgentLoop () -> Bool
    var end: CheckedContinuation<String?, Never>
  }

  private var waits: [Int: Wait] = [:]
  private var last = 0

  /// A waiter without any waits.
  package init() {}

  /// Checks the conditions of all waits, and ends those that are true.
  package func look() {
    for (number, wait) in waits where wait.isOver() { end(number, nil) }
  }

  /// Waits until `check` is true. Throws if it isn't in time; the error contains the text of `seen`, which describes
  /// what there was instead.
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
        // Whether the loop ran others since the first look is for the compiler to decide.
        if check() { end(number, nil) }
      }
    } onCancel: {
      AgentLoop.task { self.end(number, Self.cancelled) }
    }
    if let failure {
      let seen = seen()
      throw KitError("\(what) \(failure)" + (seen.isEmpty ? "" : "; there was \(seen)"))
    }
  }

  /// Waits for what tells nobody that it has come, like `wait`: looks every ten milliseconds.
  package static func watch(for what: String, _ check: @escaping @AgentLoop () -> Bool) async throws {
    let waiter = LoopWaiter()
    waiter.lookAgain()
    try await waiter.wait(for: what, check)
  }

  private func lookAgain() {
    AgentLoop.after(.milliseconds(10)) { [weak self] in
      self?.look()
      self?.lookAgain()
    }
  }

  private static let cancelled = "had not come when the test's time was over"

  private func end(_ number: Int, _ failure: String?) {
    waits.removeValue(forKey: number)?.end.resume(returning: failure)
  }
}
