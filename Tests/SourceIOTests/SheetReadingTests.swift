// SPDX-License-Identifier: MIT
import FermataTestKit
import FileIO
import Glibc
import MediaModel
import PlaybackLogic
import PlaylistModel
@testable import SourceIO
import Testing

@Suite("How often sheets are read for their titles")
struct SheetReadingTests {
  private let folder: TemporaryDirectory
  private let count = Counter()
  private let titles: SheetTitles

  init() throws {
    folder = try TemporaryDirectory()
    titles = SheetTitles { [count] sheet in
      count.increase()
      return try? sheet.openFile().head(1 << 21)
    }
  }

  private static let tracks = 99

  private static func sheet(_ file: String, _ word: String) -> String {
    "FILE \"\(file)\" WAVE\n"
      + (1...tracks).map { "TRACK \($0) AUDIO\nTITLE \"\(word) \($0)\"\nINDEX 01 \($0):00:00\n" }.joined()
  }

  /// The titles of all tracks of a file, each asked for by itself.
  private func all(of file: FilePath) throws -> [String?] {
    try (1...Self.tracks).map {
      titles.entry(of: file, try #require(CueSpan(start: UInt32($0) * 60 * 75)))?.title
    }
  }

  private static func titles(_ word: String) -> [String?] { (1...tracks).map { "\(word) \($0)" } }

  @Test("a sheet of 99 tracks once, and again when it is another or stands in another's place")
  func once() throws {
    let file = try folder.file("m/disc.flac")
    try folder.file("m/disc.cue", Self.sheet("disc.flac", "One"))
    #expect(try all(of: file) == Self.titles("One"))
    #expect(try all(of: file) == Self.titles("One"))
    #expect(count.count == 1)
    // Longer, in the same file.
    try folder.file("m/disc.cue", Self.sheet("disc.flac", "Three"))
    #expect(try all(of: file) == Self.titles("Three"))
    #expect(count.count == 2)
    // As long and as old, by another name before.
    let new = try folder.file("m/new", Self.sheet("disc.flac", "Seven"))
    #expect(rename(new.text, folder.path("m/disc.cue")) == 0)
    #expect(try all(of: file) == Self.titles("Seven"))
    #expect(count.count == 3)
    #expect(unlink(folder.path("m/disc.cue")) == 0)
    #expect(try all(of: file) == Array(repeating: nil, count: Self.tracks))
  }

  @Test("each of several sheets of a folder once, also one that says nothing")
  func several() throws {
    let (a, b) = (try folder.file("a.flac"), try folder.file("b.flac"))
    try folder.file("0.cue", "nothing")
    try folder.file("1.cue", Self.sheet("a.wav", "A"))
    try folder.file("2.cue", Self.sheet("b.wav", "B"))
    #expect(try all(of: a) == Self.titles("A"))
    #expect(try all(of: b) == Self.titles("B"))
    #expect(count.count == 3)
  }

  @Test("those beyond what is remembered are read each time, and say the same")
  func bound() throws {
    let file = try folder.file("z.flac")
    let line = "REM " + String(repeating: "x", count: 59) + "\n"
    let remark = String(repeating: line, count: SheetFolder.mostBytes / 2 / 64)
    for number in 1...3 { try folder.file("\(number).cue", remark + Self.sheet("y\(number).flac", "No")) }
    try folder.file("y1.flac")
    try folder.file("9.cue", Self.sheet("z.flac", "Z"))
    for _ in 1...4 { #expect(titles.entry(of: file, try #require(CueSpan(start: 60 * 75)))?.title == "Z 1") }
    // One of the three fits, and so does the short one.
    #expect(count.count == 4 + 3 * 2)
  }

  @Test("a folder of the same names in another place is another folder")
  func places() throws {
    for word in ["a", "b"] {
      try folder.file("\(word)/disc.flac")
      try folder.file("\(word)/disc.cue", Self.sheet("disc.flac", word))
    }
    for word in ["a", "b", "a"] { #expect(try all(of: folder.at("\(word)/disc.flac")) == Self.titles(word)) }
    #expect(count.count == 3)
  }
}
