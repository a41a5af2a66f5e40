// SPDX-License-Identifier: MIT
import FermataTestKit
import MediaModel
import PlaylistModel
import Testing

@Suite("Writing playlists")
struct PlaylistWriterTests {
  private let folder: FilePath = "/m/lists"

  private func file(_ stem: String, _ format: PlaylistFormat) -> FilePath {
    FilePath("\(stem).\(format.rawValue)") ?? folder
  }

  @Test(
    "what is written reads back the same", arguments: PlaylistFormat.allCases, [1, 2, 3, 4] as [UInt64])
  func roundTrip(format: PlaylistFormat, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for round in 0..<40 {
      let playlist = generator.playlist(for: format)
      let bytes = try PlaylistWriter.write(playlist, as: format, in: round % 2 == 0 ? folder : nil)
      let reading = try PlaylistReader.read(bytes, of: file("/m/lists/list", format))
      var back = reading.playlist
      for index in back.entries.indices {
        (back.entries[index].written, back.entries[index].folder) = ([], nil)
      }
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(back == playlist, "\(format), seed \(seed), round \(round):\n\(text)")
      #expect(reading.problems == [], "\(format), seed \(seed):\n\(text)")
    }
  }

  @Test("what is below the playlist's folder is relative, the rest is absolute")
  func relative() throws {
    let playlist = Playlist(entries: [
      PlaylistEntry(location: .file("/m/lists/a b.mp3")), PlaylistEntry(location: .file("/m/c.mp3")),
    ])
    let m3u = String(decoding: try PlaylistWriter.write(playlist, as: .m3u8, in: folder), as: UTF8.self)
    #expect(m3u == "#EXTM3U\na b.mp3\n/m/c.mp3\n")
    let xspf = String(decoding: try PlaylistWriter.write(playlist, as: .xspf, in: folder), as: UTF8.self)
    #expect(xspf.contains("<location>a%20b.mp3</location>"))
    #expect(xspf.contains("<location>file:///m/c.mp3</location>"))
    // What stands before a colon in the first name would be a scheme.
    for (name, written) in [("Intro: part.mp3", "./Intro:%20part.mp3"), ("a/b:c.mp3", "a/b:c.mp3")] {
      var colon = Playlist()
      colon.entries = [PlaylistEntry(location: .file(FilePath(stringLiteral: "/m/lists/\(name)")))]
      let bytes = try PlaylistWriter.write(colon, as: .xspf, in: folder)
      #expect(String(decoding: bytes, as: UTF8.self).contains("<location>\(written)</location>"))
      #expect(
        try PlaylistReader.read(bytes, of: "/m/lists/list.xspf").playlist.entries.map(\.location)
          == colon.entries.map(\.location))
    }
  }

  @Test("what a format can't say is an error that names the entry and another format")
  func notSayable() throws {
    let start = DiscTime(frames: 75)
    var part = PlaylistEntry(
      location: .file("/a.flac"), part: FilePart(start: start, end: DiscTime(frames: 150)))
    part.title = "T"
    for format in [PlaylistFormat.pls, .cue] {
      let error = #expect(throws: PlaylistError.self) {
        try PlaylistWriter.write(Playlist(entries: [part]), as: format)
      }
      #expect(error?.reason == .partsUnsupported(format))
      #expect(error?.description.contains("/a.flac: ") == true)
    }
    // A whole file before a later part of the same file would be read back as its first part.
    let whole = PlaylistEntry(location: .file("/a.flac"))
    let last = PlaylistEntry(location: .file("/a.flac"), part: FilePart(start: start, end: nil))
    #expect(throws: PlaylistError.self) {
      try PlaylistWriter.write(Playlist(entries: [whole, last]), as: .cue)
    }
    #expect(throws: Never.self) { try PlaylistWriter.write(Playlist(entries: [last, whole]), as: .cue) }
    let many = Playlist(entries: Array(repeating: PlaylistEntry(location: .file("/a")), count: 100))
    #expect(throws: PlaylistError.self) { try PlaylistWriter.write(many, as: .cue) }
    let odd = Playlist(entries: [PlaylistEntry(location: .file("a\nb"))])
    #expect(throws: PlaylistError.self) { try PlaylistWriter.write(odd, as: .m3u) }
  }

  @Test("text can't break out of its place")
  func injection() throws {
    var entry = PlaylistEntry(location: .uri("http://x/a\n#b"))
    entry.title = "a\nb\r\n/etc/passwd\u{85}\u{2028}\"\u{1}</title>"
    for format in PlaylistFormat.allCases {
      let bytes = try PlaylistWriter.write(Playlist(title: "t\nx", entries: [entry]), as: format)
      let reading = try PlaylistReader.read(bytes, of: file("/l", format))
      #expect(reading.playlist.entries.map(\.location) == [.uri("http://x/a%0A#b")], "\(format)")
      #expect(reading.problems == [], "\(format)")
    }
  }

  @Test("disc times are mm:ss:ff and survive seconds with three decimals")
  func discTimes() throws {
    for frames in Array(0..<400) + [359_999, 27_000_000] {
      let time = DiscTime(frames: frames)
      #expect(DiscTime(text: time.description) == time)
      let seconds = Double(frames * 1_000 / 75) / 1_000
      #expect(DiscTime(seconds: seconds) == time)
      #expect(time.duration <= .milliseconds(frames * 1_000 / 75 + 1))
    }
    for text in ["", "1:2", "00:60:00", "00:00:75", "-1:00:00", "x:00:00", "99999999999:00:00"] {
      #expect(DiscTime(text: text) == nil)
    }
  }
}

extension SeededGenerator {
  /// A playlist with all that a format can hold.
  fileprivate mutating func playlist(for format: PlaylistFormat) -> Playlist {
    var playlist = Playlist(title: format == .pls ? nil : title(format))
    if format == .xspf || format == .cue { playlist.performer = title(format) }
    for number in 1...Int.random(in: 1...8, using: &self) {
      var entry = PlaylistEntry(location: location(), part: format == .pls || format == .cue ? nil : part())
      entry.title = title(format)
      if format != .pls { entry.performer = title(format) }
      if format != .pls && format != .cue { entry.album = title(format) }
      if format == .xspf { entry.track = Bool.random(using: &self) ? number : nil }
      if format != .cue && Bool.random(using: &self) { entry.duration = duration(format) }
      playlist.entries.append(entry)
    }
    if format == .cue { makeDisc(&playlist) }
    return playlist
  }

  /// Numbers the tracks, gives them what a sheet says of all, and cuts some files into parts without gaps.
  private mutating func makeDisc(_ playlist: inout Playlist) {
    var start = DiscTime(frames: 0)
    for index in playlist.entries.indices {
      playlist.entries[index].track = index + 1
      playlist.entries[index].album = playlist.title
      if playlist.entries[index].performer == nil { playlist.entries[index].performer = playlist.performer }
      playlist.entries[index].albumPerformer = playlist.performer
      let isCut = index + 1 < playlist.entries.count && Bool.random(using: &self)
      let end = isCut ? DiscTime(frames: start.frames + .random(in: 1...99_999, using: &self)) : nil
      if start.frames > 0 || end != nil { playlist.entries[index].part = FilePart(start: start, end: end) }
      if isCut { playlist.entries[index + 1].location = playlist.entries[index].location }
      start = end ?? DiscTime(frames: 0)
    }
  }

  private mutating func duration(_ format: PlaylistFormat) -> Duration {
    let milliseconds = Int.random(in: 0...9_999_999, using: &self)
    return format == .pls ? .seconds(milliseconds / 1_000) : .milliseconds(milliseconds)
  }

  private mutating func part() -> FilePart? {
    guard Int.random(in: 0..<3, using: &self) == 0 else { return nil }
    let start = Int.random(in: 0...999_999, using: &self)
    let end = Bool.random(using: &self) ? DiscTime(frames: start + .random(in: 1...9_999, using: &self)) : nil
    return FilePart(start: DiscTime(frames: start), end: end)
  }

  private mutating func title(_ format: PlaylistFormat) -> String? {
    let alphabet = Array("aZ0%#&<>'\\/;=,:[]ü漢😀é~$|\u{1b}" + (format == .cue ? "" : "\""))
    let text = (0..<Int.random(in: 0...12, using: &self)).map { _ in
      alphabet.randomElement(using: &self) ?? "a"
    }
    let isXML = format == .xspf
    let kept = text.filter { !isXML || $0 != "\u{1b}" }
    return kept.isEmpty ? nil : "x" + String(kept) + " y"
  }

  private mutating func location() -> MediaLocation {
    if Int.random(in: 0..<6, using: &self) == 0 { return .uri("http://x/a%20b?c=\(next() % 99)&d=#e") }
    let special =
      Array(" #%\"'&<>:;=?[]\\\n\r\t/.~".utf8) + [0x61, 0xf6, 0xc3, 0xbc, 0xff, 0x01, 0xef, 0xbb, 0xbf]
    let name = (0..<Int.random(in: 1...14, using: &self)).map { _ in
      special.randomElement(using: &self) ?? 0x61
    }
    let starts: [[UInt8]] = ["/m/lists/", "/m/lists/http://", "/m/lists/file:/", "/m/", "/"].map {
      Array($0.utf8)
    }
    let path = FilePath((starts.randomElement(using: &self) ?? []) + name + [0x62])
    return .file(path?.tidied ?? "/a")
  }
}
