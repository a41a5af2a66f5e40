// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import MediaModel
import PlaybackLogic
import SourceIO
import Testing

@Suite("Folders")
struct FolderTests {
  private let expand: Expanding
  private var folder: TemporaryDirectory { expand.folder }

  init() throws { expand = try Expanding() }

  @Test("files come in natural order, then the folders in theirs")
  func order() throws {
    try folder.files(
      "m/10.mp3", "m/9.flac", "m/b.ogg", "m/A.opus", "m/CD10/1.mp3", "m/CD2/1.mp3", "m/CD1/2.mp3",
      "m/CD1/1.mp3",
      "m/0 bonus/x.wav")
    let outcome = try expand("m")
    #expect(
      outcome.names == [
        "m/9.flac", "m/10.mp3", "m/A.opus", "m/b.ogg", "m/0 bonus/x.wav", "m/CD1/1.mp3", "m/CD1/2.mp3",
        "m/CD2/1.mp3", "m/CD10/1.mp3",
      ])
    #expect(outcome.expansion.problems == [])
  }

  @Test("what is hidden, and what no player plays, is passed over without a word")
  func passedOver() throws {
    try folder.files(
      "m/.hidden.mp3", "m/.git/x.mp3", "m/cover.jpg", "m/read me.txt", "m/a.log", "m/noextension",
      "m/list.m3u",
      "m/A.MP3")
    let outcome = try expand("m")
    #expect(outcome.names == ["m/A.MP3"])
    #expect(outcome.expansion.problems == [])
  }

  @Test("files that are not played are counted by what they are, and what nobody listens to is not")
  func unplayed() throws {
    for (name, text) in [
      ("m/a.ofr", ""), ("m/d/b.ofr", ""), ("m/c.mp4", ""), ("m/d.tak", ""), ("m/e.shn", ""),
      ("m/f.xyz", "\0\u{1}\u{2}"), ("m/g.part2", "fLaC and so on"),
      ("m/README", "read me\n"),
      ("m/cover", "\u{89}PNG"), ("m/cover.jpg", "\0\0"), ("m/list.m3u", "a.ofr"), ("m/.h.tak", ""),
      ("m/x.log", "\0"),
      ("m/ok.mp3", ""),
    ] { _ = try folder.write(name, text.unicodeScalars.map { UInt8($0.value) }) }
    let expansion = try expand("m").expansion
    #expect(expansion.entries.count == 1 && expansion.problems == [])
    #expect(
      expansion.unplayed.message
        == "left out 7: OptimFROG (2), FLAC named .part2, Shorten, TAK, a file of an unknown kind are not played; "
        + "MPEG-4 video is played only where the file itself is named"
    )
    #expect(try expand("m/ok.mp3").expansion.unplayed.message == nil)
    for name in ["n/ok.mp3", "n/a.xyz", "n/b.xyz"] { _ = try folder.write(name, [0, 1, 2]) }
    #expect(
      try expand("n").expansion.unplayed.message == "left out 2: 2 files of unknown kinds are not played")
  }

  @Test("a folder of nothing that is played says what is in it, and is not told twice")
  func onlyUnplayed() throws {
    try folder.files("m/a.ofr", "ok/a.mp3", "ok/b.tak")
    #expect(expand.error("m")?.problems.map(\.reason) == ["nothing in it plays: OptimFROG is not played"])
    let expansion = try expand("m", "ok").expansion
    #expect(expansion.problems.count == 1)
    #expect(expansion.unplayed.message == "left out 1: TAK is not played")
  }

  @Test("after so many looks, the names alone decide")
  func looks() throws {
    let names = (0..<4).map { "m/\($0).part2" }
    for name in names { _ = try folder.write(name, "fLaC and so on") }
    try folder.files("m/b.ofr")
    try folder.files("m/a.mp3")
    var expand = expand
    expand.expander.limits.looks = 3
    #expect(
      try expand("m").expansion.unplayed.message
        == "left out 4: FLAC named .part2 (3), OptimFROG are not played")
  }

  @Test("what is named is taken, hidden or not, whatever its name")
  func named() throws {
    try folder.files(".hidden/.x.mp3", ".hidden/b.mp3", "noextension", "odd.name")
    #expect(
      try expand(".hidden/.x.mp3", "noextension", "odd.name", ".hidden").names == [
        ".hidden/.x.mp3", "noextension", "odd.name", ".hidden/b.mp3",
      ])
  }

  @Test("the same name twice is twice in the queue")
  func twice() throws {
    try folder.files("m/a.mp3")
    #expect(try expand("m", "m/a.mp3", "m").names == ["m/a.mp3", "m/a.mp3", "m/a.mp3"])
  }

  @Test("links are followed, and those that lead round in a circle once")
  func links() throws {
    try folder.files("m/a.mp3", "m/sub/b.mp3", "else/c.mp3", "else/deep/d.mp3")
    try folder.link("m/sub/up", to: "..")
    try folder.link("m/self", to: ".")
    try folder.link("m/other", to: "../else")
    try folder.link("m/again", to: "../else")
    try folder.link("m/song.mp3", to: "../else/c.mp3")
    try folder.link("else/deep/back", to: "../../m")
    let outcome = try expand("m")
    #expect(outcome.names == ["m/a.mp3", "m/song.mp3", "m/again/c.mp3", "m/again/deep/d.mp3", "m/sub/b.mp3"])
    #expect(outcome.expansion.problems == [])
  }

  @Test("links that double in each folder cost no more than the folders there are")
  func doubling() throws {
    for depth in 0..<40 {
      try folder.makeFolder("d\(depth)")
      for name in ["x", "y"] { try folder.link("d\(depth)/\(name)", to: "../d\(depth + 1)") }
    }
    try folder.file("d40/a.mp3")
    var expand = expand
    expand.expander.limits.steps = 1_000
    let outcome = try expand("d0")
    #expect(outcome.names.count == 1)
    #expect(outcome.expansion.problems == [])
  }

  @Test("what can't be read is a problem beside what can")
  func unreadable() throws {
    try folder.files("m/a.mp3", "m/z.mp3")
    try folder.link("m/loop.mp3", to: "loop.mp3")
    try folder.link("m/gone.mp3", to: "nowhere")
    try folder.link("m/gone.txt", to: "nowhere")
    try folder.pipe("m/pipe.mp3")
    try folder.pipe("m/pipe")
    try folder.link("m/zero.wav", to: "/dev/zero")
    let outcome = try expand("m")
    #expect(outcome.names == ["m/a.mp3", "m/z.mp3"])
    #expect(Set(outcome.subjects) == ["m/loop.mp3", "m/gone.mp3", "m/pipe.mp3", "m/zero.wav"])
    #expect(
      Set(outcome.kinds) == [.unreadable(ELOOP), .missing, .notAFile("a pipe"), .notAFile("a device")])
  }

  @Test(
    "a folder that may not be read is a problem, not the end",
    .enabled(if: geteuid() != 0, "root may read all"))
  func forbidden() throws {
    try folder.files("m/a/1.mp3", "m/b/2.mp3")
    chmod(folder.at("m/a").text, 0)
    defer { chmod(folder.at("m/a").text, 0o700) }
    let outcome = try expand("m")
    #expect(outcome.names == ["m/b/2.mp3"])
    #expect(outcome.kinds == [.unreadable(EACCES)])
  }

  @Test("names that are not UTF-8 are found and given as URIs")
  func latin1() throws {
    try folder.makeFolder("m")
    try folder.file(named: Array("m/B".utf8) + [0xf6] + Array("%.mp3".utf8))
    #expect(try expand("m").expansion.entries.map(\.location) == ["file://\(folder.location)/m/B%F6%25.mp3"])
  }

  @Test("an album is its folder, and discs in folders of their own are one album")
  func albums() throws {
    try folder.files(
      "m/a/CD1/1.mp3", "m/a/Disc 2/1.mp3", "m/a/disk_03/1.mp3", "m/a/bonus.mp3", "m/b/1.mp3", "m/a/cdx/1.mp3")
    let entries = try expand("m").expansion.entries
    let albums = Dictionary(grouping: entries, by: \.album).mapValues(\.count)
    #expect(albums.values.sorted() == [1, 1, 4])
    #expect(albums[.unknown] == nil)
    #expect(try expand("m/b/1.mp3").expansion.entries[0].album == entries.last?.album)
  }

  @Test("small folders of one album are ordered by disc and track, others by name")
  func tags() throws {
    try folder.files("m/a.mp3", "m/b.mp3", "m/c.mp3", "m/d.mp3")
    var expand = expand
    func names(_ tags: [String: (disc: Int?, track: Int?, album: String)], limit: Int = 10) throws -> [String]
    {
      expand.expander.limits.taggedFiles = limit
      expand.expander.placesOf = { files in
        files.map { file in
          tags[file.stem].map { TrackPlace(album: $0.album, disc: $0.disc, track: $0.track) }
        }
      }
      return try expand("m").names.map { String($0.dropFirst(2).prefix(1)) }
    }
    let album: [String: (disc: Int?, track: Int?, album: String)] = [
      "a": (2, 1, "A"), "b": (1, 2, "A"), "c": (nil, 1, "A"), "d": (1, 2, "A"),
    ]
    #expect(try names(album) == ["c", "b", "d", "a"])
    #expect(try names(album, limit: 3) == ["a", "b", "c", "d"])
    #expect(try names(album.merging(["d": (1, nil, "A")]) { $1 }) == ["a", "b", "c", "d"])
    #expect(try names(album.merging(["d": (1, 2, "B")]) { $1 }) == ["a", "b", "c", "d"])
    #expect(try names(album.filter { $0.key != "d" }) == ["a", "b", "c", "d"])
    // Two discs of which only the names tell which is which.
    let unnumbered: [String: (disc: Int?, track: Int?, album: String)] = [
      "a": (nil, 1, "A"), "b": (nil, 2, "A"), "c": (nil, 1, "A"), "d": (nil, 2, "A"),
    ]
    #expect(try names(unnumbered) == ["a", "b", "c", "d"])
  }
}
