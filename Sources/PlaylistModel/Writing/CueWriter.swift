// SPDX-License-Identifier: MIT
internal import MediaModel

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
        out += try file(entry.location, reference)
      }
      out += "  TRACK \(index < 9 ? "0" : "")\(index + 1) AUDIO\n".utf8
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
