// SPDX-License-Identifier: MIT

/// A time in frames of an audio disc, 75 a second, which is the unit of CUE sheets.
package struct DiscTime: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The number of frames in a second.
  package static let framesPerSecond = 75
  /// The longest time that is accepted: a thousand hours.
  package static let most = DiscTime(frames: 1_000 * 3_600 * framesPerSecond)

  /// The number of frames, 0 or more.
  package let frames: Int

  /// A time of this many frames. Traps if negative.
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

  /// `mm:ss:ff`.
  package var description: String {
    let seconds = frames / Self.framesPerSecond
    return [seconds / 60, seconds % 60, frames % Self.framesPerSecond]
      .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  /// The time in seconds with up to three decimals, which is precise enough to find the frame again.
  var secondsText: String { Decimals.text(milliseconds: frames * 1_000 / Self.framesPerSecond) }

  /// Whether one time is earlier.
  package static func < (first: DiscTime, second: DiscTime) -> Bool { first.frames < second.frames }
}
