// SPDX-License-Identifier: MIT

/// Reads M3U: one path or URI per line. Comments before it may say more about it.
enum M3UReader {
  static func read(_ bytes: [UInt8], into gathering: inout Gathering) {
    var said = Said()
    PlaylistText.eachLine(bytes, &gathering) { number, line, gathering in
      let text = line.drop(while: PlaylistText.isBlank)
      if text.first == UInt8(ascii: "#") {
        said.hear(PlaylistText.decode(text), line: number, &gathering)
      } else if let entry = gathering.entry(line, line: number) {
        gathering.add(said.applied(to: entry), line: number)
        said = Said()
      } else {
        said = Said()
      }
    }
  }

  /// What the comments said about the entry that follows them.
  private struct Said {
    private var title: String?
    private var performer: String?
    private var album: String?
    private var duration: Duration?
    private var start: DiscTime?
    private var end: DiscTime?

    func applied(to entry: PlaylistEntry) -> PlaylistEntry {
      var entry = entry
      (entry.title, entry.performer, entry.album, entry.duration) = (title, performer, album, duration)
      if start != nil || end != nil { entry.part = FilePart(start: start ?? DiscTime(frames: 0), end: end) }
      return entry
    }

    mutating func hear(_ comment: String, line: Int, _ gathering: inout Gathering) {
      guard let colon = comment.firstIndex(of: ":") else { return }
      let value = comment[comment.index(after: colon)...]
      switch comment[..<colon].uppercased() {
      case "#EXTINF": hearInfo(value, line: line, &gathering)
      case "#EXTART": performer = Self.words(value)
      case "#EXTALB": album = Self.words(value)
      case "#EXTVLCOPT": hearOption(value, line: line, &gathering)
      case "#PLAYLIST": gathering.playlist.title = Self.words(value)
      default: break
      }
    }

    /// Reads `seconds attributes,title`. The attributes' quotes may contain commas.
    private mutating func hearInfo(_ value: Substring, line: Int, _ gathering: inout Gathering) {
      var isQuoted = false
      let comma = value.firstIndex { character in
        if character == "\"" { isQuoted.toggle() }
        return character == "," && !isQuoted
      }
      let head = value[..<(comma ?? value.endIndex)]
      title = comma.flatMap { Self.words(value[value.index(after: $0)...]) }
      guard let seconds = head.split(separator: " ").first.flatMap({ Decimals.number($0) }) else {
        gathering.problem(line, "no length after #EXTINF:; write seconds, or -1")
        return
      }
      duration = Decimals.duration(seconds: seconds)
    }

    private mutating func hearOption(_ value: Substring, line: Int, _ gathering: inout Gathering) {
      let parts = value.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, ["start-time", "stop-time"].contains(parts[0]) else { return }
      guard let time = Decimals.number(parts[1]).flatMap({ DiscTime(seconds: $0) }) else {
        gathering.problem(line, "no time in \(parts[0]); write seconds")
        return
      }
      if parts[0] == "start-time" { start = time } else { end = time }
    }

    private static func words(_ text: Substring) -> String? { PlaylistText.words(Array(text.utf8)) }
  }
}

/// Writes M3U with the comments that other players know. A part of a file is written with VLC's options.
enum M3UWriter {
  static func write(_ playlist: Playlist, _ reference: Reference) throws(PlaylistError) -> [UInt8] {
    var out = Array("#EXTM3U\n".utf8)
    func put(_ name: String, _ text: String?) {
      if let text = Reference.words(text) { out += "#\(name):\(text)\n".utf8 }
    }
    put("PLAYLIST", playlist.title)
    for entry in playlist.entries {
      put("EXTART", entry.performer)
      put("EXTALB", entry.album)
      put("EXTINF", info(entry))
      put("EXTVLCOPT", entry.part.map { "start-time=\($0.start.secondsText)" })
      put("EXTVLCOPT", entry.part?.end.map { "stop-time=\($0.secondsText)" })
      out += try reference.line(entry.location) + [0x0a]
    }
    return out
  }

  private static func info(_ entry: PlaylistEntry) -> String? {
    if entry.title == nil && entry.duration == nil { return nil }
    let seconds = entry.duration.map { Decimals.text(milliseconds: Decimals.milliseconds($0)) } ?? "-1"
    return "\(seconds),\(entry.title ?? "")"
  }
}
