// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

@Suite("A virtual clock")
struct VirtualClockTests {
  @Test("has things happen in the order of their times, and at those times")
  func order() {
    let clock = VirtualClock()
    var seen: [String] = []
    for (name, time) in [("c", 30), ("a", 10), ("b", 20), ("b2", 20), ("late", 31)] {
      clock.schedule(after: .milliseconds(time)) { seen.append("\(name) at \(clock.now)") }
    }
    clock.advance(by: .milliseconds(30))
    #expect(seen == ["a at 0.01 seconds", "b at 0.02 seconds", "b2 at 0.02 seconds", "c at 0.03 seconds"])
    #expect(clock.pending == 1)
    #expect(clock.now == .milliseconds(30))
  }

  @Test("what happens may have more happen, in the same advance when it is due by then")
  func nested() {
    let clock = VirtualClock(at: .seconds(5))
    var ticks: [Duration] = []
    func tick() {
      ticks.append(clock.now)
      clock.schedule(after: .seconds(1), tick)
    }
    clock.schedule(after: .seconds(1), tick)
    clock.advance(by: .milliseconds(3500))
    #expect(ticks == [.seconds(6), .seconds(7), .seconds(8)])
    #expect(clock.now == .milliseconds(8500))
  }

  @Test("what is cancelled does not happen")
  func cancel() {
    let clock = VirtualClock()
    var happened = false
    let token = clock.schedule(after: .seconds(1)) { happened = true }
    clock.schedule(after: .milliseconds(999)) { clock.cancel(token) }
    clock.advance(by: .seconds(2))
    #expect(!happened && clock.pending == 0)
  }

  @Test("advancing by nothing has happen what is due now")
  func now() {
    let clock = VirtualClock()
    var happened = false
    clock.schedule(after: .zero) { happened = true }
    #expect(!happened)
    clock.advance(by: .zero)
    #expect(happened)
  }
}
