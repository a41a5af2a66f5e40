// SPDX-License-Identifier: MIT
internal import MediaModel

/// Reads XSPF. If the XML is invalid at some place, the tracks before it are kept.
enum XSPFReader {
  /// The most bytes of a base, which is put before every relative address: as many as a path may have.
  private static let longestBase = 4_096

  /// The most bytes that all bases together add to the locations.
  private static let mostAdded = 32 << 20

  static func read(_ bytes: [UInt8], into draft: inout PlaylistDraft) {
    let isUTF8 = String(validating: bytes, as: UTF8.self) != nil
    var xml = XMLReader(isUTF8 ? bytes : Array(TagText.windows1252(bytes).utf8))
    var state = State()
    do {
      while let event = try xml.next() { state.take(event, line: xml.line, &draft) }
    } catch {
      draft.problem(error.line, error.reason)
    }
  }

  private struct Track {
    var location: (line: Int, text: String)?
    var start: DiscTime?
    var end: DiscTime?
    var fields: [String: String] = [:]
  }

  private struct State {
    private var path: [String] = []
    /// For each open element, the base of relative addresses in it, if it or an outer element gives one. A base that
    /// is too long counts as none.
    private var bases: [String?] = []
    private var text = ""
    private var track: Track?
    /// How many bytes the bases have added to the locations.
    private var added = 0

    mutating func take(_ event: XMLEvent, line: Int, _ draft: inout PlaylistDraft) {
      switch event {
      case .start(let name, let base):
        path.append(name)
        let outer = bases.last ?? nil
        let inner = base.map { XSPFReader.resolved($0, against: outer) }
        bases.append(inner.flatMap { $0.utf8.count <= XSPFReader.longestBase ? $0 : nil } ?? outer)
        text = ""
        if path == ["playlist", "trackList", "track"] { track = Track() }
      case .text(let piece): text += piece
      case .end:
        endElement(line, &draft)
        path.removeLast()
        bases.removeLast()
        text = ""
      }
    }

    private mutating func endElement(_ line: Int, _ draft: inout PlaylistDraft) {
      let words = PlaylistText.words(Array(text.utf8))
      switch path.dropFirst().joined(separator: "/") {
      case "title": draft.playlist.title = words
      case "creator": draft.playlist.performer = words
      case "trackList/track":
        if let track { XSPFReader.add(track, line, &draft) }
        track = nil
      case "trackList/track/location":
        guard let track, track.location == nil else { break }
        let location = location(PlaylistText.decode(text.utf8), line, &draft)
        self.track?.location = (line, location)
      case "trackList/track/extension/option": readOption(words ?? "")
      default:
        if path.count == 4 { track?.fields[path[3]] = words }
      }
    }

    /// Resolves a location. Bases may make a file far longer than it is, so beyond `mostAdded` bytes they are ignored.
    private mutating func location(_ words: String, _ line: Int, _ draft: inout PlaylistDraft) -> String {
      guard added <= XSPFReader.mostAdded else { return words }
      let location = XSPFReader.resolved(words, against: bases.last ?? nil)
      added += max(0, location.utf8.count - words.utf8.count)
      if added > XSPFReader.mostAdded {
        draft.problem(line, "xml:base has made the locations too long; from here on it is left out")
      }
      return location
    }

    private mutating func readOption(_ option: String) {
      let parts = option.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let seconds = Decimals.number(parts[1]) else { return }
      if parts[0] == "start-time" { track?.start = DiscTime(seconds: seconds) }
      if parts[0] == "stop-time" { track?.end = DiscTime(seconds: seconds) }
    }
  }

  private static func add(_ track: Track, _ line: Int, _ draft: inout PlaylistDraft) {
    guard let location = track.location else {
      draft.problem(line, "a track without a location; add one")
      return
    }
    let size = location.text.utf8.count
    guard size <= PlaylistText.longestLine else {
      draft.problem(location.line, "a location of \(size) bytes; \(PlaylistText.longestLine) are read")
      return
    }
    guard var entry = entry(location.text, location.line, &draft) else { return }
    (entry.title, entry.performer) = (track.fields["title"], track.fields["creator"])
    (entry.album, entry.track) = (track.fields["album"], track.fields["trackNum"].flatMap { Int($0) })
    entry.duration = track.fields["duration"].flatMap { Decimals.number($0) }
      .flatMap { Decimals.duration(seconds: $0 / 1_000) }
    if track.start != nil || track.end != nil {
      entry.part = FilePart(start: track.start ?? DiscTime(frames: 0), end: track.end)
    }
    draft.add(entry, line: line)
  }

  /// Resolves a relative address against a base, which is an address as well.
  private static func resolved(_ address: String, against base: String?) -> String {
    guard let base, MediaLocation.scheme(of: address.utf8) == nil else { return address }
    if !address.hasPrefix("/") {
      return base[..<(base.lastIndex(of: "/").map(base.index(after:)) ?? base.startIndex)] + address
    }
    guard let scheme = MediaLocation.scheme(of: base.utf8) else { return address }
    // The part between the scheme and the path is the host.
    let rest = base.dropFirst(scheme.utf8.count + 1)
    let machine = rest.hasPrefix("//") ? rest.dropFirst(2).prefix { $0 != "/" } : ""
    return "\(scheme)://\(machine)\(address)"
  }

  /// The entry for a location. A location is a URI; without a scheme it is a percent-encoded path that starts at the
  /// playlist's folder.
  private static func entry(_ uri: String, _ line: Int, _ draft: inout PlaylistDraft) -> PlaylistEntry? {
    guard MediaLocation.scheme(of: uri.utf8) == nil else {
      return draft.entry(Array(uri.utf8), line: line)
    }
    // Clementine writes paths as they are, where a % is no escape.
    guard let path = FilePath(PercentEncoding.decode(uri.utf8) ?? Array(uri.utf8)) else {
      draft.problem(line, "\(uri): no path; write one")
      return nil
    }
    return PlaylistEntry(location: .file(path.resolved(against: draft.folder)), written: Array(uri.utf8))
  }
}

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
