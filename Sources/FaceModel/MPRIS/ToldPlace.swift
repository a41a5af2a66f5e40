// SPDX-License-Identifier: MIT

/// Where clients of MPRIS take the playhead to be. They are told of a new track, which they take to be at its beginning, of jumps and of the playback's
/// state; from these they count on by themselves.
///
/// Sound may begin late, because a disk has to wake up, or run dry for a moment. Clients are then ahead of the sound until the next jump, unless they
/// are told. A value without side effects.
package struct ToldPlace: Sendable {
  /// Clients that are off by less than this need not be told. A place that is told too often makes a slider jump.
  package static let tolerance = Duration.milliseconds(500)

  private var place: Duration
  /// When they were at `place`, by the clock of the loop.
  private var since = Duration.zero
  /// Whether they count on.
  private var isPlaying = false

  /// Clients ask for the place when they connect.
  package init(_ place: Duration) { self.place = place }

  /// Notes that clients were told of another track.
  package mutating func beginTrack(at now: Duration) { set(.zero, at: now) }

  /// Notes that clients were told of a jump to this place.
  package mutating func set(_ place: Duration, at now: Duration) { (self.place, since) = (place, now) }

  /// Notes what clients know of the state.
  package mutating func follow(isPlaying: Bool, at now: Duration) {
    if isPlaying != self.isPlaying { (place, since, self.isPlaying) = (place(at: now), now, isPlaying) }
  }

  /// Whether clients are so far from this place that they have to be told of it.
  package func isOff(from place: Duration, at now: Duration) -> Bool {
    let distance = self.place(at: now) - place
    return distance > Self.tolerance || distance < .zero - Self.tolerance
  }

  private func place(at now: Duration) -> Duration { isPlaying ? place + (now - since) : place }
}
