// SPDX-License-Identifier: MIT
@testable import PlaybackLogic
import FermataTestKit
import Testing

@Suite("Slots in a row")
struct RankedSlotsTests {
  @Test("rank and slot answer as an array would, after any edits", arguments: [2, 3, 8, 512])
  func edits(chunkSize: Int) {
    for seed in UInt64(0)..<40 {
      var chance = SeededGenerator(seed: seed)
      var (ranked, plain) = (RankedSlots(chunkSize: chunkSize), [Slot]())
      for _ in 0..<60 { edit(&ranked, &plain, &chance) }
      #expect(ranked.all == plain, "seed \(seed)")
      #expect(plain.indices.allSatisfy { ranked[$0] == plain[$0] }, "seed \(seed)")
      #expect(plain.indices.allSatisfy { ranked.rank(of: plain[$0]) == $0 }, "seed \(seed)")
      let part = plain.count / 3..<plain.count / 3 * 2
      #expect(ranked.slots(part) == Array(plain[part]), "seed \(seed)")
    }
  }

  private func edit(_ ranked: inout RankedSlots, _ plain: inout [Slot], _ chance: inout SeededGenerator) {
    let free = Set(0..<Slot(400)).subtracting(plain).sorted()
    // Now and then so many that everything is made anew.
    let many = Int.random(in: 0..<8, using: &chance) == 0
    if Bool.random(using: &chance) {
      let new = Array(free.shuffled(using: &chance).prefix(many ? 100 : 3))
      let ranks = RangeSet(
        (0..<plain.count + new.count).shuffled(using: &chance).prefix(new.count).map { $0..<$0 + 1 })
      ranked.insert(new, at: ranks)
      plain.merge(new, at: ranks)
    } else {
      let gone = RangeSet(plain.indices.shuffled(using: &chance).prefix(many ? 100 : 4).map { $0..<$0 + 1 })
      ranked.remove(gone)
      plain.removeSubranges(gone)
    }
    guard plain.count > 3 else { return }
    let start = Int.random(in: 0..<plain.count - 2, using: &chance)
    let target = Int.random(in: 0..<plain.count - 1, using: &chance)
    ranked.move(start..<start + 2, to: target)
    let moved = plain[start..<start + 2]
    plain.removeSubrange(start..<start + 2)
    plain.insert(contentsOf: moved, at: target)
  }
}
