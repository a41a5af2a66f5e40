// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

@testable import AgentLoop

@Suite("Ending the loop", .serialized)
struct ShutdownTests {
  @Test("a stop before the start makes the start return at once, with the first code given")
  func stopBeforeRun() {
    let executor = LoopExecutor()
    executor.stop(7)
    executor.stop(8)
    #expect(executor.run() == 7)
  }

  @Test("parts end in the opposite order of their start, one after another")
  func order() async throws {
    let ended = try await onLoop { @AgentLoop in
      var ended: [String] = []
      let waiter = LoopWaiter()
      let shutdown = Shutdown { ended.append("overdue: \($0)") }
      shutdown.add("bus") {
        ended.append("bus")
        waiter.look()
      }
      shutdown.add("player") {
        await withUnsafeContinuation { done in AgentLoop.after(.milliseconds(5)) { done.resume() } }
        ended.append("player")
      }
      shutdown.begin(0)
      #expect(shutdown.hasBegun)
      try await waiter.wait(for: "both ends") { ended.count == 2 }
      return ended
    }
    #expect(ended == ["player", "bus"])
  }

  @Test("a part that is added during the shutdown is ended next")
  func lateStage() async throws {
    let ended = try await onLoop { @AgentLoop in
      var ended: [String] = []
      let waiter = LoopWaiter()
      let shutdown = Shutdown { ended.append("overdue: \($0)") }
      shutdown.add("first") {
        ended.append("first")
        waiter.look()
      }
      shutdown.add("second") { shutdown.add("late") { ended.append("late") } }
      shutdown.begin(0)
      try await waiter.wait(for: "both ends") { ended.count == 2 }
      return ended
    }
    #expect(ended == ["late", "first"])
  }

  @Test("two wishes to end at once are one, and cut nothing short")
  func atOnce() async throws {
    let ended = try await onLoop { @AgentLoop in
      var ended: [String] = []
      let waiter = LoopWaiter()
      let shutdown = Shutdown { ended.append("overdue: \($0)") }
      shutdown.add("state") {
        await withUnsafeContinuation { done in AgentLoop.after(.milliseconds(5)) { done.resume() } }
        ended.append("state")
        waiter.look()
      }
      shutdown.begin(0)
      shutdown.begin(0)
      try await waiter.wait(for: "the end") { !ended.isEmpty }
      return ended
    }
    #expect(ended == ["state"])
  }

  @Test("a part that hangs is named at the deadline")
  func overdue() async throws {
    let ended = try await onLoop { @AgentLoop in
      var ended: [String] = []
      let waiter = LoopWaiter()
      let shutdown = Shutdown(deadline: .milliseconds(200)) {
        ended.append("overdue: \($0)")
        waiter.look()
      }
      shutdown.add("disk") { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
      shutdown.add("player") { ended.append("player") }
      shutdown.begin(0)
      try await waiter.wait(for: "the deadline") { ended.count == 2 }
      return ended
    }
    #expect(ended == ["player", "overdue: disk"])
  }

  @Test("jobs that never end starve neither timers nor descriptors")
  func endlessJobs() async throws {
    let fired = try await onLoop { @AgentLoop in
      var fired = false
      AgentLoop.after(.milliseconds(1)) { fired = true }
      var hops = 0
      while !fired && hops < 50_000_000 {
        await Task.yield()
        hops += 1
      }
      return fired
    }
    #expect(fired)
  }
}
