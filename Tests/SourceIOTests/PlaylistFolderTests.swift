// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import MediaModel
import PlaylistModel
import SourceIO
import Testing

@Suite("The folder of kept playlists")
struct PlaylistFolderTests {
  private let folder: TemporaryDirectory
  private var lists: PlaylistFolder { PlaylistFolder(folder.location) }

  init() throws { folder = try TemporaryDirectory() }

  @Test("its playlists are listed as people sort them, and nothing else of it")
  func items() throws {
    try folder.files("Mix 10.m3u8", "Mix 9.m3u8", "AC%2FDC.m3u8", ".hidden.m3u8", "notes.txt")
    try folder.makeFolder("folder.m3u8")
    try folder.pipe("pipe.m3u8")
    try folder.link("link.m3u8", to: "Mix 9.m3u8")
    try folder.link("nowhere.m3u8", to: "none")
    let items = try lists.items()
    #expect(items.map(\.name) == ["AC/DC", "link", "Mix 9", "Mix 10"])
    #expect(items.allSatisfy { $0.modified > 0 })
  }

  @Test("files of other formats are playlists too, and no two have the same name")
  func formats() throws {
    try folder.files("a.m3u8", "a.m3u", "b.m3u", "c.pls", "c.xspf", "c.cue")
    #expect(try lists.items().map(\.name) == ["a", "a.m3u", "b", "c.pls", "c.xspf"])
    let file = try folder.file("net.pls", "[playlist]\nFile1=a.mp3\nTitle1=Song\nNumberOfEntries=1\n")
    #expect(try lists.file(named: "net") == file)
    #expect(try lists.playlist(in: file).entries.map(\.title) == ["Song"])
  }

  @Test("names that are no text are found as far as they are, and by their bytes where two read the same")
  func noText() throws {
    for byte in [0xE4, 0xF6] as [UInt8] {
      let file = try #require(FilePath(lists.path.bytes + Array("/b".utf8) + [byte] + Array(".m3u8".utf8)))
      let path = file.bytes.map { CChar(bitPattern: $0) } + [0]
      #expect(close(open(path, O_CREAT | O_WRONLY, 0o600)) == 0)
      if byte == 0xE4 { #expect(try lists.file(named: "b\u{FFFD}") == file) }
    }
    #expect(try lists.items().map(\.name) == ["b%E4", "b%F6"])
    #expect(try lists.items().named("b\u{FFFD}") == nil)
    #expect(try lists.file(named: "b%F6")?.nameBytes.contains(0xF6) == true)
  }

  @Test("of two names that read alike, each is found by its own letters")
  func composed() throws {
    let names = ["Caf\u{e9}", "Cafe\u{301}"]
    let files = try names.map { try folder.file("\($0).m3u8") }
    for (name, file) in zip(names, files) { #expect(try lists.file(named: name) == file) }
    try lists.remove(files[1])
    #expect(try lists.file(named: names[1]) == files[0])
  }

  @Test("a folder that is not there has none, and is made for this user alone")
  func making() throws {
    let lists = PlaylistFolder(folder.at("a/b/playlists"))
    #expect(try lists.items().isEmpty)
    try lists.make()
    try lists.make()
    #expect(folder.status("a/b/playlists")?.permissions == 0o700)
  }

  @Test("what cannot be read or written is an error that says so")
  func trouble() throws {
    try folder.file("file")
    let below = PlaylistFolder(folder.at("file/playlists"))
    #expect(throws: PlaylistFileError.self) { try below.make() }
    let gone = folder.at("gone.m3u8")
    #expect(throws: PlaylistFileError.self) { try lists.remove(gone) }
    let error = #expect(throws: PlaylistFileError.self) { try lists.playlist(in: gone) }
    #expect(error?.explanation == "can't be read: No such file or directory")
  }

  @Test("a playlist is found by its name, whatever its file is called, and can be read and removed")
  func one() throws {
    let file = try folder.file("My%20List.m3u8", "#EXTM3U\n#EXTINF:61,Song\na.mp3\n")
    #expect(try lists.file(named: "My List") == file)
    #expect(try lists.file(named: "New/One") == folder.at("New%2FOne.m3u8"))
    #expect(try lists.file(named: "") == nil)
    let entry = try lists.playlist(in: file).entries.first
    #expect(entry?.title == "Song" && entry?.duration == .seconds(61))
    #expect(entry?.location == .file(folder.at("a.mp3")))
    try lists.remove(file)
    #expect(try lists.items().isEmpty)
  }

  @Test("what is added stands behind what is there, in every format, and can be taken back")
  func added() throws {
    func names(_ file: FilePath) throws -> [String?] { try lists.playlist(in: file).entries.map(\.title) }
    var third = PlaylistEntry(location: .file(folder.at("c.mp3")))
    third.title = "Third"
    let texts = [
      "m3u8": "#EXTM3U\n# mine\n#EXTINF:1,First\na.mp3\n#EXTINF:1,Second\nb.mp3",
      "m3u": "#EXTINF:1,First\na.mp3\n#EXTINF:1,Second\nb.mp3\n",
      "pls": "[playlist]\nFile1=a.mp3\nTitle1=First\nFile2=b.mp3\nTitle2=Second\nNumberOfEntries=2\n",
    ]
    for (ending, text) in texts {
      let file = try folder.file("\(ending) list.\(ending)", text)
      try PlaylistFile.append([third], to: file, keptIn: lists)
      #expect(try names(file) == ["First", "Second", "Third"])
      if ending != "pls" { #expect(try folder.text("\(ending) list.\(ending)").hasPrefix(text)) }
      #expect(try lists.restore("\(ending) list") && names(file) == ["First", "Second"])
    }
    // In another character set than ours it is written anew, or the accents of one half would be wrong.
    let latin = folder.at("latin.m3u")
    try folder.file(
      named: Array("latin.m3u".utf8), Array("#EXTINF:1,Caf".utf8) + [0xe9] + Array("\na.mp3\n".utf8))
    third.title = "Élan"
    try PlaylistFile.append([third], to: latin, keptIn: lists)
    #expect(try names(latin) == ["Café", "Élan"])
    let new = folder.at("new.m3u8")
    try PlaylistFile.append([third], to: new, keptIn: lists)
    #expect(try names(new) == ["Élan"])
    #expect(throws: PlaylistFileError.self) {
      try PlaylistFile.append([third], to: folder.at("nowhere/list.m3u8"), keptIn: lists)
    }
  }

  @Test("one that was deleted or written over comes back, and a second time the other one does")
  func restored() throws {
    let file = try folder.file("Mix.m3u8", "/m/old.mp3\n")
    func entry() throws -> String? { try lists.playlist(in: file).entries.first.map { "\($0.location)" } }
    let old = try entry()
    #expect(try !lists.restore("Mix"))
    try lists.remove(file)
    #expect(try lists.items().isEmpty && lists.restore("Mix"))
    #expect(try entry() == old && !lists.restore("Mix"))
    try PlaylistFile.save(
      Playlist(entries: [PlaylistEntry(location: .file("/m/new.mp3"))]), at: file, keptIn: lists)
    let new = try entry()
    #expect(new != old)
    for expected in [old, new, old] {
      #expect(try lists.restore("Mix") && entry() == expected)
      #expect(try lists.items().map(\.name) == ["Mix"])
    }
    // A name with no room for another ending is gone for good, and no harm is done.
    let long = try folder.file(String(repeating: "x", count: 250) + ".m3u")
    try lists.remove(long)
    #expect(try lists.items().map(\.name) == ["Mix"])
  }
}
