// SPDX-License-Identifier: MIT
import FermataTestKit
import ReaderModel
import Testing

@Suite("Which files are read next")
struct ReadingPlanTests {
  /// Plays a reader that the files in `killers` kill. Returns the files that were given up, in order, and how many
  /// readers there were.
  private func play(_ count: Int, killers: Set<Int>) -> (lost: [Int], answered: Set<Int>, readers: Int) {
    var plan = ReadingPlan(count: count)
    var (lost, answered, readers): ([Int], Set<Int>, Int) = ([], [], 1)
    while !plan.isDone {
      while plan.next() != nil {}
      guard let current = plan.current else { break }
      if current.contains(where: killers.contains) {
        lost += plan.died(.fault)
        readers += 1
      } else {
        answered.formUnion(current)
        plan.answered()
      }
    }
    return (lost, answered, readers)
  }

  @Test("batches go out in order, two at a time")
  func order() {
    var plan = ReadingPlan(count: 40)
    #expect(plan.next() == Array(0..<16))
    #expect(plan.next() == Array(16..<32))
    #expect(plan.next() == nil)
    plan.answered()
    #expect(plan.current == Array(16..<32))
    #expect(plan.next() == Array(32..<40))
    plan.answered()
    #expect(!plan.isDone)
    plan.answered()
    #expect(plan.isDone && plan.next() == nil)
    #expect(ReadingPlan(count: 0).isDone)
  }

  @Test("a file that kills two readers is given up, and all others are answered")
  func killers() {
    let (lost, answered, readers) = play(40, killers: [17])
    #expect(lost == [17])
    #expect(answered == Set(0..<40).subtracting([17]))
    #expect(readers == 3)
    #expect(play(1, killers: [0]).readers == 3)
    #expect(play(16, killers: Set(0..<16)).lost == Array(0..<16))
  }

  @Test("whichever files kill, just those are given up", arguments: 0..<50)
  func anyKillers(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...70, using: &random)
    let killers = Set((0..<count).filter { _ in Int.random(in: 0..<6, using: &random) == 0 })
    let (lost, answered, _) = play(count, killers: killers)
    #expect(Set(lost) == killers && lost.count == killers.count)
    #expect(answered == Set(0..<count).subtracting(killers))
  }

  @Test("a reader that somebody else kills costs no file, unless it is killed for ever")
  func outside() {
    var plan = ReadingPlan(count: 20)
    for _ in 0..<19 {
      #expect(plan.next() == Array(0..<16))
      #expect(plan.next() == Array(16..<20))
      #expect(plan.died(.outside) == [])
    }
    _ = plan.next()
    plan.answered()
    #expect(plan.next() == Array(16..<20))
    for _ in 0..<19 {
      #expect(plan.died(.outside) == [])
      #expect(plan.next() == Array(16..<20))
    }
    #expect(plan.died(.outside) == Array(16..<20))
    #expect(plan.isDone)
  }

  @Test("a suspect stays alone when its reader is killed by somebody else")
  func suspect() {
    var plan = ReadingPlan(count: 2)
    _ = plan.next()
    #expect(plan.died(.fault) == [])
    #expect(plan.next() == [0])
    #expect(plan.next() == nil)
    #expect(plan.died(.outside) == [])
    #expect(plan.next() == [0])
    #expect(plan.died(.fault) == [0])
    #expect(plan.next() == [1])
    plan.answered()
    #expect(plan.isDone)
  }

  @Test("a disk that does not answer costs its batch, once not even one file of it was read")
  func deadDisk() {
    var plan = ReadingPlan(count: 20)
    _ = (plan.next(), plan.next())
    #expect(plan.died(.disk) == [])
    #expect(plan.next() == [0])
    #expect(plan.died(.disk) == Array(0..<16))
    #expect(plan.next() == Array(16..<20))
    plan.answered()
    #expect(plan.isDone)
  }

  @Test("a disk that is too slow for a batch is read one file at a time, and nothing is lost")
  func slowDisk() {
    var plan = ReadingPlan(count: 16)
    _ = plan.next()
    #expect(plan.died(.disk) == [])
    for file in 0..<16 {
      #expect(plan.next() == [file])
      plan.answered()
    }
    #expect(plan.isDone)
  }

  @Test("files that are not sent after all are nobody's business any more")
  func leftOut() {
    var plan = ReadingPlan(count: 18)
    _ = plan.next()
    plan.leaveOut(Set(0..<15))
    #expect(plan.current == [15])
    _ = plan.next()
    plan.leaveOut([16, 17])
    plan.answered()
    #expect(plan.isDone)
  }
}
