// SPDX-License-Identifier: MIT
import CLinux
import FermataTestKit
import PlaybackLogic

extension Bench {
  /// The queue as a value, in this process.
  func queue() -> [Figure] {
    let sources = Self.sources(50_000)
    var adding: [Double] = []
    var bytes: [Double] = []
    for _ in 0..<runs {
      let before = Self.allocated
      let start = Monotonic.now
      var queue = PlayQueue(seed: 1)
      _ = queue.append(sources)
      adding.append((Monotonic.now - start).seconds)
      bytes.append(Double(Self.allocated - before) / Double(queue.count))
    }
    var small = Self.queue(of: 1000)
    var large = Self.queue(of: 1_000_000)
    let (smallEdit, largeEdit) = compare(&small, &large) { queue in
      let middle = queue.count / 2
      _ = queue.insert([EntrySource("/music/one more.mp3")], at: middle)
      _ = queue.remove(at: RangeSet(middle..<middle + 1))
    }
    let (smallNext, largeNext) = compare(&small, &large) { queue in
      _ = queue.skipToNext()
      _ = queue.goBack()
    }
    let (sorting, undoing) = sorting(100_000)
    return [
      Figure(name: "adding 50,000", ours: adding.median, unit: "s", budget: .atMost(0.3)),
      Figure(
        name: "memory an entry", ours: bytes.median, unit: "bytes", budget: .atMost(200),
        note: "with its path of \(sources[0].location.utf8.count) bytes"),
      Figure(
        name: "insert and remove at 1,000,000", ours: largeEdit, unit: "µs",
        budget: .times(2, of: "at 1,000"), others: [("at 1,000", smallEdit)]),
      Figure(
        name: "Next and Previous at 1,000,000", ours: largeNext, unit: "µs",
        budget: .times(2, of: "at 1,000"), others: [("at 1,000", smallNext)]),
      Figure(
        name: "sorting 100,000", ours: sorting, unit: "ms", budget: .atMost(30),
        note: "the edit alone, in an order that is known"),
      Figure(name: "undo of sorting 100,000", ours: undoing, unit: "ms", budget: .atMost(30)),
    ]
  }

  /// Puts a queue into another order and undoes that. Answers the medians in milliseconds.
  private func sorting(_ count: Int) -> (edit: Double, undo: Double) {
    var queue = Self.queue(of: count)
    var chance = SeededGenerator(seed: 1)
    let entries = queue.entries(at: 0..<count).map(\.id)
    var (edits, undos): ([Double], [Double]) = ([], [])
    for _ in 0..<runs {
      let order = entries.shuffled(using: &chance)
      let start = Monotonic.now
      _ = queue.arrange(order)
      let middle = Monotonic.now
      _ = queue.undo()
      edits.append((middle - start) / .milliseconds(1))
      undos.append((Monotonic.now - middle) / .milliseconds(1))
    }
    return (edits.median, undos.median)
  }

  private static func sources(_ count: Int) -> [EntrySource] {
    (0..<count).map { EntrySource("/srv/music/Some artist/An album of theirs/\(100_000 + $0) - A title.mp3") }
  }

  private static func queue(of count: Int) -> PlayQueue {
    var queue = PlayQueue(seed: 1)
    _ = queue.append(sources(count))
    _ = queue.start()
    return queue
  }

  /// What the C library has given out.
  private static var allocated: Int {
    let info = mallinfo2()
    return Int(info.uordblks) + Int(info.hblkhd)
  }

  /// Does the same to two queues in turns, and answers the medians in microseconds.
  private func compare(
    _ small: inout PlayQueue, _ large: inout PlayQueue, _ act: (inout PlayQueue) -> Void
  ) -> (Double, Double) {
    let rounds = 100
    var times: [[Double]] = [[], []]
    for _ in 0..<runs * 10 {
      for (index, time) in [Self.time(rounds, &small, act), Self.time(rounds, &large, act)].enumerated() {
        times[index].append(time)
      }
    }
    return (times[0].median, times[1].median)
  }

  private static func time(_ rounds: Int, _ queue: inout PlayQueue, _ act: (inout PlayQueue) -> Void)
    -> Double
  {
    let start = Monotonic.now
    for _ in 0..<rounds { act(&queue) }
    return (Monotonic.now - start) / .microseconds(rounds)
  }
}
