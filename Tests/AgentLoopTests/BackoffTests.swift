// SPDX-License-Identifier: MIT
import AgentLoop
import Testing

@Suite("Backoff")
struct BackoffTests {
  @Test("waits double up to the limit, and begin anew after a success")
  func doubling() {
    var backoff = Backoff(first: .milliseconds(50), limit: .seconds(5))
    let waits = (0..<9).map { _ in backoff.next() }
    #expect(waits == [50, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000].map { .milliseconds($0) })
    backoff.reset()
    #expect(backoff.next() == .milliseconds(50))
  }
}
