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
  package var track: Int?
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

/// A part of a file that is an entry of its own, such as one track of a disc that is stored in one file.
package struct FilePart: Sendable, Hashable {
  package let start: DiscTime
  /// Where the part ends, which is where the next one begins; nil if it lasts to the end of the file.
  package let end: DiscTime?

  /// A part; nil if it would not end after its start.
  package init?(start: DiscTime, end: DiscTime?) {
    if let end, end <= start { return nil }
    (self.start, self.end) = (start, end)
  }
}

/// A time in frames of an audio disc, 75 a second, which is the unit of CUE sheets.
package struct DiscTime: Sendable, Hashable, Comparable, CustomStringConvertible {
  package static let framesPerSecond = 75
  /// The longest time that is accepted: a thousand hours.
  package static let most = DiscTime(frames: 1_000 * 3_600 * framesPerSecond)

  /// The number of frames, 0 or more.
  package let frames: Int

  package init(frames: Int) {
    precondition(frames >= 0, "\(frames) frames")
    self.frames = frames
  }

  /// The time nearest to a number of seconds; nil if it is negative or longer than `most`.
  package init?(seconds: Double) {
    guard seconds >= 0, seconds <= Double(Self.most.frames / Self.framesPerSecond) else { return nil }
    frames = Int((seconds * Double(Self.framesPerSecond)).rounded())
  }

  /// Parses `mm:ss:ff` as a CUE sheet has it. The minutes may be up to 60,000.
  package init?(text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { UInt32($0) }
    guard parts.count == 3, let minutes = parts[0], let seconds = parts[1], let rest = parts[2],
      minutes <= 60_000, seconds < 60, rest < Self.framesPerSecond
    else { return nil }
    frames = (Int(minutes) * 60 + Int(seconds)) * Self.framesPerSecond + Int(rest)
  }

  /// The time as a duration, at most a nanosecond too short.
  package var duration: Duration {
    .nanoseconds(frames * 1_000_000_000 / Self.framesPerSecond)
  }

  package var description: String {
    let seconds = frames / Self.framesPerSecond
    return [seconds / 60, seconds % 60, frames % Self.framesPerSecond]
      .map(\.twoDigits).joined(separator: ":")
  }

  /// The time in seconds with up to three decimals, which is precise enough to find the frame again.
  var secondsText: String { Decimals.text(milliseconds: frames * 1_000 / Self.framesPerSecond) }

  package static func < (first: DiscTime, second: DiscTime) -> Bool { first.frames < second.frames }
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
