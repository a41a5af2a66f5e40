// SPDX-License-Identifier: MIT
import Testing

@testable import AgentLoop

@Suite("Timer queue")
struct TimerQueueTests {
  private func fired(_ queue: inout TimerQueue, at now: Duration) -> Int {
    var count = 0
    while let fire = queue.popDue(at: now) {
      fire()
      count += 1
    }
    return count
  }

  @Test("timers come out by their time, and in the order of adding where that is the same")
  func order() {
    var queue = TimerQueue()
    let seen = Recorder()
    for (due, name) in [(3, "d"), (1, "a"), (2, "b"), (3, "e"), (2, "c")] {
      _ = queue.add(due: .seconds(due)) { seen.names.append(name) }
    }
    #expect(fired(&queue, at: .milliseconds(999)) == 0)
    #expect(fired(&queue, at: .seconds(2)) == 3)
    #expect(fired(&queue, at: .seconds(9)) == 2)
    #expect(seen.names == ["a", "b", "c", "d", "e"])
    #expect(queue.isEmpty)
  }

  @Test("a cancelled timer never fires, and the others do")
  func cancel() {
    var queue = TimerQueue()
    let seen = Recorder()
    let first = queue.add(due: .seconds(1)) { seen.names.append("first") }
    _ = queue.add(due: .seconds(1)) { seen.names.append("second") }
    queue.cancel(first)
    queue.cancel(first)
    #expect(fired(&queue, at: .seconds(1)) == 1)
    #expect(seen.names == ["second"])
  }

  @Test(
    "the poll waits until the next timer, and for ever when there is none",
    arguments: [
      (Duration.milliseconds(5), Duration.milliseconds(5)), (.zero, .zero), (.seconds(-3), .zero),
      (.nanoseconds(1), .nanoseconds(1)), (.seconds(Int64.max / 2), .seconds(Int64.max / 2)),
    ])
  func pollTimeout(wait: Duration, expected: Duration) {
    var queue = TimerQueue()
    #expect(queue.wait(at: .seconds(10)) == nil)
    _ = queue.add(due: .seconds(10) + wait) {}
    #expect(queue.wait(at: .seconds(10)) == expected)
  }

  private final class Recorder { var names: [String] = [] }
}
