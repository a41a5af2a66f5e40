// SPDX-License-Identifier: MIT
@testable import PlaybackLogic
import Testing

/// States and journals as they were written before entries kept the mark of "play next", lists a mode of their own, and undo the place
/// in the track.
@Suite("Stored queues of before")
struct OldStateTests {
  struct Old: Sendable {
    let shuffle: ShuffleMode
    let state: String
    let journal: String
    let rows: String
    let coming: String
  }

  private static let stored = [
    Old(
      shuffle: .off,
      state: """
        08020001611200016d0200016e1101026232020000000000000002010263320200000000000000040001780400017a050001\
        640001000002010201020b0007000000000000000001000000050101010004000101010103000100010c0001790102010000\
        01020102030001010101020000
        """,
      journal: """
        000400016101026232020000000000000001026332020000000000000000016400 10 010300017800017900017a 0201020\
        1 03030201 210100 02010001 05 0402000175000176 05 1401 010200016d00016e
        """,
      rows: "a m n b2 c2 x z d", coming: "m n b2 c2 x z d"),
    Old(
      shuffle: .songs,
      state: """
        08020001611200016d0200016e090001790200017a0901026232020000000000000006000178010001640108060001020304\
        07050300010001000002010201050b035bf029fde5e6dd780001010001050101010004000101010303000100010601026332\
        020000000000000001020101020101000301020102030001010101020000
        """,
      journal: """
        000400016101026232020000000000000001026332020000000000000000016400 10 010300017800017900017a 0201020\
        1 03030201 210101 02010001 05 0402000175000176 05 1401 010200016d00016e
        """,
      rows: "a m n y z b2 x d", coming: "m n y z d b2"),
  ]

  @Test("they are read as they were, and what was to play next still is", arguments: stored)
  func state(old: Old) throws {
    let bytes = Self.bytes(old.state)
    let state = try #require(QueueState(encoded: bytes))
    #expect(state.encoded == bytes, "what has nothing new in it is written as it was")
    var queue = PlayQueue(resuming: state)
    #expect(queue.names == old.rows && queue.name(queue.current) == "a" && queue.coming == old.coming)
    #expect(queue.shuffleMode == old.shuffle && state.modes.listShuffle == nil)
    _ = queue.insertNext(sources("o"))
    #expect(queue.coming.hasPrefix("m n o "))
    while queue.undo() != nil {}
    #expect(queue.isEmpty)
    while queue.redo() != nil {}
    #expect(queue.names.contains("m n o"))
  }

  @Test("their journals are done again", arguments: stored)
  func journal(old: Old) throws {
    var queue = PlayQueue(seed: 7, shuffle: old.shuffle)
    for word in old.journal.split(separator: " ") {
      let bytes = Self.bytes(String(word))
      let command = try #require(QueueCommand(encoded: bytes), "\(word)")
      #expect(command.encoded == bytes)
      let wasDone = queue.replay(command)
      #expect(wasDone, "\(command)")
    }
    #expect(Set(queue.names) == Set(old.rows) && queue.name(queue.current) == "a")
    #expect(queue.coming.contains("m n "))
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    stride(from: 0, to: hex.utf8.count, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
  }
}
