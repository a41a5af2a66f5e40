// SPDX-License-Identifier: MIT

/// Reads CUE sheets. A track lasts from its INDEX 01 to the INDEX 01 of the next track in the same file. So the pause
/// before a track belongs to the track before, and no sound of the disc is left out.
enum CueReader {
  static func read(_ bytes: [UInt8], into gathering: inout Gathering) {
    var sheet = Sheet()
    PlaylistText.eachLine(bytes, &gathering) { number, line, gathering in
      let words = CueLine(line)
      sheet.read(words, line: number, &gathering)
    }
    sheet.endTrack(&gathering)
    sheet.finish(&gathering)
  }

  private struct Track {
    let line: Int
    let number: Int
    let isSound: Bool
    var title: String?
    var performer: String?
    var start: (file: Int, entry: PlaylistEntry, time: DiscTime)?
  }

  private struct Sheet {
    private var file: PlaylistEntry?
    private var files = 0
    private var track: Track?
    private var tracks: [Track] = []

    mutating func read(_ line: CueLine, line number: Int, _ gathering: inout Gathering) {
      switch line.command {
      case "FILE":
        file = gathering.entry(line.argumentBytes, line: number)
        files += 1
      case "TRACK": beginTrack(line, number, &gathering)
      case "INDEX": index(line, number, &gathering)
      case "TITLE":
        if track == nil { gathering.playlist.title = line.argument } else { track?.title = line.argument }
      case "PERFORMER":
        if track == nil {
          gathering.playlist.performer = line.argument
        } else {
          track?.performer = line.argument
        }
      case "REM", "FLAGS", "ISRC", "CATALOG", "CDTEXTFILE", "SONGWRITER", "PREGAP", "POSTGAP": break
      default: gathering.problem(number, "\(line.command) is no command of a CUE sheet")
      }
    }

    private mutating func beginTrack(_ line: CueLine, _ number: Int, _ gathering: inout Gathering) {
      endTrack(&gathering)
      guard let track = line.words.first.flatMap({ Int($0) }), (0...999).contains(track) else {
        gathering.problem(number, "TRACK without a number; write TRACK 01 AUDIO")
        return
      }
      let isSound = line.words.count < 2 || line.words[1].uppercased() == "AUDIO"
      self.track = Track(line: number, number: track, isSound: isSound)
    }

    private mutating func index(_ line: CueLine, _ number: Int, _ gathering: inout Gathering) {
      guard line.words.count >= 2, let index = Int(line.words[0]), let time = DiscTime(text: line.words[1])
      else {
        gathering.problem(number, "no index and time; write INDEX 01 mm:ss:ff")
        return
      }
      guard track != nil, index == 1 else { return }
      guard let file else {
        gathering.problem(number, "an INDEX before any FILE that can be used")
        return
      }
      track?.start = (files, file, time)
    }

    mutating func endTrack(_ gathering: inout Gathering) {
      guard let track else { return }
      self.track = nil
      if track.start == nil {
        gathering.problem(track.line, "track \(track.number) has no INDEX 01")
      } else {
        tracks.append(track)
      }
    }

    func finish(_ gathering: inout Gathering) {
      for (index, track) in tracks.enumerated() where track.isSound {
        guard let start = track.start, var entry = track.start?.entry else { continue }
        let next = index + 1 < tracks.count ? tracks[index + 1].start : nil
        let end = next?.file == start.file ? next?.time : nil
        guard let part = FilePart(start: start.time, end: end) else {
          gathering.problem(track.line, "track \(track.number) ends before it begins")
          continue
        }
        entry.part = part.end == nil && part.start.frames == 0 ? nil : part
        entry.title = track.title
        entry.performer = track.performer ?? gathering.playlist.performer
        (entry.album, entry.track) = (gathering.playlist.title, track.number)
        gathering.add(entry, line: track.line)
      }
    }
  }
}
