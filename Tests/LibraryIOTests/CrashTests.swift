// SPDX-License-Identifier: MIT
import FermataTestKit
@testable import LibraryIO
import LibraryModel
import LibraryQuery
import ListeningModel
import MediaModel
import SQLiteIO
import Testing

@Suite("A library whose process ends at any instant")
struct CrashTests {
  @Test("killed 30 times, it has every acknowledged batch whole, no other in part, and agrees with itself")
  func kills() throws {
    let shelf = try Shelf()
    shelf.close()
    var acknowledged = 0
    for round in 0..<30 {
      let probe = try Child(
        Program.beside("LibraryIOProbe"), [shelf.folder.path("data"), "\(round)"], isInteractive: true)
      for _ in 0..<Int.random(in: 0..<6) {
        #expect(try probe.nextLine(until: .patient).isEmpty)
        acknowledged += 1
      }
      for turn in 0..<Int.random(in: 0..<200_000) { withExtendedLifetime(turn) {} }
      probe.kill()
      try shelf.reopen()
      let store = try shelf.open
      try store.database.check()
      let tracks = try store.counts().tracks
      try #require(
        shelf.damage.isEmpty && tracks.isMultiple(of: 50) && tracks >= acknowledged * 50, "round \(round)")
      #expect(try store.knownFiles(below: "/m").count == tracks)
      #expect(try store.page(of: ItemQuery(search: "song", limit: 1), at: shelf.time).total == tracks)
      let artists = try store.collections(of: ItemQuery(), by: .artist, at: shelf.time).collections
      #expect(artists.map(\.count).reduce(0, +) == tracks)
      let heard = try store.page(of: ItemQuery(try Predicate("playCount == 1"), limit: 1), at: shelf.time)
        .total
      var entries = 0
      try store.exportListening { entries += $0.listening.playCount }
      try #require(heard >= acknowledged && heard == entries && heard <= tracks / 50, "round \(round)")
      // What the killed process stored beyond its last word is there from now on.
      acknowledged = heard
      shelf.close()
    }
    #expect(acknowledged > 10)
  }
}

@Suite("The texts for the search")
struct SearchTableTests {
  @Test("of 100,000 items each prefix of a search finds those that a plain search finds")
  func prefixes() throws {
    let folder = try TemporaryDirectory()
    let database = try Database(folder.path("texts.db"))
    try database.run("CREATE TABLE search (block INTEGER PRIMARY KEY, bytes BLOB NOT NULL)")
    let table = try SearchTable(database)
    var random = SeededGenerator(seed: 8)
    let syllables = ["ka", "lo", "mi", "ra", "the", "love", "night", "day", "su"].map { Array($0.utf8) }
    var texts: [(id: Int64, text: [UInt8])] = []
    // Some numbers are missing, as after a purge.
    for id in Int64(1)...100_000 where id % 97 != 0 {
      let text = (0..<6).flatMap { _ in
        syllables[Int(random.next() % 9)] + (random.next() % 3 == 0 ? [0x20] : [])
      }
      texts.append((id, text + [0x0a]))
      table.set(id, text + [0x0a])
    }
    try database.transaction { () throws(StoreError) in try table.flush() }
    for typed in ["lovenight su", "zz"] {
      var left = texts
      var last: FoundSet?
      for length in 1...typed.utf8.count {
        let words = TextFolding.words(String(typed.prefix(length))).map { Array($0.utf8) }
        // Whatever a longer text finds, the shorter one found, too.
        left = left.filter { text in words.allSatisfy { Self.contains(text.text, $0) } }
        let found = try table.find(words, isInterrupted: nil)
        try #require(found.ids == left.map(\.id), "\(typed.prefix(length))")
        #expect(found.count == left.count)
        let among = try table.find(words, among: last, isInterrupted: nil)
        #expect(among.ids == found.ids, "\(typed.prefix(length)) among what was found before")
        last = found
      }
    }
  }

  private static func contains(_ text: [UInt8], _ word: [UInt8]) -> Bool {
    guard let first = word.first else { return true }
    return text.indices.contains { text[$0] == first && text[$0...].starts(with: word) }
  }

  @Test(
    "a damaged row is made again from the items when it is written to or searched, and that is told once",
    arguments: [true, false])
  func mending(bySearch: Bool) throws {
    let shelf = try Shelf()
    for number in 0..<600 {
      _ = try shelf.add(number, try #require(FilePath("/m/\(number).mp3"))) { $0.title = "Song \(number)" }
    }
    let hidden = try #require(try shelf.open.knownFiles(below: "/m").first { $0.stamp.size == 3 }?.id)
    try shelf.apply(.hide(hidden))
    shelf.close()
    try Database(shelf.folder.path("data/library.db")).run("UPDATE search SET bytes = x'ffff00'")
    let told = Told()
    let store = try LibraryStore.open(in: shelf.folder.path("data")) { told.lines.append($0) }.store
    func found(_ words: String) throws -> Int {
      try store.page(of: ItemQuery(search: words, limit: 1), at: shelf.time).total
    }
    if !bySearch {
      let change = FileChange.add("/m/new.mp3", Shelf.stamp(900), Shelf.record(900) { $0.title = "Song new" })
      #expect(try store.apply([change], at: 1).added.count == 1)
    }
    #expect(try found("song") == (bySearch ? 599 : 600) && found("song 599") == 1 && found("song 3") == 194)
    #expect(told.lines.count == 1 && told.lines.first?.contains("made again") == true)
  }

  private final class Told { var lines: [String] = [] }

  @Test("a row that is not as it was written is an error or finds too little, and never traps")
  func damage() throws {
    let good = SearchTable.encode([
      3: Array("one\n".utf8), 9: Array("two three\n".utf8), 511: Array("one two\n".utf8),
    ])
    #expect(SearchTable.texts(of: good)?.count == 3)
    let folder = try TemporaryDirectory()
    let database = try Database(folder.path("texts.db"))
    try database.run(
      "PRAGMA synchronous = OFF; CREATE TABLE search (block INTEGER PRIMARY KEY, bytes BLOB NOT NULL)")
    let table = try SearchTable(database)
    let write = try database.prepare("REPLACE INTO search VALUES (0, ?1)")
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var all = FoundSet()
    for id in Int64(0)..<512 { all.insert(id) }
    for _ in 0..<1_000 {
      var bytes = good
      for _ in 0...2 {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      bytes.removeLast(Int(random.next() % UInt64(bytes.count)))
      _ = SearchTable.texts(of: bytes)
      try write.bind(bytes)
      try write.run()
      for among in [nil, all] {
        if let found = try? table.find([Array("o".utf8), Array("t".utf8)], among: among, isInterrupted: nil) {
          #expect(found.count <= 65_536, "seed \(seed)")
        }
      }
    }
  }
}
