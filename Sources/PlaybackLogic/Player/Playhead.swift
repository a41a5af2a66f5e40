// SPDX-License-Identifier: MIT

/// Where in the current track the listener is: what was last known, going on by itself while sound moves.
struct Playhead: Sendable {
  private var known = Duration.zero
  /// Since when it has been moving; nil while it stands.
  private var since: Duration?
  /// The track's length, as far as it is known.
  var length: Duration?

  /// The place at `now`, never past the end.
  func position(at now: Duration) -> Duration {
    let place = since.map { known + max(.zero, now - $0) } ?? known
    return min(place, max(length ?? place, known))
  }

  /// Sets the place, of which is known that it was so at `now`.
  mutating func set(_ position: Duration, isMoving: Bool, at now: Duration) {
    known = position
    since = isMoving ? now : nil
  }

  /// Stays where it is at `now`.
  mutating func stop(at now: Duration) { set(position(at: now), isMoving: false, at: now) }

  /// Stands at the beginning of another track.
  mutating func reset() { self = Playhead() }
}
