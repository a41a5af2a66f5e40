// SPDX-License-Identifier: MIT
import AgentLoop
import FermataTestKit
import CLinux
import Glibc
import Testing

@Suite("The loop", .serialized)
struct LoopTests {
  @Test("a task stays on the loop's thread through every kind of await")
  func oneThread() async throws {
    let strays = try await onLoop { @AgentLoop in
      var strays = 0
      func look() { if !AgentLoop.executor.isLoopThread { strays += 1 } }
      look()
      await withUnsafeContinuation { continuation in AgentLoop.after(.zero) { continuation.resume() } }
      look()
      await AgentLoop.task {}.value
      look()
      strays += await Self.straysInNonisolatedCode()
      look()
      return strays
    }
    #expect(strays == 0)
  }

  /// Stays where its caller is, and so does what resumes in it.
  private nonisolated static func straysInNonisolatedCode() async -> Int {
    var strays = AgentLoop.executor.isLoopThread ? 0 : 1
    await Task.yield()
    strays += AgentLoop.executor.isLoopThread ? 0 : 1
    return strays
  }

  @Test("no wake-up is lost when four threads enqueue 100,000 jobs")
  func noLostWakeup() async throws {
    AgentLoop.runOnOwnThread()
    let threads = 4
    let perThread = 25_000
    let ran = Counter()
    await withTaskGroup { group in
      for _ in 0..<threads {
        group.addTask {
          // One after another, so that the loop goes to sleep between them again and again.
          for _ in 0..<perThread { await AgentLoop.task { ran.increase() }.value }
        }
      }
    }
    #expect(ran.count == threads * perThread)
  }

  @Test("many jobs that wait do not keep a descriptor that is ready waiting for all of them")
  func fairness() async throws {
    let (before, ran) = try await onLoop { @AgentLoop in
      let ready = eventfd(1, Int32(EFD_CLOEXEC))
      defer { close(ready) }
      var (before, ran) = (0, 0)
      let watch = LoopWatch(descriptor: ready) { _ in if before == 0 { before = ran } }
      let jobs = (0..<200).map { _ in
        AgentLoop.task {
          let end = AgentLoop.now + .milliseconds(1)
          while AgentLoop.now < end {}
          ran += 1
        }
      }
      for job in jobs { await job.value }
      withExtendedLifetime(watch) {}
      return (before, ran)
    }
    #expect((1...100).contains(before) && ran == 200, "\(before)")
  }

  @Test("timers fire in order, not before their time, and not once cancelled")
  func timers() async throws {
    let (names, early) = try await onLoop { @AgentLoop in
      var names: [String] = []
      var early = 0
      let start = AgentLoop.now
      for (delay, name) in [(20, "c"), (5, "a"), (10, "b")] {
        AgentLoop.after(.milliseconds(delay)) {
          names.append(name)
          if AgentLoop.now - start < .milliseconds(delay) { early += 1 }
        }
      }
      let cancelled = AgentLoop.after(.milliseconds(15)) { names.append("cancelled") }
      AgentLoop.after(.milliseconds(1)) { cancelled.cancel() }
      await withUnsafeContinuation { done in AgentLoop.after(.milliseconds(25)) { done.resume() } }
      return (names, early)
    }
    #expect(names == ["a", "b", "c"])
    #expect(early == 0)
  }

  @AgentLoop private final class Order { var names: [String] = [] }

  @Test("who waits for the same thing goes on in turn when it happens, or alone when it has waited enough")
  func waiting() async throws {
    let names = try await onLoop { @AgentLoop in
      let (callers, order) = (WaitingCallers(), Order())
      let begin = { @AgentLoop (name: String, limit: Duration?) in
        AgentLoop.task {
          await callers.wait(atMost: limit)
          order.names.append(name)
        }
      }
      let tasks = [begin("a", nil), begin("b", .milliseconds(1)), begin("c", .seconds(60))]
      await tasks[1].value
      callers.resume()
      for task in tasks { await task.value }
      // Nobody waits any more, and what happened before does not count.
      callers.resume()
      await begin("d", .milliseconds(1)).value
      return order.names
    }
    #expect(names == ["b", "a", "c", "d"])
  }

  @Test("a promise gives the value that came first, whether it came before somebody waited or after")
  func promise() async throws {
    let values = try await onLoop { @AgentLoop in
      let (early, late) = (Promise<Int>(), Promise<Int>())
      early.keep(1)
      early.keep(2)
      let waiting = AgentLoop.task { await late.get() }
      AgentLoop.after(.milliseconds(1)) {
        late.keep(3)
        late.keep(4)
      }
      return [await early.get(), await waiting.value, await late.get()]
    }
    #expect(values == [1, 3, 3])
  }

  @Test("no value of a promise is missed by a task that is just about to wait, however busy the loop is")
  func promisesInTime() async throws {
    let sum = try await onLoop { @AgentLoop in
      let promises = (0..<2_000).map { _ in Promise<Int>() }
      let tasks = promises.map { promise in AgentLoop.task { await promise.get() } }
      // Between two of these the loop gives its descriptors and timers a turn.
      for (number, promise) in promises.enumerated() { AgentLoop.task { promise.keep(number) } }
      var sum = 0
      for task in tasks { sum += await task.value }
      return sum
    }
    #expect(sum == 1_999 * 1_000)
  }

  @Test("a watch hears its descriptor, its hang-up, and may be let go of from within")
  func watch() async throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    defer { close(reading) }
    let heard = try await onLoop { @AgentLoop in
      var heard: [LoopWatch.Events] = []
      var watch: LoopWatch?
      write(writing, "x", 1)
      await withUnsafeContinuation { (done: UnsafeContinuation<Void, Never>) in
        watch = LoopWatch(descriptor: reading) { events in
          heard.append(events)
          var byte: UInt8 = 0
          if read(reading, &byte, 1) == 1 {
            close(writing)
          } else {
            watch = nil
            done.resume()
          }
        }
      }
      return (heard, watch == nil)
    }
    #expect(heard.0.first == .readable)
    #expect(heard.0.last?.contains(.hangup) == true)
    #expect(heard.1)
  }

  @Test("a paused watch hears nothing until it is set again")
  func pausedWatch() async throws {
    let descriptor = eventfd(1, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let (paused, resumed) = try await onLoop { @AgentLoop in
      var calls = 0
      let watch = LoopWatch(descriptor: descriptor, events: []) { _ in calls += 1 }
      await withUnsafeContinuation { done in AgentLoop.after(.milliseconds(5)) { done.resume() } }
      let paused = calls
      watch.events = .readable
      await withUnsafeContinuation { done in AgentLoop.after(.milliseconds(5)) { done.resume() } }
      return (paused, calls)
    }
    #expect(paused == 0)
    #expect(resumed > 0)
  }

  @Test("a deferral that never ends does not keep descriptors from being heard")
  func endlessDeferral() async throws {
    let descriptor = eventfd(1, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let turns = try await onLoop { @AgentLoop in
      var turns = 0
      let deferral = LoopDeferral { turns += 1 }
      deferral.isEnabled = true
      var watch: LoopWatch?
      await withUnsafeContinuation { (done: UnsafeContinuation<Void, Never>) in
        watch = LoopWatch(descriptor: descriptor) { _ in
          watch?.end()
          done.resume()
        }
      }
      deferral.isEnabled = false
      return turns
    }
    #expect(turns > 0)
  }
}
