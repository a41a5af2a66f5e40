// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import MediaModel
import PlaybackLogic
import PlaylistModel
import SourceIO
import Testing

@Suite("Saving playlists")
struct SavingTests {
  private let expand: Expanding
  private var folder: TemporaryDirectory { expand.folder }

  init() throws { expand = try Expanding() }

  private func playlist(_ sources: [EntrySource]) -> Playlist {
    Playlist(entries: sources.map { PlaylistEntry($0) })
  }

  @Test("what is saved reads back as the same entries", arguments: ["m3u", "m3u8", "pls", "xspf"])
  func roundTrip(_ format: String) throws {
    try folder.files("m/a b.mp3", "m/sub/#c%20.flac", "x.mp3", "m/http:", "m/é\n.ogg")
    try folder.file(named: Array("m/B".utf8) + [0xf6] + Array(".mp3".utf8))
    let entries = try expand("m", "x.mp3").expansion.entries
    #expect(entries.count == 5)
    let path = folder.at("m/list.\(format)")
    try PlaylistFile.save(playlist(entries), at: path)
    let outcome = try expand(path.text)
    #expect(outcome.expansion.entries == entries)
    #expect(outcome.expansion.problems == [])
    let text = String(decoding: try contents(of: path), as: UTF8.self)
    #expect(text.contains("a b.mp3") || text.contains("a%20b.mp3"))
    #expect(!text.contains("\(folder.location)/m/a"))
    #expect(text.contains("\(folder.location)/x.mp3"))
  }

  @Test("tracks of a sheet keep their place", arguments: ["m3u", "xspf", "cue"])
  func parts(_ format: String) throws {
    try folder.file("disc.flac")
    let path = folder.at("disc.flac").text
    let entries = [
      EntrySource(path, span: CueSpan(start: 0, end: 4_507)), EntrySource(path, span: CueSpan(start: 4_507)),
    ]
    let list = folder.at("list.\(format)")
    try PlaylistFile.save(playlist(entries), at: list)
    #expect(try expand(list.text).spans == entries.map(\.span))
    #expect(throws: PlaylistFileError.self) {
      try PlaylistFile.save(playlist(entries), at: folder.at("l.pls"))
    }
    #expect(expand.error("l.pls")?.reason == .noSuchFile)
  }

  @Test("URIs of elsewhere are kept as they are")
  func elsewhere() {
    #expect(PlaylistEntry(EntrySource("http://x/a b")).location == .uri("http://x/a b"))
    #expect(PlaylistEntry(EntrySource("/a:b")).location == .file("/a:b"))
    #expect(
      PlaylistEntry(EntrySource("file:///a%F6")).location == FilePath([0x2f, 0x61, 0xf6]).map { .file($0) })
  }

  @Test("a file that is replaced keeps its permissions, and nothing else lies about afterwards")
  func replaces() throws {
    try folder.file("m/l.m3u", "old")
    try folder.file("m/a.mp3")
    let path = folder.at("m/l.m3u")
    chmod(path.text, 0o640)
    try PlaylistFile.save(playlist([EntrySource(folder.at("m/a.mp3").text)]), at: path)
    #expect(String(decoding: try contents(of: path), as: UTF8.self) == "#EXTM3U\na.mp3\n")
    #expect(FileStatus(path.text)?.mode == S_IFREG | 0o640)
    #expect(folder.names(in: "m") == ["a.mp3", "l.m3u"])
  }

  @Test("through a link the file behind it is written, with paths that hold from both sides")
  func link() throws {
    try folder.files("far/l.m3u", "m/a.mp3")
    try folder.link("m/l.m3u", to: "../far/l.m3u")
    try PlaylistFile.save(playlist([EntrySource(folder.at("m/a.mp3").text)]), at: folder.at("m/l.m3u"))
    #expect(try expand("far/l.m3u").names == ["m/a.mp3"])
    #expect(try expand("m/l.m3u").names == ["m/a.mp3"])
    #expect(folder.names(in: "m") == ["a.mp3", "l.m3u"])
  }

  @Test("a link to a file that is named as something else is refused, and the file stays")
  func linkToOther() throws {
    try folder.files("profile")
    try folder.link("l.m3u", to: "profile")
    let before = try contents(of: folder.at("profile"))
    let entries = try expand("profile").expansion.entries
    let error = #expect(throws: PlaylistFileError.self) {
      try PlaylistFile.save(playlist(entries), at: folder.at("l.m3u"))
    }
    #expect(error?.description.contains("profile") == true, "\(error as Any)")
    #expect(try contents(of: folder.at("profile")) == before)
  }

  @Test("a link that leads to nothing yet stays a link, and the list stands where it leads")
  func danglingLink() throws {
    try folder.files("m/a.mp3", "far/x")
    try folder.link("m/l.m3u", to: "../far/l.m3u")
    let list = playlist([EntrySource(folder.at("m/a.mp3").text)])
    try PlaylistFile.save(list, at: folder.at("m/l.m3u"), replacing: false)
    #expect(try expand("far/l.m3u").names == ["m/a.mp3"])
    #expect(FileStatus(folder.path("m/l.m3u")).map { $0.mode & S_IFMT } == S_IFLNK)
    let error = #expect(throws: PlaylistFileError.self) {
      try PlaylistFile.save(list, at: folder.at("m/l.m3u"), replacing: false)
    }
    #expect(error?.reason == .exists)
  }

  @Test(
    "where it can't be saved the error says why, and nothing is left behind",
    arguments: [
      ("l.txt", PlaylistFileError.Reason.unknownFormat), ("nowhere/l.m3u", .unwritable(ENOENT)),
      ("file/l.m3u", .unwritable(ENOTDIR)), ("folder.m3u", .notAFile("a folder")),
      ("pipe.m3u", .notAFile("a pipe")),
      ("null.m3u", .notAFile("a device")),
    ])
  func refused(_ name: String, _ reason: PlaylistFileError.Reason) throws {
    try folder.file("file")
    try folder.makeFolder("folder.m3u")
    try folder.pipe("pipe.m3u")
    try folder.link("null.m3u", to: "/dev/null")
    let before = folder.names()
    let error = #expect(throws: PlaylistFileError.self) {
      try PlaylistFile.save(Playlist(), at: folder.at(name))
    }
    #expect(error?.reason == reason)
    #expect(error?.description.hasPrefix("\(folder.at(name)): ") == true)
    #expect(error?.description.contains("; ") == true)
    #expect(folder.names() == before)
    #expect(FileStatus("/dev/null")?.isCharacterDevice == true)
  }
}
