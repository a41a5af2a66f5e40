// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
@testable import PlaybackLogic
import Testing

/// What the queue costs. Times of the processor are compared with each other, never with a clock on
/// the wall.
@Suite("What the queue costs", .serialized)
struct QueueFiguresTests {
  /// The long list; a million where time is no matter: `FERMATA_ENTRIES=1000000`.
  static var long: Int {
    unsafe getenv("FERMATA_ENTRIES").flatMap { unsafe Int(String(cString: $0)) } ?? 100_000
  }

  /// Sources with paths of 60 bytes, ten an album.
  static func sources(_ count: Int) -> [EntrySource] {
    (0..<count).map { number in
      let digits = String(10_000_000 + number)
      let path = "/srv/music/Artist \(digits.dropLast(3))/Album \(digits)/My Song \(digits).flac"
      return EntrySource(path, album: AlbumKey(rawValue: UInt64(number / 10 + 1)))
    }
  }

  /// What the heap of a process of its own says.
  private func bytes(_ shuffle: ShuffleMode, _ way: String, _ count: Int) throws -> Int {
    let probe = try Program.beside("PlaybackLogicProbe")
    let said = try Child.run(probe, ["\(shuffle)", way, "\(count)"])
    return try #require(Int(said.dropLast())) / count
  }

  @Test("an entry is at most 200 bytes, all indices included", arguments: ShuffleMode.allCases)
  func bytes(shuffle: ShuffleMode) throws {
    #expect((100...200).contains(try bytes(shuffle, "at-once", 50_000)))
  }

  @Test("entries added one by one take no more")
  func singleBytes() throws {
    #expect((100...200).contains(try bytes(.songs, "one-by-one", 20_000)))
  }

  @Test("the undo step of a sort takes some bytes a row", arguments: ShuffleMode.allCases)
  func sortedBytes(shuffle: ShuffleMode) throws {
    #expect((4...5).contains(try bytes(shuffle, "sorted", 50_000)))
  }

  @Test(
    "an edit and Next cost in a long list about what they cost in one of 1,000",
    arguments: ShuffleMode.allCases)
  func scaling(shuffle: ShuffleMode) {
    let (short, long) = (Cost(1_000, shuffle), Cost(Self.long, shuffle))
    // An optimised build stays below 2; one array written anew in each edit would be a hundredfold.
    #expect(long.edit < 4 * short.edit, "edit \(short.edit) and \(long.edit)")
    #expect(long.next < 4 * short.next, "Next \(short.next) and \(long.next)")
  }

  @Test("many at once cost what the list costs, once")
  func bulk() {
    let count = Self.long
    var queue = PlayQueue(seed: 1, shuffle: .songs)
    _ = queue.append(Self.sources(count))
    _ = queue.start()
    let (coming, first) = (queue.upcoming(count), queue[0])
    let half = RangeSet(stride(from: 0, to: count, by: 2).map { $0..<$0 + 1 })
    let change = queue.remove(at: half)
    #expect(queue.count == count / 2 && change.edits.count == 1)
    let left = coming.filter { queue.entry($0) != nil && $0 != queue.current }
    #expect(queue.upcoming(count) == left)
    _ = queue.undo()
    #expect(queue.count == count && queue[0] == first)
    #expect(Set(queue.upcoming(count)).count == queue.upcoming(count).count)
    let (names, order) = (queue.entries(at: 0..<count), queue.upcoming(count))
    _ = queue.clear()
    _ = queue.undo()
    #expect(queue.entries(at: 0..<count) == names && queue.upcoming(count) == order)
  }

  @Test("sorting a long queue costs less than adding it did, and its undo step holds no entries")
  func arranging() {
    let count = Self.long
    var queue = PlayQueue(seed: 1)
    let adding = Cost.time(1) { _ = queue.append(Self.sources(count)) }
    _ = queue.start()
    var chance = SeededGenerator(seed: 2)
    let order = queue.entries(at: 0..<count).map(\.id).shuffled(using: &chance)
    let heavy = queue.log.weight
    let sorting = Cost.time(1) { _ = queue.arrange(order) }
    #expect(queue.log.weight - heavy < count / 4)
    let undoing = Cost.time(1) { _ = queue.undo() }
    // An optimised build needs a tenth of it.
    #expect(sorting < adding && undoing < adding, "\(adding), \(sorting), \(undoing)")
    if unsafe getenv("FERMATA_FIGURES") != nil {
      print("arrange", count, adding / 1e6, sorting / 1e6, undoing / 1e6)
    }
  }

  @Test("undoing a crop costs about what adding did, also with many that were asked for")
  func uncropping() {
    var queue = PlayQueue(seed: 1, shuffle: .songs)
    let adding = Cost.time(1) { _ = queue.append(Self.sources(20_000)) }
    _ = queue.start()
    _ = queue.skipToNext()
    _ = queue.insertNext(Self.sources(5_000))
    _ = queue.goBack()
    let order = queue.upcoming(30_000)
    _ = queue.crop()
    let undoing = Cost.time(1) { _ = queue.undo() }
    #expect(queue.upcoming(30_000) == order)
    #expect(undoing < 4 * adding, "\(adding / 1e6) and \(undoing / 1e6) ms")
  }

  /// Nanoseconds of a call, the best of some rounds.
  private struct Cost {
    var edit = Double.infinity
    var next = Double.infinity

    init(_ count: Int, _ shuffle: ShuffleMode) {
      var queue = PlayQueue(seed: 1, shuffle: shuffle)
      _ = queue.append(QueueFiguresTests.sources(count))
      _ = queue.start()
      let one = QueueFiguresTests.sources(1)
      var chance = SeededGenerator(seed: 1)
      for _ in 0..<8 {
        edit = min(
          edit,
          Self.time(200) {
            let position = Int.random(in: 0..<queue.count, using: &chance)
            _ = queue.insert(one, at: position)
            _ = queue.remove(at: RangeSet(position..<position + 1))
          })
        next = min(next, Self.time(100) { _ = queue.skipToNext() })
      }
    }

    /// The thread's own time, to which nobody else adds.
    static func time(_ count: Int, _ body: () -> Void) -> Double {
      let begun = now
      for _ in 0..<count { body() }
      return (now - begun) / Double(count)
    }

    private static var now: Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
  }
}
