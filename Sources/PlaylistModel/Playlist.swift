// SPDX-License-Identifier: MIT
package import MediaModel

/// A list of things to play, in order.
package struct Playlist: Sendable, Hashable {
  /// The playlist's name; for a CUE sheet, the title of the album.
  package var title: String?
  /// The playlist's creator; for a CUE sheet, the artist of the album.
  package var performer: String?
  package var entries: [PlaylistEntry]

  package init(title: String? = nil, performer: String? = nil, entries: [PlaylistEntry] = []) {
    (self.title, self.performer, self.entries) = (title, performer, entries)
  }
}

/// An entry of a playlist: a location, and the facts that the playlist states about it.
package struct PlaylistEntry: Sendable, Hashable {
  /// The path or URI as it is written in the playlist; empty for an entry that was not read from a file.
  package var written: [UInt8]
  /// The location that `written` means; a relative path starts at the playlist's folder.
  package var location: MediaLocation
  /// The part of the file that is meant; nil for the whole file.
  package var part: FilePart?
  package var title: String?
  package var performer: String?
  package var album: String?
  /// The artist of the album, where that is another one than the entry's.
  package var albumPerformer: String?
  package var genre: String?
  package var date: MediaDate?
  package var track: Int?
  package var disc: Int?
  package var duration: Duration?

  package init(location: MediaLocation, written: [UInt8] = [], part: FilePart? = nil) {
    (self.location, self.written, self.part) = (location, written, part)
  }

  /// Other paths that may be meant, to be tried in this order if the file doesn't exist. Players on other systems write names in Latin-1, backslashes
  /// instead of slashes, and percent-encoding without a scheme.
  package var alternatives: [FilePath] {
    guard case .file(let path) = location else { return [] }
    var others: [FilePath?] = []
    if path.exactText == nil { others.append(FilePath(PlaylistText.latin1(path.bytes))) }
    let slashes = path.bytes.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
    if slashes != path.bytes { others.append(FilePath(slashes)?.tidied) }
    others.append(PercentEncoding.decode(path.bytes).flatMap { FilePath($0) })
    return others.compactMap { $0 }.filter { $0 != path }
  }
}

extension DiscTime {
  /// The time in seconds with up to three decimals, which is precise enough to find the frame again.
  var secondsText: String { Decimals.text(milliseconds: frames * 1_000 / Self.framesPerSecond) }
}

/// Numbers of seconds as playlists write them: with a point and as many decimals as needed.
enum Decimals {
  /// A number of milliseconds, written in seconds.
  static func text(milliseconds: Int) -> String {
    let rest = milliseconds % 1_000
    if rest == 0 { return String(milliseconds / 1_000) }
    let digits = String(rest)
    return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - digits.count) + digits
  }

  /// Parses a plain number; nil for anything else, for infinities, and for more than 1e9, which no sound lasts.
  static func number(_ text: some StringProtocol) -> Double? {
    guard text.utf8.allSatisfy({ "+-.0123456789".utf8.contains($0) }), let value = Double(String(text)),
      abs(value) <= 1e9
    else { return nil }
    return value
  }

  /// A number of seconds as a duration, to the millisecond; nil if negative, which in playlists means "not known".
  static func duration(seconds: Double) -> Duration? {
    seconds < 0 ? nil : .milliseconds(Int((seconds * 1_000).rounded()))
  }

  /// The duration in milliseconds, rounded to the nearest.
  static func milliseconds(_ duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    return Int(seconds) * 1_000 + Int((attoseconds + 500_000_000_000_000) / 1_000_000_000_000_000)
  }
}
