// SPDX-License-Identifier: MIT

/// Fades the music out and pauses it after a time that the listener has set, for somebody who falls asleep to it.
///
/// A value: it tells how loud the music may be and when to call it again. Between being set and the beginning of the fade it needs no call, so
/// nothing wakes the processor.
package struct SleepTimer: Sendable, Equatable {
  /// What to do now.
  package enum Step: Sendable, Equatable {
    /// Play at this fraction of the volume, and ask again after this time.
    case play(at: Double, again: Duration)
    /// The time is over: pause, and restore the volume for the next time that music plays.
    case pause
  }

  /// The time at which the music pauses, when it has faded out.
  package let end: Duration
  /// How long the fade takes: ten seconds, or a third of a shorter time.
  package let fade: Duration

  private static let longestFade = Duration.seconds(10)
  /// How often the volume changes during the fade: so often that single steps are not heard.
  private static let step = Duration.milliseconds(100)
  /// The longest time that a timer runs. Nobody sleeps longer, and a time without a bound could overflow when it is added to another.
  package static let longest = Duration.seconds(7 * 24 * 3_600)

  /// A timer that runs out after `time`, which is brought into the range from 0 to `longest`.
  package init(after time: Duration, at now: Duration) {
    let time = min(max(.zero, time), Self.longest)
    end = now + time
    fade = min(Self.longestFade, time / 3)
  }

  /// The time left at `now`; never negative.
  package func left(at now: Duration) -> Duration { max(.zero, end - now) }

  package func step(at now: Duration) -> Step {
    let left = left(at: now)
    if left == .zero { return .pause }
    if left > fade { return .play(at: 1, again: left - fade) }
    return .play(at: left / fade, again: min(Self.step, left))
  }
}
