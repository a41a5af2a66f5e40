// SPDX-License-Identifier: MIT

/// Lets the music fade out and pause after a time that a listener asked for, as somebody does who falls asleep to it.
///
/// A value: it says how loud it may be and when to ask it again. Between being set and the beginning of the fade nothing has to be
/// done, so nothing wakes up.
package struct SleepTimer: Sendable, Equatable {
  /// What has to be done now.
  package enum Step: Sendable, Equatable {
    /// Play at this fraction of the volume, and ask again after this time.
    case play(at: Double, again: Duration)
    /// The time is over: pause, and be as loud as before when it plays again.
    case pause
  }

  /// When the time is over.
  package let end: Duration
  /// How long the fade takes: ten seconds, or a third of a shorter time.
  package let fade: Duration

  /// The longest fade.
  private static let longestFade = Duration.seconds(10)
  /// How often the volume changes during the fade. A step that is heard as one would be longer.
  private static let step = Duration.milliseconds(100)
  /// Nobody sleeps longer, and a time without bounds could not be added to another.
  package static let longest = Duration.seconds(7 * 24 * 3_600)

  /// A timer that is over after this time, which is brought within 0 and `longest`.
  package init(after time: Duration, at now: Duration) {
    let time = min(max(.zero, time), Self.longest)
    end = now + time
    fade = min(Self.longestFade, time / 3)
  }

  /// How long it still takes; never negative.
  package func left(at now: Duration) -> Duration { max(.zero, end - now) }

  /// What has to be done at this time.
  package func step(at now: Duration) -> Step {
    let left = left(at: now)
    if left == .zero { return .pause }
    if left > fade { return .play(at: 1, again: left - fade) }
    return .play(at: left / fade, again: min(Self.step, left))
  }
}
