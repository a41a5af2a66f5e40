// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import MediaModel
import PlaybackLogic
import SourceIO
import Testing

@Suite("Playlists as sources")
struct PlaylistTests {
  private let expand: Expanding
  private var folder: TemporaryDirectory { expand.folder }

  init() throws { expand = try Expanding() }

  @Test(
    "each format is read, with paths as seen from its folder",
    arguments: [
      ("l.m3u", "\u{feff}#EXTM3U\r\n#EXTINF:1,A\r\na b.mp3\r\n../x.mp3\r\n"),
      ("l.pls", "[playlist]\nFile2=../x.mp3\nFile1=a b.mp3\n"),
      (
        "l.xspf",
        "<playlist><trackList><track><location>a%20b.mp3</location></track>"
          + "<track><location>../x.mp3</location></track></trackList></playlist>"
      ),
      (
        "l.cue",
        "FILE \"a b.mp3\" MP3\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n"
          + "FILE \"../x.mp3\" MP3\nTRACK 02 AUDIO\nINDEX 01 00:00:00"
      ),
      ("named like no list", "#EXTM3U\na b.mp3\n../x.mp3"),
    ])
  func formats(_ name: String, _ text: String) throws {
    try folder.files("m/a b.mp3", "x.mp3")
    try folder.file("m/\(name)", text)
    let outcome = try expand("m/\(name)")
    #expect(outcome.names == ["m/a b.mp3", "x.mp3"])
    #expect(outcome.expansion.problems == [])
  }

  @Test(
    "names that another system spells otherwise are found: with other capitals, or with accents apart from their letters"
  )
  func spellings() throws {
    try folder.files("Bj\u{f6}rk/J\u{f3}ga.mp3", "Music/One.MP3", "Music/Two.mp3", "Music/two.mp3")
    try folder.file("l.m3u", "Bjo\u{308}rk/Jo\u{301}ga.mp3\nmusic/ONE.mp3\nmusic\\TWO.mp3\nMusic/three.mp3\n")
    let outcome = try expand("l.m3u")
    #expect(outcome.names == ["Bj\u{f6}rk/J\u{f3}ga.mp3", "Music/One.MP3", "Music/Two.mp3"])
    #expect(outcome.expansion.problems.count == 1)
  }

  @Test("a sound file is one, though a list stands in it")
  func sound() throws {
    try folder.file("odd.mp3", "#EXTM3U\nx.mp3")
    #expect(try expand("odd.mp3").names == ["odd.mp3"])
  }

  @Test(
    "URIs, folders, parts and other systems' spellings in a list play; the rest are problems that name it"
  )
  func lines() throws {
    try folder.files("m/a.mp3", "m/sub/b.mp3", "m/Bö.mp3", "m/100%.mp3")
    let list = try folder.file(
      "m/l.m3u",
      Array(
        """
        file://\(folder.location)/m/a.mp3
        sub
        sub\\b.mp3
        a%2Emp3
        100%.mp3
        gone.mp3
        http://radio/stream
        /dev/zero
        #EXTVLCOPT:start-time=1
        #EXTVLCOPT:stop-time=2
        a.mp3
        B
        """.utf8) + [0xf6] + Array(".mp3\n".utf8))
    let outcome = try expand("m/l.m3u")
    #expect(
      outcome.names == [
        "m/a.mp3", "m/sub/b.mp3", "m/sub/b.mp3", "m/a.mp3", "m/100%.mp3", "m/a.mp3", "m/Bö.mp3",
      ])
    #expect(outcome.spans[5] == CueSpan(start: 75, end: 150))
    #expect(outcome.subjects == ["m/gone.mp3", "http://radio/stream", "/dev/zero"])
    #expect(outcome.expansion.problems.allSatisfy { $0.playlist == list.text })
    #expect(outcome.expansion.problems[0].description.hasSuffix("named by \(list); check the name"))
  }

  @Test("a list of nothing that is there is nothing playable, not no such file")
  func gone() throws {
    try folder.file("l.m3u", "a.mp3\nb.mp3\n")
    try folder.file("empty.m3u", "#EXTM3U\n")
    try folder.file("bad.xspf", "no XML")
    #expect(expand.error("l.m3u")?.reason == .nothingPlayable)
    #expect(expand.error("empty.m3u")?.reason == .nothingPlayable)
    #expect(expand.error("empty.m3u")?.problems.map(\.kind) == [.empty])
    #expect(expand.error("bad.xspf")?.reason == .nothingPlayable)
  }

  @Test("lists within lists stand where they are named, and those inside themselves are left out")
  func nesting() throws {
    try folder.files("1.mp3", "2.mp3", "3.mp3", "4.mp3")
    try folder.file("a.m3u", "1.mp3\nb.m3u\n4.mp3\nb.m3u\n")
    try folder.file("b.m3u", "2.mp3\n./a.m3u\nb.m3u\nlink.m3u\n3.mp3")
    try folder.link("link.m3u", to: "a.m3u")
    let outcome = try expand("a.m3u")
    #expect(outcome.names == ["1", "2", "3", "4", "2", "3"].map { $0 + ".mp3" })
    #expect(outcome.subjects.prefix(3) == ["a.m3u", "b.m3u", "link.m3u"])
    #expect(Set(outcome.kinds) == [.loop])
  }

  @Test("a chain without end stops at the limit, and lists that double stop at theirs")
  func runaway() throws {
    for depth in 0..<30 { try folder.file("\(depth).m3u", "a.mp3\n\(depth + 1).m3u\n\(depth + 1).m3u\n") }
    try folder.file("a.mp3")
    var expand = expand
    let outcome = try expand("0.m3u")
    #expect(outcome.names.count == (1 << expand.expander.limits.playlistDepth) - 1)
    #expect(Set(outcome.kinds) == [.tooDeep(expand.expander.limits.playlistDepth)])
    expand.expander.limits.playlistDepth = 40
    expand.expander.limits.entries = 500
    #expect(try expand("0.m3u").names.count == 500)
    #expect(try expand("0.m3u").kinds.last == .tooMany(500))
    for depth in 0..<30 { try folder.file("\(depth).m3u", "\(depth + 1).m3u\n\(depth + 1).m3u\n") }
    try folder.file("30.m3u", "gone.mp3")
    expand.expander.limits.steps = 10_000
    #expect(expand.error("0.m3u")?.problems.last?.kind == .tooLong(10_000))
  }

  @Test("more bytes than a list has are refused unread")
  func large() throws {
    try folder.file("l.m3u", String(repeating: "#", count: 1_001))
    var expand = expand
    expand.expander.limits.playlistBytes = 1_000
    #expect(expand.error("l.m3u")?.problems.map(\.kind) == [.tooLarge(1_000)])
    try folder.file("l.m3u", "a.mp3\n" + String(repeating: "#", count: 994))
    try folder.file("a.mp3")
    #expect(try expand("l.m3u").names == ["a.mp3"])
  }

  @Test("a playlist that is a pipe is never opened")
  func pipe() throws {
    try folder.pipe("l.m3u")
    #expect(expand.error("l.m3u")?.problems.map(\.kind) == [.notAFile("a pipe")])
  }
}
