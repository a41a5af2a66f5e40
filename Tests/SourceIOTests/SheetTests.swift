// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import MediaModel
import PlaybackLogic
import PlaylistModel
import SourceIO
import Testing

@Suite("CUE sheets")
struct SheetTests {
  private let expand: Expanding
  private var folder: TemporaryDirectory { expand.folder }

  init() throws { expand = try Expanding() }

  private func sheet(_ file: String, tracks: Int = 2, title: String = "T") -> String {
    "TITLE \"\(title)\"\nFILE \"\(file)\" WAVE\n"
      + (0..<tracks).map { "  TRACK 0\($0 + 1) AUDIO\n    INDEX 01 0\($0):00:00\n" }.joined()
  }

  private let two = [CueSpan(start: 0, end: 4_500), CueSpan(start: 4_500)]

  @Test("a sheet cuts its file into tracks that meet without a gap")
  func cut() throws {
    try folder.file("m/disc.flac")
    try folder.file("m/disc.cue", sheet("disc.flac", tracks: 3))
    let outcome = try expand("m/disc.cue")
    #expect(outcome.names == Array(repeating: "m/disc.flac", count: 3))
    #expect(
      outcome.spans == [
        CueSpan(start: 0, end: 4_500), CueSpan(start: 4_500, end: 9_000), CueSpan(start: 9_000),
      ])
    #expect(Set(outcome.expansion.entries.map(\.album)).count == 1)
    #expect(outcome.expansion.problems == [])
  }

  @Test(
    "a file that a sheet nearly names is found",
    arguments: [
      ("Disc One.WAV", "disc one.wav"), ("disc.wav", "DISC.flac"), ("D:\\rips\\disc.wav", "disc.mp3"),
      ("SUB/Disc.wav", "sub/disc.flac"), ("B\u{f6}.wav", "bö.flac"),
    ])
  func nearly(_ written: String, _ file: String) throws {
    try folder.file("m/\(file)")
    try folder.makeFolder("m/SUB")
    try folder.link("m/SUB/disc.flac", to: "../\(file)")
    let path = try folder.file("m/l.cue", sheet(written).unicodeScalars.map { UInt8($0.value) })
    let outcome = try expand(path.text)
    #expect(outcome.names.map { $0.lowercased() } == Array(repeating: "m/\(file)".lowercased(), count: 2))
    #expect(outcome.spans == two)
    if written.hasPrefix("D:") {
      let spans = try expand("m").spans
      #expect(two.allSatisfy(spans.contains), "in the folder too: \(spans)")
    }
  }

  /// A text of Cyrillic letters as Windows wrote it, CP1251.
  private func windows(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { scalar in
      (0x410...0x44f).contains(scalar.value) ? UInt8(scalar.value - 0x410 + 0xc0) : UInt8(scalar.value)
    }
  }

  @Test("names and titles in the character set that the user has chosen are found")
  func charset() throws {
    let file = try folder.file("m/Диск.flac")
    let text = sheet("Диск.wav").split(separator: "\n").map { $0 + "\n" }
    let titled = text[0...2] + ["    TITLE \"Раз\"\n"] + text[3...]
    try folder.file("m/d.cue", windows(titled.joined()))
    var expand = expand
    #expect(try expand("m").spans == [nil], "nobody knows what the sheet names")
    expand.expander.charset = "CP1251"
    for name in ["m", "m/d.cue"] {
      let outcome = try expand(name)
      #expect(outcome.names == ["m/Диск.flac", "m/Диск.flac"] && outcome.spans == two, "\(name)")
    }
    let (titles, first) = (SheetTitles(), try #require(two[0]))
    #expect(titles.entry(of: file, first) == nil)
    titles.charset = "CP1251"
    #expect(titles.entry(of: file, first)?.title == "Раз")

    // Of a list the names count as they are, and as they are meant.
    try folder.file("l/Песня.mp3")
    try folder.file(named: Array("l/".utf8) + windows("Песня два.mp3"))
    try folder.file("l/l.m3u", windows("Песня.mp3\nПесня два.mp3\n"))
    #expect(try expand("l/l.m3u").expansion.entries.count == 2)
    expand.expander.charset = nil
    #expect(try expand("l/l.m3u").expansion.entries.count == 1)
  }

  @Test("a part of a file is called what the sheet beside it calls it")
  func titles() throws {
    let file = try folder.file("m/disc.flac")
    try folder.file("m/a.cue", sheet("other.flac"))
    try folder.file(
      "m/b.cue",
      """
      TITLE "Disc"
      FILE "DISC.wav" WAVE
        TRACK 01 AUDIO
          TITLE "First"
          PERFORMER "Somebody"
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          TITLE "Second"
          INDEX 01 01:00:00
      """)
    let entries = try expand("m/b.cue").expansion.entries
    let titles = SheetTitles()
    let told = entries.compactMap(\.span).map { titles.entry(of: file, $0) }
    #expect(told.map { $0?.title } == ["First", "Second"])
    #expect(told.first??.performer == "Somebody")
    #expect(told.map { $0?.album } == ["Disc", "Disc"])
    let other = try #require(CueSpan(start: 75))
    #expect(titles.entry(of: file, other) == nil)
    #expect(titles.entry(of: folder.at("none/disc.flac"), other) == nil)
  }

  @Test("a whole file is called what the sheet beside it calls it, whatever its name")
  func wholeFiles() throws {
    let names = ["01. First.flac", "02", "03. Third"]
    try folder.files("m/" + names[0], "m/" + names[1], "m/" + names[2], "m/disc.flac")
    let written = ["01. First", "02", "03. Third"]
    let tracks = written.enumerated().map { number, name in
      "FILE \"\(name)\" WAVE\n  TRACK 0\(number + 1) AUDIO\n    TITLE \"T\(number + 1)\"\n    INDEX 01 00:00:00\n"
    }
    try folder.file("m/l.cue", "PERFORMER \"P\"\nTITLE \"Disc\"\n" + tracks.joined())
    try folder.file("m/z.cue", sheet("disc.flac"))
    let outcome = try expand("m/l.cue")
    #expect(outcome.names == names.map { "m/" + $0 })
    #expect(outcome.spans == [nil, nil, nil])
    let titles = SheetTitles()
    let told = names.map { titles.entry(ofWhole: folder.at("m/" + $0)) }
    #expect(told.map { $0?.title } == ["T1", "T2", "T3"])
    #expect(told.map { $0?.track } == [1, 2, 3])
    #expect(told.allSatisfy { $0?.album == "Disc" && $0?.performer == "P" })
    #expect(titles.entry(ofWhole: folder.at("m/disc.flac")) == nil)
  }

  @Test("of several formats beside each other the one that loses least is taken")
  func best() throws {
    try folder.files("disc.mp3", "disc.ogg", "disc.flac", "disc.txt")
    try folder.file("l.cue", sheet("disc.wav"))
    #expect(try expand("l.cue").names == ["disc.flac", "disc.flac"])
  }

  @Test("a file that isn't there is one problem, not one a track")
  func gone() throws {
    try folder.file("l.cue", sheet("gone.wav", tracks: 9))
    try folder.pipe("pipe.wav")
    try folder.file("p.cue", sheet("pipe.wav"))
    try folder.file("f.cue", sheet("."))
    #expect(expand.error("l.cue")?.problems.map(\.kind) == [.missing])
    #expect(expand.error("p.cue")?.problems.map(\.kind) == [.notAFile("a pipe")])
    #expect(expand.error("f.cue")?.problems.map(\.kind) == [.notAFile("a folder")])
  }

  @Test("in a folder, a sheet cuts the file beside it where that stands in the order")
  func inFolder() throws {
    try folder.files("m/1.mp3", "m/2.flac", "m/3.mp3")
    try folder.file("m/2.cue", sheet("2.wav"))
    try folder.file("m/2b.cue", sheet("2.flac", tracks: 9))
    let outcome = try expand("m")
    #expect(outcome.names == ["m/1.mp3", "m/2.flac", "m/2.flac", "m/3.mp3"])
    #expect(outcome.spans == [nil] + two + [nil])
    #expect(outcome.expansion.problems == [])
  }

  @Test(
    "in a folder, sheets that cut nothing, or something elsewhere, change nothing",
    arguments: [
      "", "no sheet", "FILE \"1.mp3\" MP3\nTRACK 01 AUDIO\nINDEX 01 00:00:00",
      "FILE \"1.mp3\" MP3\nTRACK 01 AUDIO\nINDEX 01 00:00:32",
      "FILE \"gone.mp3\" MP3\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 01:00:00",
      "FILE \"../2.mp3\" MP3\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 01:00:00",
    ])
  func noCut(_ text: String) throws {
    try folder.files("m/1.mp3", "m/2.mp3", "2.mp3")
    try folder.file("m/l.cue", text)
    let outcome = try expand("m")
    #expect(outcome.names == ["m/1.mp3", "m/2.mp3"])
    #expect(outcome.spans == [nil, nil])
    #expect(outcome.expansion.problems == [])
  }

  @Test("in a folder, a sheet larger than any is passed over")
  func largeSheet() throws {
    try folder.file("m/1.flac")
    try folder.file("m/1.cue", sheet("1.flac"))
    var expand = expand
    expand.expander.limits.sheetBytes = sheet("1.flac").utf8.count
    #expect(try expand("m").names.count == 2)
    expand.expander.limits.sheetBytes -= 1
    #expect(try expand("m").names.count == 1)
  }

  @Test("two sheets in one folder are two albums")
  func albums() throws {
    try folder.files("m/1.flac", "m/2.flac")
    try folder.file("m/1.cue", sheet("1.flac", title: "One"))
    try folder.file("m/2.cue", sheet("2.flac", title: "Two"))
    let entries = try expand("m").expansion.entries
    #expect(entries.count == 4)
    #expect(entries[0].album == entries[1].album)
    #expect(entries[1].album != entries[2].album)
    #expect(try expand("m/1.cue").expansion.entries[1].album == entries[0].album)
  }
}
