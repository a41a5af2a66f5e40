// SPDX-License-Identifier: MIT

/// Decides when a track counts as played and when as skipped.
///
/// A play counts as soon as half of the track was heard, or four minutes of it. Only time in which it sounded counts, so seeking to the
/// end is no play. A skip counts if a track is left for another one before that, at a place that is not its end, and after a few
/// seconds: whoever steps through the list to find something has not judged what is on the way. Stopping and pausing are no skips.
///
/// It is told what the player shows whenever that may have changed, and at `due`.
package struct ListeningMeter<Track: Hashable & Sendable>: Sendable {
  /// What a player shows at one time.
  package struct Moment: Sendable {
    /// What plays or would play; nil if nothing is current.
    package var track: Track?
    /// Its length; nil if nobody knows it.
    package var length: Duration?
    /// The listener's place in it.
    package var place: Duration
    /// Whether it sounds now.
    package var sounds: Bool
    /// Whether the listener has jumped within the track since the moment before.
    package var hasSeeked: Bool

    package init(
      _ track: Track?, length: Duration? = nil, place: Duration = .zero, sounds: Bool = false,
      hasSeeked: Bool = false
    ) {
      (self.track, self.length, self.place) = (track, length, place)
      (self.sounds, self.hasSeeked) = (sounds, hasSeeked)
    }
  }

  /// What counts, and for which track.
  package enum Count: Sendable, Hashable {
    case played(Track)
    case skipped(Track)
  }

  private struct Playing: Sendable {
    var track: Track
    var moment: Moment
    /// The time of that moment.
    var time: Duration
    /// For how long it was heard up to then.
    var heard = Duration.zero
    var hasCounted = false
  }

  /// A play counts after this time, however long the track is.
  package static var longestWait: Duration { .seconds(240) }
  /// A skip counts only after so much was heard.
  package static var leastForSkip: Duration { .seconds(3) }
  /// A track that is left in its last moments was heard to its end: places are not exact to the second.
  private static var end: Duration { .seconds(2) }

  private var playing: Playing?

  /// A meter that has seen nothing.
  package init() {}

  /// The time at which the present track counts as played if it goes on sounding; nil if none will.
  package var due: Duration? {
    guard let playing, playing.moment.sounds, !playing.hasCounted else { return nil }
    let rest = max(.zero, Self.wanted(playing.moment.length) - playing.heard)
    // Beyond its length nothing is counted any more, so there is nothing to wake up for.
    if let length = playing.moment.length, length - playing.moment.place < rest { return nil }
    return playing.time + rest
  }

  /// Takes what the player shows now, and returns what counts because of that.
  package mutating func see(_ moment: Moment, at now: Duration) -> [Count] {
    var counts = listen(until: now)
    if let old = playing, old.track != moment.track || hasBegunAnew(old, moment, now) {
      if isSkip(old, moment, now) { counts.append(.skipped(old.track)) }
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

  /// Adds the time since the last moment to what was heard.
  private mutating func listen(until now: Duration) -> [Count] {
    guard let old = playing, old.moment.sounds, now > old.time else { return [] }
    var sounded = now - old.time
    // Whoever asks late must not count what came after the end.
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

  /// How much of a track has to be heard.
  private static func wanted(_ length: Duration?) -> Duration {
    guard let length, length > .zero else { return longestWait }
    return min(length / 2, longestWait)
  }

  /// Whether the same track began again by itself, because it is repeated: it is back at its beginning, and nobody has jumped there.
  private func hasBegunAnew(_ old: Playing, _ moment: Moment, _ now: Duration) -> Bool {
    guard !moment.hasSeeked, let length = old.moment.length, old.moment.sounds else { return false }
    let expected = old.moment.place + (now - old.time)
    return moment.place < old.moment.place && expected >= length - Self.end
  }

  private func isSkip(_ old: Playing, _ moment: Moment, _ now: Duration) -> Bool {
    guard moment.track != nil, !old.hasCounted, old.heard >= Self.leastForSkip, let length = old.moment.length
    else { return false }
    let place = old.moment.sounds ? old.moment.place + (now - old.time) : old.moment.place
    return place < length - Self.end
  }
}
