// SPDX-License-Identifier: MIT
import AgentLoop
import FermataTestKit
import Testing

@Suite("The thread that may block", .endsAnyway)
struct BlockingThreadTests {
  @AgentLoop
  private final class Order {
    var numbers: [Int] = []
  }

  @Test("who came first goes on first, however fast the thread is")
  func order() async throws {
    // In rounds, so that other tests have their turns of the loop between: one that plays must not wait for seconds.
    for _ in 0..<20 {
      try await onLoop { @AgentLoop in
        let (thread, order) = (BlockingThread("test"), Order())
        let tasks = (0..<250).map { number in
          AgentLoop.task {
            _ = try? await thread.run { _ in number }
            order.numbers.append(number)
          }
        }
        for task in tasks { await task.value }
        let isInOrder = order.numbers == Array(0..<250)
        #expect(isInOrder)
      }
    }
  }

  @Test("a thread that the system refuses is the job's error, and the next job asks again")
  func refused() throws {
    let said = try Child.run(Program.beside("AgentLoopProbe"))
    #expect(said == "\(BlockingFailure.noThread)\ndone\n")
  }

  @Test("those behind a job that hangs get another thread, and what it waits for is named")
  func hanging() async throws {
    try await onLoop { @AgentLoop in
      let thread = BlockingThread("test", yieldsAfter: .milliseconds(20), givesUpAfter: .milliseconds(200))
      let gate = try Gate()
      let hanging = AgentLoop.task(throwing: {
        try await thread.run { job in
          job.looks(at: "/dead/song.mp3")
          gate.pass()
        }
      })
      for number in 0..<50 {
        let answer = try await thread.run { _ in number }
        #expect(answer == number)
      }
      await #expect(throws: BlockingFailure.unresponsive("/dead/song.mp3")) { try await hanging.value }
      gate.open()
      // The thread that hung ends, and the one in its place goes on.
      for number in 0..<50 {
        let answer = try await thread.run { _ in number }
        #expect(answer == number)
      }
    }
  }

  @Test("however many hang, there are few threads, and nobody waits for ever")
  func manyHanging() async throws {
    try await onLoop { @AgentLoop in
      let thread = BlockingThread("test", yieldsAfter: .milliseconds(100), givesUpAfter: .seconds(1))
      let (gate, begun) = (try Gate(), Counter())
      let jobs = (0..<20).map { number in
        AgentLoop.task(throwing: {
          try await thread.run { job in
            job.looks(at: "\(number)")
            begun.increase()
            gate.pass()
          }
        })
      }
      for job in jobs { await #expect(throws: BlockingFailure.self) { try await job.value } }
      #expect(begun.count == 5)
      gate.open()
      let answer = try await thread.run { _ in 1 }
      #expect(answer == 1)
    }
  }

  @Test("a job that was given up before it began is not done later, and those behind it are")
  func givenUp() async throws {
    try await onLoop { @AgentLoop in
      let thread = BlockingThread("test", yieldsAfter: .milliseconds(100), givesUpAfter: .seconds(1))
      let (gate, done) = (try Gate(), Counter())
      // As many as may hang, so that nobody gets another thread.
      let hanging = (0..<5).map { _ in AgentLoop.task(throwing: { try await thread.run { _ in gate.pass() } })
      }
      let late = AgentLoop.task(throwing: { try await thread.run { _ in done.increase() } })
      for job in hanging + [late] { await #expect(throws: BlockingFailure.self) { try await job.value } }
      gate.open()
      for number in 0..<9 {
        let answer = try await thread.run { _ in number }
        #expect(answer == number)
      }
      #expect(done.count == 0)
    }
  }

  @Test("a job that shows progress is waited for, however long it takes")
  func progress() async throws {
    try await onLoop { @AgentLoop in
      let thread = BlockingThread("test", yieldsAfter: .milliseconds(50), givesUpAfter: .milliseconds(200))
      let steps = try await thread.run { job in
        let end = AgentLoop.now + .milliseconds(600)
        var steps = 0
        while AgentLoop.now < end, job.goesOn() { steps += 1 }
        return steps
      }
      #expect(steps > 0)
    }
  }

  @Test("a job that was cancelled is not begun, and one that runs can see it")
  func cancelled() async throws {
    try await onLoop { @AgentLoop in
      let thread = BlockingThread("test")
      let (gate, begun) = (try Gate(), Counter())
      let (first, second) = (BlockingJob(), BlockingJob())
      let jobs = [first, second].map { job in
        AgentLoop.task(throwing: {
          try await thread.run(job) { job in
            begun.increase()
            gate.pass()
            return job.isCancelled
          }
        })
      }
      first.cancel()
      second.cancel()
      gate.open()
      for job in jobs { await #expect(throws: BlockingFailure.cancelled) { try await job.value } }
      #expect(begun.count <= 1)
    }
  }
}
