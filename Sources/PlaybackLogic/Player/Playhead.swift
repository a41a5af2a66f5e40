// SPDX-License-Identifier: MIT

/// The listener's place in the current track. It keeps the place that was last reported, and advances it with the clock while
/// sound moves.
struct Playhead: Sendable {
  private var known = Duration.zero
  /// When `known` was set while sound was moving; nil while it is still.
  private var since: Duration?
  /// The track's length as its decoder told it, if known.
  var length: Duration?

  /// The place at `now`. It does not advance past `length`, but a place that was set past it stays.
  func position(at now: Duration) -> Duration {
    let place = since.map { known + max(.zero, now - $0) } ?? known
    return min(place, max(length ?? place, known))
  }

  /// Sets the place that the listener had at `now`.
  mutating func set(_ position: Duration, isMoving: Bool, at now: Duration) {
    known = position
    since = isMoving ? now : nil
  }

  /// Stops at the place reached at `now`.
  mutating func stop(at now: Duration) { set(position(at: now), isMoving: false, at: now) }

  /// Goes to the beginning of another track, whose length is not known yet.
  mutating func reset() { self = Playhead() }
}
