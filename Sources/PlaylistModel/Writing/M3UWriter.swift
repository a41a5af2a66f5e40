// SPDX-License-Identifier: MIT

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
