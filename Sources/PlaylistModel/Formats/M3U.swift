// SPDX-License-Identifier: MIT
internal import MediaModel

/// Reads M3U: one path or URI per line. Comment lines before an entry may say more about it.
enum M3UReader {
  static func read(_ bytes: [UInt8], into draft: inout PlaylistDraft) {
    var comments = Comments()
    PlaylistText.eachLine(bytes, &draft) { number, line, draft in
      let text = line.drop(while: PlaylistText.isBlank)
      if text.first == UInt8(ascii: "#") {
        return comments.read(PlaylistText.decode(text), line: number, &draft)
      }
      if let entry = draft.entry(line, line: number) { draft.add(comments.applied(to: entry), line: number) }
      comments = Comments()
    }
  }

  /// The facts in comments about the entry that follows them.
  private struct Comments {
    private var entry = PlaylistEntry(location: .uri(""))
    private var start: DiscTime?
    private var end: DiscTime?

    func applied(to other: PlaylistEntry) -> PlaylistEntry {
      var entry = entry
      (entry.location, entry.written) = (other.location, other.written)
      if start != nil || end != nil { entry.part = FilePart(start: start ?? DiscTime(frames: 0), end: end) }
      return entry
    }

    mutating func read(_ comment: String, line: Int, _ draft: inout PlaylistDraft) {
      guard let colon = comment.firstIndex(of: ":") else { return }
      let value = comment[comment.index(after: colon)...]
      switch comment[..<colon].uppercased() {
      case "#EXTINF": readInfo(value)
      case "#EXTART": entry.performer = Self.words(value)
      case "#EXTALB": entry.album = Self.words(value)
      case "#EXTVLCOPT": readOption(value, line: line, &draft)
      case "#PLAYLIST": draft.playlist.title = Self.words(value)
      default: break
      }
    }

    /// Reads `seconds attributes,title`. The attributes' quotes may contain commas.
    private mutating func readInfo(_ value: Substring) {
      var isQuoted = false
      let comma = value.firstIndex { character in
        if character == "\"" { isQuoted.toggle() }
        return character == "," && !isQuoted
      }
      let head = value[..<(comma ?? value.endIndex)]
      entry.title = comma.flatMap { Self.words(value[value.index(after: $0)...]) }
      // Rhythmbox and Totem never write a length. Where it is missing or can't be read, it is not known; the entry is no worse for it.
      entry.duration = head.split(separator: " ").first.flatMap { Decimals.number($0) }
        .flatMap { Decimals.duration(seconds: $0) }
    }

    private mutating func readOption(_ value: Substring, line: Int, _ draft: inout PlaylistDraft) {
      let parts = value.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, ["start-time", "stop-time"].contains(parts[0]) else { return }
      guard let time = Decimals.number(parts[1]).flatMap({ DiscTime(seconds: $0) }) else {
        draft.problem(line, "no time in \(parts[0]); write seconds")
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
    if let title = Reference.words(playlist.title) { out += "#PLAYLIST:\(title)\n".utf8 }
    return out + (try lines(playlist.entries, reference))
  }

  /// The lines of these entries.
  static func lines(_ entries: [PlaylistEntry], _ reference: Reference) throws(PlaylistError) -> [UInt8] {
    var out: [UInt8] = []
    func put(_ name: String, _ text: String?) {
      if let text = Reference.words(text) { out += "#\(name):\(text)\n".utf8 }
    }
    for entry in entries {
      put("EXTART", entry.performer)
      put("EXTALB", entry.album)
      put("EXTINF", info(entry))
      put("EXTVLCOPT", entry.part.map { "start-time=\($0.start.secondsText)" })
      put("EXTVLCOPT", entry.part?.end.map { "stop-time=\($0.secondsText)" })
      out += try reference.line(entry.location) + [0x0a]
    }
    return out
  }

  /// The bytes of a file without some of its entries, counted from 1, and without the comments about these. All else stays byte for byte. Also returns how
  /// many entries the file had.
  static func removing(_ rows: Set<Int>, from bytes: [UInt8]) -> (rest: [UInt8], count: Int) {
    var (rest, comments, row) = ([UInt8](), [ArraySlice<UInt8>](), 0)
    for line in lines(bytes) {
      let text = line.drop(while: PlaylistText.isBlank)
      guard let first = text.first, first != UInt8(ascii: "#"), !text.allSatisfy(isLineBreak) else {
        comments.append(line)
        continue
      }
      row += 1
      if rows.contains(row) { comments.removeAll(where: isAboutEntry) } else { comments.append(line) }
      rest += comments.joined()
      comments = []
    }
    return (rest + comments.joined(), row)
  }

  /// Whether a line is a comment by which a player tells something of the entry that follows. What people write is none.
  private static func isAboutEntry(_ line: ArraySlice<UInt8>) -> Bool {
    let name = PlaylistText.decode(line.drop(while: PlaylistText.isBlank).prefix { $0 != UInt8(ascii: ":") })
      .uppercased()
    return name.hasPrefix("#EXT") && !name.hasPrefix("#EXTM3U")
  }

  /// The lines, each with the characters that end it.
  private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var (lines, start) = ([ArraySlice<UInt8>](), 0)
    for (index, byte) in bytes.enumerated() where byte == 0x0a {
      lines.append(bytes[start...index])
      start = index + 1
    }
    return start < bytes.count ? lines + [bytes[start...]] : lines
  }

  private static func isLineBreak(_ byte: UInt8) -> Bool { byte == 0x0a || byte == 0x0d }

  private static func info(_ entry: PlaylistEntry) -> String? {
    if entry.title == nil && entry.duration == nil { return nil }
    let seconds = entry.duration.map { Decimals.text(milliseconds: Decimals.milliseconds($0)) } ?? "-1"
    return "\(seconds),\(entry.title ?? "")"
  }
}
