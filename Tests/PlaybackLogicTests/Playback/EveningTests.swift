// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

@testable import PlaybackLogic

@Suite("Classifier, watcher and session together")
struct EveningTests {
  @Test(
    "in 100,000 steps nobody hears what they should not, and everything comes to rest",
    arguments: [false, true])
  func evening(isPipeWire: Bool) {
    let seed: UInt64 = isPipeWire ? 5 : 6
    var random = SeededGenerator(seed: seed)
    var evening = Evening(seed: seed + 100, isPipeWire: isPipeWire)
    evening.rise()
    evening.pass(3_000)
    for step in 0..<50_000 {
      evening.doRandomly()
      // Most things come in bursts, so that they meet each other half done.
      let isRest = random.chance(4)
      evening.pass(isRest ? 6_000 : random.chance(50) ? Int.random(in: 0...40, using: &random) : 200)
      if isRest { evening.checkRest() }
      if let complaint = evening.complaint {
        Issue.record("seed \(seed), step \(step), \(evening.now) ms: \(complaint)\n\(evening.report)")
        return
      }
    }
  }
}
