// SPDX-License-Identifier: MIT
import FermataTestKit
import PlaybackLogic
import Testing

@Suite("A walk over a queue that is edited")
struct QueueSweepTests {
  @Test("it meets every entry once where nothing is edited")
  func whole() {
    var queue = PlayQueue(seed: 1)
    _ = queue.append((0..<10).map { EntrySource("/\($0)") })
    var sweep = QueueSweep()
    var met: [Entry] = []
    while case let entries = sweep.next(3, of: queue), !entries.isEmpty { met += entries }
    #expect(met == queue.entries(at: 0..<10))
  }

  @Test(
    "no entry that was there and stays is left out, whatever is edited", arguments: 0..<200 as Range<UInt64>)
  func edited(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var queue = PlayQueue(seed: 1)
    _ = queue.append((0..<30).map { EntrySource("/\($0)") })
    let before = Set(queue.entries(at: 0..<30).map(\.id))
    var sweep = QueueSweep()
    var met: Set<EntryID> = []
    for _ in 0..<200 {
      let entries = sweep.next(3, of: queue)
      if entries.isEmpty { break }
      met.formUnion(entries.map(\.id))
      for edit in Self.edit(&queue, &random).edits { sweep.follow(edit) }
    }
    while case let entries = sweep.next(3, of: queue), !entries.isEmpty { met.formUnion(entries.map(\.id)) }
    let left = Set(queue.entries(at: 0..<queue.count).map(\.id)).intersection(before)
    #expect(met.isSuperset(of: left), "seed \(seed)")
  }

  private static func edit(_ queue: inout PlayQueue, _ random: inout SeededGenerator) -> QueueChange {
    let row = Int.random(in: 0...queue.count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return queue.insert([EntrySource("/a"), EntrySource("/b")], at: row)
    case 1: return queue.remove(at: RangeSet(row..<min(queue.count, row + 2)))
    case 2, 3:
      let rows = row..<min(queue.count, row + 3)
      return queue.move(rows, to: Int.random(in: 0...queue.count - rows.count, using: &random))
    default: return QueueChange()
    }
  }
}
