// SPDX-License-Identifier: MIT

/// Where clients of MPRIS take the playhead to be. They are told of a new track, which they take to be at its beginning, of jumps and of the playback's
/// state; from these they count on by themselves.
///
/// Sound may begin late, because a disk has to wake up, or run dry for a moment. Clients are then ahead of the sound until the next jump, unless they
/// are told. A value without side effects.
package struct ToldPlace: Sendable {
  /// Clients that are off by less than this need not be told. A place that is told too often makes a slider jump.
  package static let tolerance = Duration.seconds(1)

  private var place: Duration
  /// When they were at `place`, by the clock of the loop.
  private var since: Duration
  /// Whether they count on.
  private var isPlaying: Bool
  /// The place of the last correction. While the playhead stands there, they run ahead of it again, and are left alone: the next correction comes when
  /// it moves.
  private var corrected: Duration?

  /// Clients ask for the place when they connect.
  package init(_ place: Duration, isPlaying: Bool, at now: Duration) {
    (self.place, self.isPlaying, since) = (place, isPlaying, now)
  }

  /// Notes that clients were told of another track, or that nothing plays.
  package mutating func begin(at now: Duration) {
    set(.zero, at: now)
    corrected = nil
  }

  /// Notes that clients were told of a jump to this place.
  package mutating func set(_ place: Duration, at now: Duration) { (self.place, since) = (place, now) }

  /// Notes what clients know of the state.
  package mutating func follow(isPlaying: Bool, at now: Duration) {
    guard isPlaying != self.isPlaying else { return }
    (place, since, self.isPlaying, corrected) = (place(at: now), now, isPlaying, nil)
  }

  /// Whether clients have to be told of the place where the playhead is. Call it once for each look, and tell them if it is true.
  package mutating func needsCorrection(to place: Duration, at now: Duration) -> Bool {
    let distance = self.place(at: now) - place
    guard distance > Self.tolerance || distance < .zero - Self.tolerance, place != corrected else {
      return false
    }
    corrected = place
    return true
  }

  private func place(at now: Duration) -> Duration { isPlaying ? place + (now - since) : place }
}
