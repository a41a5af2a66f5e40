// SPDX-License-Identifier: MIT

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

  package static func < (first: DiscTime, second: DiscTime) -> Bool { first.frames < second.frames }
}

/// What the queue has to know of a library's item to play it: the file, or a part of it.
package struct ItemSource: Sendable, Hashable {
  package var path: FilePath
  /// The part of the file that is played; nil for all of it.
  package var part: FilePart?
  /// The title of the album that the item is on.
  package var album: String?

  package init(_ path: FilePath, part: FilePart? = nil, album: String? = nil) {
    (self.path, self.part, self.album) = (path, part, album)
  }
}
