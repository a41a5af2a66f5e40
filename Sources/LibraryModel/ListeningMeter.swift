// SPDX-License-Identifier: MIT

/// Decides when a track counts as played and when as skipped.
///
/// A track counts as played as soon as half of it was heard, or four minutes of it. Only time in which it sounded counts, so seeking to the end is no
/// play. It counts as skipped if the listener leaves it for another track before that, after a few seconds and not at its end: somebody who steps
/// quickly through the list to find a track has not judged those on the way. Stopping and pausing are no skips, and neither is the end of the track,
/// which with a crossfade or a damaged file comes before its length is reached.
///
/// Call `see` with the player's state whenever that may have changed, and at `due`.
package struct ListeningMeter<Track: Hashable & Sendable>: Sendable {
  /// The player's state at one time.
  package struct Moment: Sendable {
    /// The current track; nil if there is none.
    package var track: Track?
    /// The track's length; nil if it is not known.
    package var length: Duration?
    /// The listener's place in the track.
    package var place: Duration
    /// Whether the track sounds now.
    package var sounds: Bool
    /// Whether the track of the moment before has come to its end since, so that the next one began by itself: another one, or the same again.
    package var hasAdvanced: Bool

    package init(
      _ track: Track?, length: Duration? = nil, place: Duration = .zero, sounds: Bool = false,
      hasAdvanced: Bool = false
    ) {
      (self.track, self.length, self.place) = (track, length, place)
      (self.sounds, self.hasAdvanced) = (sounds, hasAdvanced)
    }
  }

  /// Says that a track was played or skipped, which is to be added to its counts.
  package enum Count: Sendable, Hashable {
    case played(Track)
    case skipped(Track)

    package var track: Track {
      switch self {
      case .played(let track), .skipped(let track): track
      }
    }
  }

  private struct Playing: Sendable {
    var track: Track
    var moment: Moment
    /// When `see` was called last.
    var time: Duration
    /// How long the track has been heard until `time`.
    var heard = Duration.zero
    var hasCounted = false
  }

  /// A track counts as played after this time, however long it is.
  package static var longestWait: Duration { .seconds(240) }
  /// A track counts as skipped only if at least this much was heard.
  package static var leastForSkip: Duration { .seconds(3) }
  /// A track that is left this shortly before its end was heard to its end, because places are not exact to the second.
  private static var end: Duration { .seconds(2) }

  private var playing: Playing?

  /// A meter that has seen nothing.
  package init() {}

  /// The time at which the present track counts as played if it goes on sounding; nil if it won't.
  package var due: Duration? {
    guard let playing, playing.moment.sounds, !playing.hasCounted else { return nil }
    let rest = max(.zero, Self.wanted(playing.moment.length) - playing.heard)
    // The track ends before it could count as played, so no call is needed.
    if let length = playing.moment.length, length - playing.moment.place < rest { return nil }
    return playing.time + rest
  }

  /// Takes the player's present state, and returns the events that are to be counted because of it.
  package mutating func see(_ moment: Moment, at now: Duration) -> [Count] {
    var counts = listen(until: now)
    if let old = playing, old.track != moment.track || moment.hasAdvanced {
      if !moment.hasAdvanced, isSkip(old, moment, now) { counts.append(.skipped(old.track)) }
      playing = nil
    }
    guard let track = moment.track else {
      playing = nil
      return counts
    }
    var present = playing ?? Playing(track: track, moment: moment, time: now)
    (present.moment, present.time) = (moment, now)
    playing = present
    return counts + countIfDue()
  }

  /// Adds the time since `see` was called last to the time that the track was heard, if it sounded.
  private mutating func listen(until now: Duration) -> [Count] {
    guard let old = playing, old.moment.sounds, now > old.time else { return [] }
    var sounded = now - old.time
    // If this is called late, time after the track's end must not be counted.
    if let length = old.moment.length { sounded = min(sounded, max(.zero, length - old.moment.place)) }
    playing?.heard += sounded
    return countIfDue()
  }

  private mutating func countIfDue() -> [Count] {
    guard let now = playing, !now.hasCounted, now.heard > .zero, now.heard >= Self.wanted(now.moment.length)
    else { return [] }
    playing?.hasCounted = true
    return [.played(now.track)]
  }

  /// How much of a track of this length has to be heard before it counts as played; the length is nil if it is not known.
  private static func wanted(_ length: Duration?) -> Duration {
    guard let length, length > .zero else { return longestWait }
    return min(length / 2, longestWait)
  }

  private func isSkip(_ old: Playing, _ moment: Moment, _ now: Duration) -> Bool {
    guard moment.track != nil, !old.hasCounted, old.heard >= Self.leastForSkip, let length = old.moment.length
    else { return false }
    let place = old.moment.sounds ? old.moment.place + (now - old.time) : old.moment.place
    return place < length - Self.end
  }
}
