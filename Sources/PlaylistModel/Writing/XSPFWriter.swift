// SPDX-License-Identifier: MIT

/// Writes XSPF. A part of a file is written with VLC's extension.
enum XSPFWriter {
  private static let vlc = "http://www.videolan.org/vlc/playlist/"

  static func write(_ playlist: Playlist, _ reference: Reference) throws(PlaylistError) -> [UInt8] {
    var out = """
      <?xml version="1.0" encoding="UTF-8"?>
      <playlist version="1" xmlns="http://xspf.org/ns/0/" xmlns:vlc="\(vlc)ns/0/">

      """
    out += element("title", playlist.title) + element("creator", playlist.performer)
    out += "<trackList>\n"
    for entry in playlist.entries { out += track(entry, reference) }
    out += "</trackList>\n</playlist>\n"
    return Array(out.utf8)
  }

  private static func track(_ entry: PlaylistEntry, _ reference: Reference) -> String {
    "<track>\n" + element("location", reference.uri(entry.location)) + element("title", entry.title)
      + element("creator", entry.performer) + element("album", entry.album)
      + element("trackNum", entry.track.map { "\($0)" })
      + element("duration", entry.duration.map { "\(Decimals.milliseconds($0))" })
      + (entry.part.map(part) ?? "") + "</track>\n"
  }

  private static func part(_ part: FilePart) -> String {
    "<extension application=\"\(vlc)0\">\n" + element("vlc:option", "start-time=\(part.start.secondsText)")
      + element("vlc:option", part.end.map { "stop-time=\($0.secondsText)" }) + "</extension>\n"
  }

  private static func element(_ name: String, _ text: String?) -> String {
    text.map { "<\(name)>\(escaped($0))</\(name)>\n" } ?? ""
  }

  /// The text with XML's special characters escaped, and without those that XML doesn't allow even when escaped.
  private static func escaped(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\t", "\n": out.unicodeScalars.append(scalar)
      case "\r": out += "&#13;"
      case "\0"..<" ", "\u{fffe}", "\u{ffff}": break
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }
}
