// SPDX-License-Identifier: MIT
import FermataTestKit
import MediaModel
import PlaylistModel
import Testing

@Suite("Reading playlists")
struct PlaylistReaderTests {
  private func read(_ bytes: [UInt8], _ name: FilePath = "/m/list") throws -> PlaylistReading {
    try PlaylistReader.read(bytes, of: name)
  }

  private func read(_ text: String, _ name: FilePath = "/m/list") throws -> PlaylistReading {
    try read(Array(text.utf8), name)
  }

  private func utf16(_ text: String, isBig: Bool) -> [UInt8] {
    text.utf16.flatMap { unit -> [UInt8] in
      let (low, high) = (UInt8(unit & 0xff), UInt8(unit >> 8))
      return isBig ? [high, low] : [low, high]
    }
  }

  private func paths(_ reading: PlaylistReading) -> [String] {
    reading.playlist.entries.map { entry in
      switch entry.location {
      case .file(let path): path.text
      case .uri(let uri): uri
      }
    }
  }

  @Test("M3U: paths and URIs a line, with what is said before them")
  func m3u() throws {
    let reading = try read(
      """
      #EXTM3U
      #PLAYLIST:Mine
      #EXTINF:123.5 tvg-name="a,b",Artist - Title
      #EXTALB:Album
      sub/a b.mp3
      /abs/50%.mp3
      #EXTINF:-1,Radio
      http://x/stream?a=b
      file:///m/%C3%B6.ogg
      """)
    #expect(reading.format == .m3u8)
    #expect(reading.playlist.title == "Mine")
    #expect(paths(reading) == ["/m/sub/a b.mp3", "/abs/50%.mp3", "http://x/stream?a=b", "/m/ö.ogg"])
    let first = reading.playlist.entries[0]
    #expect(first.title == "Artist - Title")
    #expect(first.album == "Album")
    #expect(first.duration == .milliseconds(123_500))
    #expect(first.written == Array("sub/a b.mp3".utf8))
    #expect(reading.playlist.entries[1].title == nil)
    #expect(reading.playlist.entries[2].title == "Radio")
    #expect(reading.playlist.entries[2].duration == nil)
    #expect(reading.problems == [])
  }

  @Test("line ends, byte order marks and encodings of all systems read the same")
  func encodings() throws {
    let text = "#EXTM3U\n#EXTINF:1,Bö\na.mp3\nb.mp3"
    let crlf = text.split(separator: "\n").joined(separator: "\r\n")
    let little = [0xff, 0xfe] + utf16(text, isBig: false)
    let spellings: [[UInt8]] = [
      Array(text.utf8), Array(crlf.utf8), Array(text.utf8.map { $0 == 0x0a ? 0x0d : $0 }), little,
      [0xef, 0xbb, 0xbf] + Array(text.utf8), text.unicodeScalars.map { UInt8($0.value) },
      [0xfe, 0xff] + utf16(text, isBig: true),
    ]
    for bytes in spellings {
      let reading = try read(bytes)
      #expect(paths(reading) == ["/m/a.mp3", "/m/b.mp3"], "\(bytes)")
      #expect(reading.playlist.entries.first?.title == "Bö", "\(bytes)")
      #expect(reading.problems == [])
    }
  }

  @Test("bytes of paths stay as they are, with other readings to fall back on")
  func alternatives() throws {
    let entries = try read(
      Array("B".utf8) + [0xf6, 0x0a] + Array("x\\y.mp3\na%20b.mp3\nplain.mp3".utf8), "/m/l.m3u"
    )
    .playlist.entries
    #expect(entries[0].location == FilePath([0x2f, 0x6d, 0x2f, 0x42, 0xf6]).map(MediaLocation.file))
    #expect(entries.map(\.alternatives) == [["/m/Bö"], ["/m/x/y.mp3"], ["/m/a b.mp3"], []])
  }

  @Test("what is no UTF-8 is Windows-1252, and blanks around a line may not be meant")
  func windows() throws {
    let line = Array("Don".utf8) + [0x92] + Array("t ".utf8) + [0x96] + Array(" a.mp3".utf8)
    let entries = try read(
      Array("#EXTINF:1,Don".utf8) + [0x92] + Array("t\n".utf8) + line + Array("\n b.mp3 \n".utf8), "/m/l.m3u"
    )
    .playlist.entries
    #expect(entries[0].title == "Don’t" && entries[0].alternatives == ["/m/Don’t – a.mp3"])
    #expect(entries[1].location == .file("/m/ b.mp3 ") && entries[1].alternatives == ["/m/b.mp3"])
  }

  @Test("accents that were written apart from their letters are joined in names, and kept in those of files")
  func accents() throws {
    let files: KeyValuePairs = [
      "a.m3u8": "#PLAYLIST:Bo\u{308}\n#EXTINF:9,Bo\u{308}\nBo\u{308}.mp3\n",
      "a.pls": "[playlist]\nFile1=Bo\u{308}.mp3\nTitle1=Bo\u{308}\n",
      "a.xspf": """
      <playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList><track>
      <location>Bo\u{308}.mp3</location><title>Bo\u{308}</title></track></trackList></playlist>
      """,
      "a.cue": "FILE \"Bo\u{308}.mp3\" MP3\nTRACK 01 AUDIO\nTITLE \"Bo\u{308}\"\nINDEX 01 00:00:00\n",
    ]
    for (name, text) in files {
      let file = try #require(FilePath("/m/\(name)"))
      let entry = try #require(
        try PlaylistReader.read(Array(text.utf8), of: file, host: "here").playlist.entries.first)
      #expect(entry.title?.unicodeScalars.count == 2, "\(name)")
      #expect(entry.location == .file("/m/Bo\u{308}.mp3"), "\(name)")
    }
  }

  @Test(
    "the sheet of a recorded mix cuts the recording, and not the files that were mixed",
    arguments: [false, true])
  func mix(isOfRekordbox: Bool) throws {
    let times = isOfRekordbox ? ["00:00:00", "00:04:12", "01:02:03"] : ["00:00:00", "04:12:00", "62:03:00"]
    let tracks = zip(1..., times).map { number, time in
      "TRACK 0\(number) AUDIO\nTITLE \"T\(number)\"\nFILE \"/music/original\(number).mp3\" WAVE\nINDEX 01 \(time)\n"
    }
    let head =
      (isOfRekordbox ? "REM RECORDED_BY \"rekordbox-dj\"\n" : "") + "TITLE \"Night\"\nFILE \"mix.wav\" WAVE\n"
    let reading = try read(Array((head + tracks.joined()).utf8), "/m/l.cue")
    #expect(reading.problems.isEmpty)
    let entries = reading.playlist.entries
    #expect(entries.map(\.location) == Array(repeating: .file("/m/mix.wav"), count: 3))
    #expect(entries.map { $0.part?.start.frames } == [0, 252 * 75, 3_723 * 75])
    #expect(entries.map(\.title) == ["T1", "T2", "T3"])
  }

  @Test("a sheet that names its file before each track cuts it all the same")
  func repeatedFile() throws {
    let sheet = (1...3).map { "FILE \"mix.mp3\" MP3\nTRACK 0\($0) AUDIO\nINDEX 01 0\($0 * 5 - 5):00:00\n" }
      .joined()
    let parts = try read(Array(sheet.utf8), "/m/l.cue").playlist.entries.map(\.part)
    #expect(parts.map { $0?.start.frames } == [0, 22_500, 45_000])
    #expect(parts.map { $0?.end?.frames } == [22_500, 45_000, nil])
  }

  @Test("of a path only what the list says is read otherwise, and in several ways at once")
  func combined() throws {
    let entries = try read(
      Array("C\\B".utf8) + [0xf6, 0x0a] + Array("a%20b.mp3\nC\\a%20b\n/Ü/100% x\\y\n".utf8),
      "/Müsik/100% x/l.m3u"
    )
    .playlist.entries
    #expect(entries[0].alternatives.first == "/Müsik/100% x/C\\Bö")
    #expect(entries[0].alternatives.last == "/Müsik/100% x/C/Bö")
    #expect(
      entries.dropFirst().map(\.alternatives) == [
        ["/Müsik/100% x/a b.mp3"],
        ["/Müsik/100% x/C/a%20b", "/Müsik/100% x/C\\a b", "/Müsik/100% x/C/a b"], ["/Ü/100% x/y"],
      ])
  }

  @Test("PLS: numbers decide the order; other sections and keys are passed over")
  func pls() throws {
    let reading = try read(
      """
      ; made by hand
      [playlist]
      File10=http://x/ten
      Title2=Two
      file2 = b.mp3
      Length2=61
      Length10=-1
      File1=/a.mp3
      NumberOfEntries=3
      [other]
      File3=no.mp3
      """, "/m/l.pls")
    #expect(paths(reading) == ["/a.mp3", "/m/b.mp3", "http://x/ten"])
    #expect(reading.playlist.entries[1].title == "Two")
    #expect(reading.playlist.entries[1].duration == .seconds(61))
    #expect(reading.playlist.entries[2].duration == nil)
    #expect(reading.problems == [])
  }

  @Test("XSPF: elements with any prefix, entities, CDATA and comments")
  func xspf() throws {
    let reading = try read(
      """
      <?xml version="1.0"?><!-- a > b -->
      <x:playlist version='1' xmlns:x="http://xspf.org/ns/0/" note="a>b"><x:title>A &amp; B</x:title>
      <x:trackList><x:track><x:location> sub/a%20b.mp3 </x:location><x:title><![CDATA[<T>]]>&#x21;&#33;</x:title>
      <x:creator>C</x:creator><x:album>D</x:album><x:trackNum>7</x:trackNum><x:duration>1500</x:duration><x:link/>
      </x:track><x:track><x:location>http://x/?a=1&amp;b=2</x:location></x:track></x:trackList></x:playlist>
      """)
    #expect(reading.format == .xspf)
    #expect(reading.playlist.title == "A & B")
    #expect(paths(reading) == ["/m/sub/a b.mp3", "http://x/?a=1&b=2"])
    let first = reading.playlist.entries[0]
    #expect(first.title == "<T>!!")
    #expect(first.performer == "C")
    #expect(first.album == "D")
    #expect(first.track == 7)
    #expect(first.duration == .milliseconds(1_500))
    #expect(reading.problems == [])
  }

  @Test("a length that is missing or can't be read is not known, and nothing is left out for it")
  func lengths() throws {
    let list = try read("#EXTM3U\n#EXTINF:,One\na\n#EXTINF:3:45,Two\nb\n#EXTINF:7,Three\nc", "/m/l.m3u")
    #expect(list.problems.isEmpty && list.playlist.entries.map(\.title) == ["One", "Two", "Three"])
    #expect(list.playlist.entries.map(\.duration) == [nil, nil, .seconds(7)])
    let other = try read("[playlist]\nFile1=a\nLength1=\nFile2=b\nLength2=3:45\nFile3=c\nLength3=7")
    #expect(other.problems.isEmpty && other.playlist.entries.map(\.duration) == [nil, nil, .seconds(7)])
  }

  @Test("XSPF: a path that was written without escapes is found, whatever its percent signs seem to say")
  func unescaped() throws {
    let tracks = ["100% Hits/01.mp3", "AC%DC/x.mp3", "/music/50%/a.mp3"].map {
      "<track><location>\($0)</location></track>"
    }
    let reading = try read(
      "<playlist xspf=''><trackList>\(tracks.joined())</trackList></playlist>", "/m/l.xspf")
    #expect(reading.problems.isEmpty)
    let entries = reading.playlist.entries
    try #require(entries.count == 3)
    #expect(entries[0].location == .file("/m/100% Hits/01.mp3"))
    #expect(entries[1].alternatives.contains("/m/AC%DC/x.mp3"))
    #expect(entries[2].location == .file("/music/50%/a.mp3"))
  }

  @Test("the name of this machine in a URI says nothing more")
  func host() throws {
    let bytes = Array("file://HERE/m/a.mp3\nfile://there/m/b.mp3".utf8)
    let reading = try PlaylistReader.read(bytes, of: "/m/l.m3u", host: "HERE")
    #expect(paths(reading) == ["/m/a.mp3"] && reading.problems.map(\.line) == [2])
  }

  @Test(
    "XSPF: relative locations are seen from the base that is set around them",
    arguments: [
      ("file:///music/", "", "/music/a.mp3"), ("file:///music/x", "", "/music/a.mp3"),
      ("sub/", "", "/m/sub/a.mp3"), ("file:///music/", "deep/", "/music/deep/a.mp3"),
      ("http://x/y/", "", "http://x/y/a.mp3"), ("http://x/y/", "/z/", "http://x/z/a.mp3"),
      ("http://x/y/", "file:///z/", "/z/a.mp3"), ("a&amp;b/", "", "/m/a&b/a.mp3"), ("&bad;", "", "/m/a.mp3"),
    ])
  func base(outer: String, inner: String, path: String) throws {
    let track = inner.isEmpty ? "<track>" : "<track id='xml:base' xml:base='\(inner)'>"
    let reading = try read(
      """
      <playlist version="1" xml:base="\(outer)" xmlns="http://xspf.org/ns/0/">
      <trackList>\(track)<location>a.mp3</location></track>
      <track><location>file:///b.mp3</location></track></trackList></playlist>
      """)
    #expect(paths(reading) == [path, "/b.mp3"])
    #expect(reading.problems == [])
  }

  @Test(
    "XSPF: bases that are longer than any path together are not copied into the tracks",
    arguments: [(100_000, 5), (3_000, 3_014)])
  func endlessBase(size: Int, written: Int) throws {
    let folder = String(repeating: "b", count: size) + "/"
    let tracks = String(repeating: "<track><location>a.mp3</location></track>", count: 2_700)
    let reading = try read(
      "<playlist version='1' xmlns='http://xspf.org/ns/0/' xml:base='file:///\(folder)'>"
        + "<trackList xml:base='\(folder)'>\(tracks)</trackList></playlist>")
    #expect(reading.playlist.entries.count == 2_700)
    #expect(reading.playlist.entries.allSatisfy { $0.written.count == written })
    #expect(reading.problems == [])
  }

  @Test("XSPF: a base does not make a file many times as long as it is")
  func costlyBase() throws {
    let folder = String(repeating: "b", count: 4_000) + "/"
    let tracks = String(repeating: "<track><location>a</location></track>", count: 20_000)
    let reading = try read(
      "<playlist version='1' xmlns='http://xspf.org/ns/0/'>"
        + "<trackList xml:base='\(folder)'>\(tracks)</trackList></playlist>")
    #expect(reading.playlist.entries.count == 20_000)
    #expect(reading.playlist.entries.reduce(0) { $0 + $1.written.count } < 40 << 20)
    #expect(reading.problems.count == 1 && reading.problems[0].reason.hasPrefix("xml:base"))
  }

  @Test("XSPF: a location longer than any line is named, and the other tracks stay")
  func endlessLocation() throws {
    let long = String(repeating: "x", count: 20_000)
    let reading = try read(
      "<playlist xspf=''><trackList>\n<track><location>\(long)</location></track>\n"
        + "<track><location>a.mp3</location></track></trackList></playlist>")
    #expect(paths(reading) == ["/m/a.mp3"])
    #expect(reading.problems.map(\.line) == [2])
  }

  @Test("CUE: a pause that begins a file of its own is heard, unless the disc begins with it")
  func cuePauses() throws {
    let reading = try read(
      """
      FILE "1.flac" WAVE
        TRACK 01 AUDIO
          INDEX 00 00:00:00
          INDEX 01 00:01:00
      FILE "2.flac" WAVE
        TRACK 02 AUDIO
          INDEX 00 00:00:00
          INDEX 01 00:02:00
        TRACK 03 AUDIO
          INDEX 00 03:00:00
          INDEX 01 03:02:00
      FILE "2.flac" WAVE
        TRACK 04 AUDIO
          INDEX 00 05:00:00
          INDEX 01 05:02:00
      """)
    let starts = reading.playlist.entries.map { $0.part?.start.frames ?? 0 }
    #expect(starts == [75, 0, 182 * 75, 302 * 75])
    let odd = try read(
      """
      FILE "1.flac" WAVE
        TRACK 01 AUDIO
          INDEX 01 00:00:00
      FILE "2.flac" WAVE
        TRACK 02 AUDIO
          INDEX 00 04:58:12
          INDEX 01 00:00:00
      """)
    #expect(odd.playlist.entries.last?.part == nil)
    #expect(reading.playlist.entries.map { $0.part?.end?.frames } == [nil, 182 * 75, 302 * 75, nil])
  }

  @Test("CUE: tracks without gaps in one file, and none lost between files")
  func cue() throws {
    let reading = try read(
      """
      REM GENRE "Folk Rock"
      REM DATE 1997
      REM DISCNUMBER 2
      REM COMMENT "ripped"
      REM
      PERFORMER "Band"
      TITLE "Disc"
      FILE "one file.wav" WAVE
        TRACK 01 AUDIO
          TITLE "First"
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          TITLE "Second "quoted""
          PERFORMER "Guest"
          INDEX 00 03:58:70
          INDEX 01 04:00:37
      FILE two.wav WAVE
        TRACK 03 AUDIO
          INDEX 01 00:02:00
        TRACK 04 MODE1/2352
          INDEX 01 05:00:00
      """)
    #expect(reading.format == .cue)
    #expect(reading.playlist.title == "Disc")
    #expect(paths(reading) == ["/m/one file.wav", "/m/one file.wav", "/m/two.wav"])
    let entries = reading.playlist.entries
    #expect(entries.map(\.title) == ["First", "Second \"quoted\"", nil])
    #expect(entries.map(\.performer) == ["Band", "Guest", "Band"])
    #expect(entries.allSatisfy { $0.albumPerformer == "Band" && $0.genre == "Folk Rock" && $0.disc == 2 })
    #expect(entries.allSatisfy { $0.date == MediaDate(year: 1997) })
    #expect(entries.map(\.track) == [1, 2, 3])
    #expect(entries.map(\.part?.start.frames) == [0, 18_037, 150])
    #expect(entries.map(\.part?.end?.frames) == [18_037, nil, 22_500])
    #expect(reading.problems == [])
  }

  @Test(
    "a bad line is named with its reason and loses nothing else",
    arguments: [
      ("#EXTM3U\n#EXTINF:x,T\na\nfile://nas/b\nc", 4...4, ["/m/a", "/m/c"]),
      ("#EXTM3U\na\n\0\nb", 3...3, ["/m/a", "/m/b"]),
      ("[playlist]\nFile1=a\nFilex=b\nnonsense\nLength1=x\nFile2=c", 3...4, ["/m/a", "/m/c"]),
      ("[playlist]\nFile1=\nFile2=c", 2...2, ["/m/c"]),
      ("FILE a WAVE\nTRACK 01 AUDIO\nFILE b WAVE\nTRACK 02 AUDIO\nINDEX 01 00:00:00", 2...2, ["/m/b"]),
      ("FILE \"a\" WAVE\nTRACK 01 AUDIO\nINDEX 01 1:2\nTRACK 02 AUDIO\nINDEX 01 00:01:00", 2...3, ["/m/a"]),
      (
        "REM x\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nFILE \"a\" WAVE\nTRACK 02 AUDIO\nINDEX 01 00:00:00\nOOPS",
        2...7, ["/m/a"]
      ),
      (
        "<playlist xspf=''><trackList><track/>\n<track><location>a</location></track>\n</nothing>", 1...3,
        ["/m/a"]
      ),
      ("<playlist xspf=''><trackList><track><location>a</location></track>\n&nbsp;", 2...2, ["/m/a"]),
    ] as [(String, ClosedRange<Int>, [String])])
  func badLines(text: String, lines: ClosedRange<Int>, kept: [String]) throws {
    let reading = try read(text)
    #expect(paths(reading) == kept)
    #expect(!reading.problems.isEmpty)
    #expect(reading.problems.allSatisfy { lines.contains($0.line) }, "\(reading.problems)")
    #expect(reading.problems.allSatisfy { $0.description.hasPrefix("line \($0.line): ") })
  }

  @Test("the content decides the format, then the name")
  func recognition() throws {
    #expect(try read("[Playlist]\n", "/m/x.m3u").format == .pls)
    #expect(try read("a.mp3\n", "/m/x.M3U").format == .m3u)
    #expect(try read("", "/m/x.cue").format == .cue)
    for text in ["", "hello", "<html>", "ID3\u{3}"] {
      #expect(throws: PlaylistError.self) { try read(text) }
    }
  }

  @Test(
    "XML that means harm is refused with its line",
    arguments: [
      "<!DOCTYPE x [<!ENTITY a \"b\">]>", "<playlist>&a;", "<playlist>&#0;", "<playlist>&#xd800;",
      String(repeating: "<a>", count: 1_000), "<" + String(repeating: "a", count: 10_000), "<a b='", "<!--",
    ])
  func hostileXML(text: String) throws {
    let reading = try read("<?xml xspf?>\n\n" + text)
    #expect(reading.playlist.entries == [])
    #expect(reading.problems.map(\.line) == [3])
  }

  @Test(
    "bytes of any kind give a reading or an error, and no more than they are",
    arguments: [1, 2, 3] as [UInt64])
  func anything(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let alphabet = [
      "#EXTM3U\n", "#EXTINF:", ",", "[playlist]\n", "File1=", "=", "\n", "<playlist xspf=''>", "<track>",
      "</", ">", "<", "&", ";", "&#", "<![CDATA[", "FILE \"", "\"", "TRACK 1 AUDIO\n", "INDEX 01 ",
      "99:59:74", "\r",
      "file://", "%", "\u{feff}", "\0", "trackList", "#EXTVLCOPT:start-time=", "9e999", "a.mp3",
    ]
    for _ in 0..<700 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...30, using: &generator) {
        bytes += (alphabet.randomElement(using: &generator) ?? "").utf8
        if Int.random(in: 0..<8, using: &generator) == 0 {
          bytes.append(.random(in: 0...255, using: &generator))
        }
      }
      let name = ["/l.m3u", "/l.pls", "/l.xspf", "/l.cue"].randomElement(using: &generator) ?? "/l"
      let reading = try read(bytes, FilePath(name) ?? "/l")
      #expect(
        reading.playlist.entries.count + reading.problems.count <= bytes.count + 1, "seed \(seed): \(bytes)")
    }
  }

  @Test("a line without end and a list without end are cut off and named")
  func limits() throws {
    let long = try read("#EXTM3U\n" + String(repeating: "x", count: 20_000) + "\na.mp3")
    #expect(paths(long) == ["/m/a.mp3"])
    #expect(long.problems.map(\.line) == [2])
    let many = try read("#EXTM3U\n" + String(repeating: "a\n", count: PlaylistReader.mostEntries + 5))
    #expect(many.playlist.entries.count == PlaylistReader.mostEntries)
    #expect(many.problems.count == 1)
    // Of these formats nothing is an entry before the end of the file.
    let rows = (1...PlaylistReader.mostEntries + 5).map { "File\($0)=a\n" }.joined()
    let tracks = String(repeating: "TRACK 1\nINDEX 1 0:0:0\n", count: PlaylistReader.mostEntries + 5)
    for (text, file) in [("[playlist]\n" + rows, "/m/l.pls"), ("FILE a WAVE\n" + tracks, "/m/l.cue")] {
      let list = try read(Array(text.utf8), FilePath(stringLiteral: file))
      #expect(list.problems.contains { $0.reason == many.problems[0].reason })
    }
    #expect(throws: PlaylistError.self) {
      try read([UInt8](repeating: 0x0a, count: PlaylistReader.largestFile + 1))
    }
  }

  @Test("nothing is written that would not be read again")
  func unreadable() throws {
    func list(_ count: Int, _ name: String) -> Playlist {
      let entry = PlaylistEntry(location: .file(FilePath(stringLiteral: "/m/\(name).mp3")))
      return Playlist(entries: [PlaylistEntry](repeating: entry, count: count))
    }
    let most = list(PlaylistReader.mostEntries, "a")
    let bytes = try PlaylistWriter.write(most, as: .m3u8)
    #expect(try PlaylistReader.read(bytes, of: "/m/list.m3u8").playlist.entries.count == most.entries.count)
    for tooMuch in [
      list(PlaylistReader.mostEntries + 1, "a"), list(10_000, String(repeating: "x", count: 4_000)),
    ] {
      let error = #expect(throws: PlaylistError.self) { try PlaylistWriter.write(tooMuch, as: .m3u8) }
      #expect(error?.description.contains("\(tooMuch.entries.count) entries: more than") == true)
    }
  }
}
