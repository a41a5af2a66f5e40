// SPDX-License-Identifier: MIT
internal import MediaModel

/// Reads CUE sheets. A track lasts from its INDEX 01 to the INDEX 01 of the next track in the same file. So the pause
/// before a track belongs to the track before, and no sound of the disc is left out. Where that pause begins a file of its own, as some programs
/// cut discs, it belongs to the track itself. What comes before the first track of a disc is left out, as CD players do.
enum CueReader {
  static func read(_ bytes: [UInt8], into draft: inout PlaylistDraft) {
    var sheet = Sheet()
    PlaylistText.eachLine(bytes, &draft) { number, line, draft in
      sheet.read(CueLine(line), line: number, &draft)
    }
    sheet.endTrack(&draft)
    sheet.finish(&draft)
  }

  private struct Track {
    let line: Int
    let number: Int
    let isSound: Bool
    var title: String?
    var performer: String?
    /// Where the pause before it begins, as INDEX 00 says.
    var pause: (file: Int, time: DiscTime)?
    var start: (file: Int, entry: PlaylistEntry, time: DiscTime)?

    var isWithoutIndex: Bool { pause == nil && start == nil }
  }

  private struct Sheet {
    private var file: PlaylistEntry?
    private var files = 0
    private var track: Track?
    private var tracks: [Track] = []
    private var date: MediaDate?
    private var genre: String?
    private var disc: Int?
    /// Whether the sheet is of a recording that a DJ program made. Its tracks name the files that were mixed, which are not the recording.
    private var isOfMix = false
    /// A file that is named within the first track although there is one already, or nil if that name is no file. What follows says whether it is the
    /// next one or what was mixed.
    private var second: PlaylistEntry?
    private var hasSecond = false
    /// Whether times are hours, minutes and seconds, as rekordbox writes them.
    private var hasHours = false

    mutating func read(_ line: CueLine, line number: Int, _ draft: inout PlaylistDraft) {
      switch line.command {
      case "FILE":
        let isWithin = track?.isWithoutIndex == true
        if isWithin, isOfMix { return }
        let entry = draft.entry(line.argumentBytes, line: number)
        if isWithin, tracks.isEmpty, file != nil { (second, hasSecond) = (entry, true) } else { begin(entry) }
      case "TRACK":
        if hasSecond { begin(second) }
        hasSecond = false
        beginTrack(line, number, &draft)
      case "INDEX":
        // No other program names a file within the first track, and one before it.
        if hasSecond { (isOfMix, hasSecond) = (true, false) }
        index(line, number, &draft)
      case "TITLE":
        if track == nil { draft.playlist.title = line.argument } else { track?.title = line.argument }
      case "PERFORMER":
        if track == nil { draft.playlist.performer = line.argument } else { track?.performer = line.argument }
      case "REM": remark(line)
      case "FLAGS", "ISRC", "CATALOG", "CDTEXTFILE", "SONGWRITER", "PREGAP", "POSTGAP": break
      default: draft.problem(number, "\(line.command) is no command of a CUE sheet")
      }
    }

    private mutating func begin(_ file: PlaylistEntry?) {
      self.file = file
      files += 1
    }

    /// Reads a line with REM. It is free text, in which some programs write the disc's date, genre and number.
    private mutating func remark(_ line: CueLine) {
      guard track == nil, let (name, text) = line.remark else { return }
      switch name {
      case "DATE": date = MediaDate(text: text)
      case "GENRE": genre = text
      case "RECORDED_BY": if text.lowercased().hasPrefix("rekordbox") { (isOfMix, hasHours) = (true, true) }
      case "DISCNUMBER": disc = Int(text).flatMap { (1...999).contains($0) ? $0 : nil }
      default: break
      }
    }

    private mutating func beginTrack(_ line: CueLine, _ number: Int, _ draft: inout PlaylistDraft) {
      endTrack(&draft)
      guard let track = line.words.first.flatMap({ Int($0) }), (0...999).contains(track) else {
        draft.problem(number, "TRACK without a number; write TRACK 01 AUDIO")
        return
      }
      let isSound = line.words.count < 2 || line.words[1].uppercased() == "AUDIO"
      self.track = Track(line: number, number: track, isSound: isSound)
    }

    private mutating func index(_ line: CueLine, _ number: Int, _ draft: inout PlaylistDraft) {
      guard line.words.count >= 2, let index = Int(line.words[0]), let time = time(line.words[1]) else {
        draft.problem(number, "no index and time; write INDEX 01 mm:ss:ff")
        return
      }
      if index == 0 { track?.pause = (files, time) }
      guard track != nil, index == 1 else { return }
      guard let file else {
        draft.problem(number, "an INDEX before any FILE that can be used")
        return
      }
      let pause = startsFile(file) ? track?.pause?.time : nil
      track?.start = (files, file, min(pause ?? time, time))
    }

    private func time(_ text: Substring) -> DiscTime? {
      guard hasHours else { return DiscTime(text: text) }
      let parts = text.split(separator: ":", omittingEmptySubsequences: false).compactMap { Int($0) }
      guard parts.count == 3, (0...99).contains(parts[0]), parts[1...].allSatisfy((0..<60).contains) else {
        return nil
      }
      return DiscTime(seconds: Double((parts[0] * 60 + parts[1]) * 60 + parts[2]))
    }

    /// Whether the present track is the first of this file, though not of the disc, and the pause before it is in the file as well.
    private func startsFile(_ file: PlaylistEntry) -> Bool {
      guard let before = tracks.last?.start, track?.pause?.file == files else { return false }
      return before.file != files && before.entry.location != file.location
    }

    mutating func endTrack(_ draft: inout PlaylistDraft) {
      guard let track else { return }
      self.track = nil
      if track.start == nil {
        draft.problem(track.line, "track \(track.number) has no INDEX 01")
      } else if draft.hasRoom(after: tracks.count, line: track.line) {
        tracks.append(track)
      }
    }

    func finish(_ draft: inout PlaylistDraft) {
      for (index, track) in tracks.enumerated() where track.isSound {
        guard let start = track.start, var entry = track.start?.entry else { continue }
        let next = index + 1 < tracks.count ? tracks[index + 1].start : nil
        // Some programs repeat the FILE before each track.
        let isRepeated =
          next.map { $0.entry.location == start.entry.location && $0.time > start.time } ?? false
        let end = next?.file == start.file || isRepeated ? next?.time : nil
        guard let part = FilePart(start: start.time, end: end) else {
          draft.problem(track.line, "track \(track.number) ends before it begins")
          continue
        }
        entry.part = part.end == nil && part.start.frames == 0 ? nil : part
        entry.title = track.title
        entry.performer = track.performer ?? draft.playlist.performer
        (entry.album, entry.track) = (draft.playlist.title, track.number)
        entry.albumPerformer = draft.playlist.performer
        (entry.date, entry.genre, entry.disc) = (date, genre, disc)
        draft.add(entry, line: track.line)
      }
    }
  }
}

/// A line of a CUE sheet: a command and its argument, which is in quotes if it contains spaces.
struct CueLine {
  /// The first word of the line, such as TRACK, in capitals.
  let command: String
  /// What follows the command, without its quotes, as bytes because it may be a path.
  let argumentBytes: ArraySlice<UInt8>
  private let rest: ArraySlice<UInt8>

  init(_ line: ArraySlice<UInt8>) {
    let line = line.drop(while: PlaylistText.isBlank)
    let word = line.prefix { !PlaylistText.isBlank($0) }
    command = PlaylistText.decode(word).uppercased()
    rest = line[word.endIndex...].drop(while: PlaylistText.isBlank)
    argumentBytes = Self.argument(rest, isFile: command == "FILE")
  }

  /// What follows the command, as text; nil if nothing does.
  var argument: String? { PlaylistText.words(argumentBytes) }

  /// What a line with REM says: its first word, in capitals, and the text behind that, without quotes; nil if one of
  /// the two is missing.
  var remark: (name: String, text: String)? {
    let word = rest.prefix { !PlaylistText.isBlank($0) }
    let argument = Self.argument(rest[word.endIndex...].drop(while: PlaylistText.isBlank), isFile: false)
    return PlaylistText.words(argument).map { (PlaylistText.decode(word).uppercased(), $0) }
  }

  /// Everything after the command, split at spaces.
  var words: [Substring] { PlaylistText.decode(rest).split(whereSeparator: \.isWhitespace) }

  /// What follows a command: the text in quotes, or else the rest of the line. For FILE, the file type at the end is
  /// left out.
  private static func argument(_ rest: ArraySlice<UInt8>, isFile: Bool) -> ArraySlice<UInt8> {
    if rest.first == UInt8(ascii: "\"") {
      let inside = rest.dropFirst()
      return inside[..<(inside.lastIndex(of: UInt8(ascii: "\"")) ?? inside.endIndex)]
    }
    guard isFile, let space = rest.lastIndex(where: PlaylistText.isBlank) else { return rest }
    return rest[..<space]
  }
}

/// Writes CUE sheets. Entries that follow one another in one file without a gap share one FILE line. A part of a file
/// that ends anywhere else can't be expressed.
enum CueWriter {
  static func write(_ playlist: Playlist, _ reference: Reference) throws(PlaylistError) -> [UInt8] {
    guard playlist.entries.count <= 99 else {
      throw PlaylistError(playlist.title ?? "the list", .tooManyTracks)
    }
    var out = field("PERFORMER", playlist.performer) + field("TITLE", playlist.title)
    var previous: PlaylistEntry?
    for (index, entry) in playlist.entries.enumerated() {
      let start = entry.part?.start ?? DiscTime(frames: 0)
      if let previous, let end = previous.part?.end {
        guard previous.location == entry.location, end == start else { throw notSayable(previous) }
      } else {
        // A sheet that names the file again for a later track is read as one file in tracks, so the entry before would end where this one begins.
        if let previous, previous.location == entry.location,
          start > previous.part?.start ?? DiscTime(frames: 0)
        {
          throw notSayable(previous)
        }
        out += try file(entry.location, reference)
      }
      out += "  TRACK \((index + 1).twoDigits) AUDIO\n".utf8
      out += field("    TITLE", entry.title) + field("    PERFORMER", entry.performer)
      out += "    INDEX 01 \(start)\n".utf8
      previous = entry
    }
    if let previous, previous.part?.end != nil { throw notSayable(previous) }
    return out
  }

  private static func notSayable(_ entry: PlaylistEntry) -> PlaylistError {
    PlaylistError(entry.location.text, .partsUnsupported(.cue))
  }

  private static func file(_ location: MediaLocation, _ reference: Reference) throws(PlaylistError) -> [UInt8]
  {
    let path = try reference.line(location, avoiding: "\"")
    return Array("FILE \"".utf8) + path + Array("\" \(type(location))\n".utf8)
  }

  private static func type(_ location: MediaLocation) -> String {
    guard case .file(let path) = location else { return "WAVE" }
    return switch path.pathExtension {
    case "mp3", "mp2": "MP3"
    case "aif", "aiff": "AIFF"
    default: "WAVE"
    }
  }

  /// A field with its text in quotes. The format can't express quotes inside the text, so they become apostrophes.
  private static func field(_ name: String, _ text: String?) -> [UInt8] {
    guard let text = Reference.words(text) else { return [] }
    return Array("\(name) \"\(String(text.map { $0 == "\"" ? "'" : $0 }))\"\n".utf8)
  }
}
