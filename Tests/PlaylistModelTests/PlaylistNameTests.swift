// SPDX-License-Identifier: MIT
import FermataTestKit
import MediaModel
import PlaylistModel
import Testing

@Suite("The names of kept playlists")
struct PlaylistNameTests {
  @Test(
    "a name is its file's, but for what a file cannot be called",
    arguments: [
      ("Road trip", "Road trip.m3u8"), ("AC/DC", "AC%2FDC.m3u8"), ("..", "%2E..m3u8"),
      (".hidden", "%2Ehidden.m3u8"),
      ("a\nb\u{7F}", "a%0Ab%7F.m3u8"), ("\u{85}", "%C2%85.m3u8"), ("100%", "100%.m3u8"),
      ("100%25", "100%2525.m3u8"),
      ("Für Élise ♪", "Für Élise ♪.m3u8"), ("x.m3u8", "x.m3u8.m3u8"),
      ("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd.m3u8"),
    ])
  func names(name: String, file: String) throws {
    let path = try #require(PlaylistName.file(named: name))
    #expect(path.text == file)
    #expect(PlaylistName.name(of: path) == name)
  }

  @Test("any text comes back, and its file is one plain name", arguments: 0..<40 as Range<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pool = Array("%%25/.\n\0aé\u{9F}\u{A0}♪0F ".unicodeScalars).filter { $0.value > 0 }
    var name = String.UnicodeScalarView()
    for _ in 0...Int.random(in: 0..<30, using: &random) {
      name.append(pool.randomElement(using: &random) ?? "a")
    }
    let path = try #require(PlaylistName.file(named: String(name)))
    let bytes = path.bytes
    #expect(PlaylistName.name(of: path) == String(name), "seed \(seed)")
    #expect(
      !bytes.contains(UInt8(ascii: "/")) && bytes[0] != UInt8(ascii: ".") && bytes.allSatisfy { $0 >= 0x20 })
  }

  @Test("nothing, and what is too long, is no name")
  func bounds() {
    #expect(PlaylistName.file(named: "") == nil)
    #expect(PlaylistName.file(named: String(repeating: "é", count: 125))?.bytes.count == 255)
    #expect(PlaylistName.file(named: String(repeating: "é", count: 126)) == nil)
    #expect(PlaylistName.file(named: String(repeating: "/", count: 84)) == nil)
  }

  @Test(
    "what is hidden or of another kind is no playlist",
    arguments: [".a.m3u8", ".m3u8", "a.cue", "a.txt", "m3u8", "a.m3u8~", ".fermata-1.m3u8"] as [FilePath])
  func others(file: FilePath) { #expect(PlaylistName.name(of: file) == nil) }

  @Test("a name that others gave is shown as well as can be")
  func foreign() throws {
    #expect(PlaylistName.name(of: "/p/My%20List.M3U8") == "My List")
    #expect(["a.m3u", "a.PLS", "a.b.xspf"].map { PlaylistName.name(of: $0) } == ["a", "a", "a.b"])
    let latin = try #require(FilePath([0x42, 0xF6] + Array("x.m3u8".utf8)))
    #expect(PlaylistName.name(of: latin) == "B\u{FFFD}x")
    #expect(PlaylistName.name(of: "%F6.m3u8") == "%F6")
  }
}
