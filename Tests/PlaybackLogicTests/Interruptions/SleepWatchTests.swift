// SPDX-License-Identifier: MIT
import Testing

@testable import PlaybackLogic

@Suite("SleepWatch: the machine's sleep waits for the sound's end")
struct SleepWatchTests {
  private typealias Row = (event: SleepWatch.Event, outputs: [SleepWatch.Output])

  private func run(_ rows: [Row], at location: SourceLocation = #_sourceLocation) {
    var watch = SleepWatch()
    for (index, row) in rows.enumerated() {
      #expect(watch.handle(row.event) == row.outputs, "row \(index)", sourceLocation: location)
    }
  }

  @Test("a delay is taken, given back when nothing sounds, and taken anew")
  func rounds() {
    run([
      (.logindCame, [.askForDelay]), (.answered(isGranted: true), []),
      (.prepares, [.fallAsleep]), (.prepares, []), (.silent, [.release]),
      (.woke, [.wakeUp, .askForDelay]), (.answered(isGranted: true), []),
      (.prepares, [.fallAsleep]), (.silent, [.release]), (.silent, []),
    ])
  }

  @Test("refused, it tells of sleep all the same, and asks again after it")
  func refused() {
    run([
      (.logindCame, [.askForDelay]), (.answered(isGranted: false), []), (.prepares, [.fallAsleep]),
      (.silent, []), (.woke, [.wakeUp, .askForDelay]),
    ])
  }

  @Test("a delay that is granted late is given back at once, where nothing sounds any more")
  func late() {
    run([
      (.logindCame, [.askForDelay]), (.prepares, [.fallAsleep]), (.silent, []),
      (.answered(isGranted: true), [.release]), (.woke, [.wakeUp, .askForDelay]),
    ])
  }

  @Test("a machine that does not sleep after all keeps its delay")
  func cancelled() {
    run([
      (.logindCame, [.askForDelay]), (.answered(isGranted: true), []), (.prepares, [.fallAsleep]),
      (.woke, [.wakeUp]), (.silent, []), (.prepares, [.fallAsleep]), (.silent, [.release]),
    ])
  }

  @Test("a logind that dies takes its delay along and wakes us, the next one is asked anew")
  func dies() {
    run([
      (.logindCame, [.askForDelay]), (.answered(isGranted: true), []), (.logindWent, [.release]),
      (.logindCame, [.askForDelay]), (.logindWent, []), (.answered(isGranted: true), [.release]),
      (.logindCame, [.askForDelay]), (.answered(isGranted: true), []), (.prepares, [.fallAsleep]),
      (.logindWent, [.release, .wakeUp]), (.woke, []), (.logindCame, [.askForDelay]),
    ])
  }
}
