// SPDX-License-Identifier: MIT
import FermataTestKit
import LibraryQuery
@testable import ListeningModel
import MediaModel
import Testing

@Suite("The file with what the listener said")
struct ListeningFileTests {
  private func entry(_ seed: UInt64) -> ListeningEntry {
    var random = SeededGenerator(seed: seed)
    let name = random.bytes(upTo: 30, of: Array(1...255))
    var entry = ListeningEntry(FilePath([UInt8(ascii: "/")] + name) ?? "/")
    if Bool.random(using: &random) {
      entry.fingerprint = AudioFingerprint(
        high: .random(in: 0 ... .max, using: &random), low: .random(in: 0 ... .max, using: &random))
    }
    entry.listening.rating = .random(in: 0...5, using: &random)
    entry.listening.playCount = .random(in: 0...3, using: &random)
    entry.listening.skipCount = .random(in: 0...3, using: &random)
    if Bool.random(using: &random) {
      entry.listening.lastPlayed = .random(in: 0...4_000_000_000, using: &random)
    }
    if Bool.random(using: &random) {
      entry.place = .milliseconds(Int.random(in: 0...9_999_999, using: &random))
    }
    let texts = ["k", "mood", "\"\\\n\u{1B}\u{2028}", "ä\u{1F3B5}"]
    for key in texts where Bool.random(using: &random) {
      entry.notes[key] = texts.randomElement(using: &random)
    }
    return entry
  }

  private func file(_ lines: [[UInt8]]) -> [UInt8] { ListeningFile.header(at: 0) + lines.flatMap { $0 } }

  @Test("what is written is read back", arguments: 0..<200)
  func roundTrip(seed: UInt64) throws {
    let playlist = try SmartPlaylist(
      "Ä \"x\"", expression: "artist == \"a\\\"b\" and year > 1990", sort: "-year,title", limit: 5)
    let entry = entry(seed)
    let bytes = file([ListeningFile.bytes(entry), ListeningFile.bytes(playlist)])
    #expect(bytes.allSatisfy { $0 == 0x0A || $0 >= 0x20 })
    let (lines, report) = try ListeningFile.read(bytes)
    #expect(lines == [.sound(entry), .playlist(playlist)] && report == ImportReport(), "seed \(seed)")
  }

  @Test("the text is as it is documented")
  func text() throws {
    var entry = ListeningEntry(
      "/m/a b.mp3", fingerprint: AudioFingerprint(high: 1, low: 0xFF), place: .milliseconds(77_500),
      notes: ["mood": "calm"])
    entry.listening.rating = 4
    entry.listening.playCount = 3
    entry.listening.lastPlayed = 86_400
    #expect(
      String(decoding: ListeningFile.bytes(entry), as: UTF8.self)
        == #"{"url":"file:///m/a%20b.mp3","sound":"000000000000000100000000000000ff","rating":4,"playCount":3,"lastPlayed":"1970-01-02T00:00:00Z","resume":77.5,"notes":{"mood":"calm"}}"#
        + "\n")
    #expect(
      String(decoding: ListeningFile.header(at: 0), as: UTF8.self)
        == #"{"fermata":"listening","version":1,"written":"1970-01-01T00:00:00Z"}"# + "\n")
  }

  @Test(
    "what is no such file is refused",
    arguments: ["", "\n", "{}", "[1]", #"{"fermata":"other","version":1}"#, #"{"fermata":"listening"}"#])
  func other(text: String) {
    #expect(throws: ListeningFile.Refusal.other) { try ListeningFile.read(Array(text.utf8)) }
  }

  @Test("one of a newer version is refused with that reason")
  func newer() {
    #expect(throws: ListeningFile.Refusal.newer(2)) {
      try ListeningFile.read(Array(#"{"fermata":"listening","version":2}"#.utf8))
    }
  }

  @Test("lines that can't be read are named, and the others are taken")
  func problems() throws {
    let bad = [
      "{", "7", #"{"url":"http://a/b"}"#, #"{"url":7}"#, #"{"url":"file:///a","sound":"12"}"#,
      #"{"playlist":"x","query":"year >"}"#, #"{"playlist":"x"}"#, #"{"playlist":"x","query":"","limit":0}"#,
      #"{"url":"file:///b","rating":99}"#, #"{"url":"file:///b","rating":"5"}"#,
      #"{"url":"file:///b","playCount":-1}"#, #"{"url":"file:///b","skipCount":1.5}"#,
      #"{"url":"file:///b","lastPlayed":"yesterday"}"#, #"{"url":"file:///b","resume":"1:02"}"#,
    ]
    let good = [
      #"{"url":"file:///a"}"#, #"{"something":"else"}"#, "", "  ", #"{"url":"file:///b","rating":5}"#,
    ]
    let (lines, report) = try ListeningFile.read(file((bad + good).map { Array(($0 + "\r\n").utf8) }))
    #expect(lines.count == 2 && report.unreadable == bad.count && report.problems.count == 5)
    #expect(report.problems.first?.hasPrefix("line 2: ") == true, "\(report.problems)")
    guard case .sound(let entry) = lines[1] else { return #expect(Bool(false), "no sound") }
    #expect(entry.listening.rating == 5)
  }

  @Test("no text makes it fail otherwise", arguments: 0..<2_000)
  func mutated(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bytes = file([ListeningFile.bytes(entry(seed)), ListeningFile.bytes(entry(seed + 1))])
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let index = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[index] = .random(in: 0...255, using: &random)
      case 1: bytes.remove(at: index)
      default: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 20)], at: index)
      }
    }
    _ = try? ListeningFile.read(bytes)
  }

  @Test("what no program could show or name again is refused, and its line is named")
  func unnameable() throws {
    let long = String(repeating: "n", count: 300)
    let lines = [
      #"{"url":"file:///a","notes":{"a\u0000b":"x"}}"#, #"{"url":"file:///a","notes":{"a":"x\u0000"}}"#,
      #"{"url":"file:///a","notes":{"\#(long)":"x"}}"#, #"{"playlist":"x\u0000y","query":"year > 1990"}"#,
      #"{"playlist":"\#(long)","query":"year > 1990"}"#, #"{"url":"file:///a","notes":{"a":"x"}}"#,
    ]
    let read = try ListeningFile.read(file(lines.map { Array(($0 + "\n").utf8) }))
    #expect(read.lines.count == 1 && read.report.unreadable == 5)
    #expect(read.report.problems.allSatisfy { $0.contains("a note has") || $0.contains("a playlist has") })
  }

  @Test("values are not nested without end")
  func deep() {
    let deep = String(repeating: "[", count: 100_000)
    let read = try? ListeningFile.read(file([Array(deep.utf8)]))
    #expect(read?.report.unreadable == 1)
  }
}

@Suite("Two words about one sound")
struct MergeTests {
  private func entry(
    _ rating: Int, _ plays: Int, last: Int64? = nil, place: Int? = nil, notes: [String: String] = [:]
  ) -> ListeningEntry {
    var entry = ListeningEntry("/a", place: place.map { .seconds($0) }, notes: notes)
    (entry.listening.rating, entry.listening.playCount, entry.listening.lastPlayed) = (rating, plays, last)
    return entry
  }

  @Test("both are kept where they add up, and ours counts where they differ, unless theirs is preferred")
  func table() {
    for (ours, theirs, merged, other, differences) in [
      (entry(0, 0), entry(3, 2, last: 9), entry(3, 2, last: 9), entry(3, 2, last: 9), 0),
      (entry(4, 5, last: 9), entry(0, 2, last: 3), entry(4, 5, last: 9), entry(4, 5, last: 9), 0),
      (entry(4, 0), entry(2, 0), entry(4, 0), entry(2, 0), 1),
      (
        entry(0, 0, notes: ["a": "1", "b": "2"]), entry(0, 0, notes: ["b": "3", "c": "4"]),
        entry(0, 0, notes: ["a": "1", "b": "2", "c": "4"]),
        entry(0, 0, notes: ["a": "1", "b": "3", "c": "4"]), 1
      ),
      // Heard to its end here since: the old place is of no use.
      (entry(0, 2, last: 9), entry(0, 1, last: 3, place: 70), entry(0, 2, last: 9), entry(0, 2, last: 9), 0),
      (
        entry(0, 1, last: 3, place: 70), entry(0, 2, last: 9), entry(0, 2, last: 9), entry(0, 2, last: 9), 0
      ),
      (entry(0, 0, place: 5), entry(0, 0, place: 7), entry(0, 0, place: 5), entry(0, 0, place: 7), 0),
      (entry(0, 0), entry(0, 0, place: 7), entry(0, 0, place: 7), entry(0, 0, place: 7), 0),
    ] as [(ListeningEntry, ListeningEntry, ListeningEntry, ListeningEntry, Int)] {
      var (first, second) = (ours, ours)
      #expect(first.merge(theirs) == differences && first == merged)
      #expect(second.merge(theirs, preferring: .theirs) == differences && second == other)
      // A second time changes nothing.
      var again = first
      _ = again.merge(theirs)
      #expect(again == first)
    }
  }
}
