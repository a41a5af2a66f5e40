// SPDX-License-Identifier: MIT
import AgentLoop
import FermataTestKit
import Testing

@Suite("Waits on the loop", .endsAnyway)
struct WaitingTests {
  @Test("what comes ends the wait for it, and no other")
  func comes() async throws {
    try await onLoop { @AgentLoop in
      let waiter = LoopWaiter()
      var count = 0
      let late = AgentLoop.task { try? await waiter.wait(for: "two") { count == 2 } }
      for _ in 1...2 {
        AgentLoop.after(.zero) {
          count += 1
          waiter.look()
        }
        try await waiter.wait(for: "the next") { [before = count] in count > before }
      }
      await late.value
      #expect(count == 2)
    }
  }

  @Test("what does not come is an error that names it, and what there was")
  func inVain() async throws {
    let error = await #expect(throws: KitError.self) {
      try await onLoop { @AgentLoop in
        try await LoopWaiter().wait(for: "a sink", within: .milliseconds(10), seen: { "a card" }) { false }
      }
    }
    #expect(
      "\(error.map { "\($0)" } ?? "")".contains("a sink did not come within 0.01 seconds; there was a card"))
  }

  @Test("the end of a test's time ends the wait, which says what it was for")
  func outOfTime() async throws {
    let task = AgentLoop.task(throwing: {
      try await onLoop { @AgentLoop in try await LoopWaiter().wait(for: "a sink") { false } }
    })
    AgentLoop.runOnOwnThread()
    task.cancel()
    let error = await #expect(throws: KitError.self) { try await task.value }
    #expect("\(error.map { "\($0)" } ?? "")".contains("a sink had not come when the test's time was over"))
  }

  @Test("what waits on the loop for anything else ends too, by its name")
  func left() async throws {
    let error = await #expect(throws: KitError.self) {
      try await onLoop("the server's answer", within: .milliseconds(10)) { @AgentLoop in
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("the server's answer has not ended within"))
  }
}
