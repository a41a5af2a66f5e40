// SPDX-License-Identifier: MIT
package import PlaybackLogic

/// Decides when another track is announced: once, when it is heard and its tags are known, or when it becomes current while the music is silent
/// anyway. So a track that turns out not to be playable is never announced, and none is announced twice because its tags came later.
///
/// A value without side effects. Call `step` whenever something may have changed.
package struct TrackAnnouncement: Sendable {
  /// The next thing to do.
  package enum Step: Equatable, Sendable {
    /// Announce the current track, or that there is none.
    case announce
    /// The current track is the one that was announced last, and begins anew: another one was current in between, and was not announced. Tell the
    /// place in it.
    case tellPlace
    /// Call `stopWaiting` after `patience`. This ends an earlier wait.
    case wait
    /// Do nothing. If `isWaiting` is true, the earlier wait goes on.
    case nothing
  }

  /// How long a track that sounds waits for its tags before it is announced without them.
  package static let patience = Duration.milliseconds(500)

  private var announced: EntryID?
  /// Whether, since `announced` was announced, another track was current for a while without being announced.
  private var hasLeft = false
  /// The track whose announcement waits for its tags.
  private var waiting: EntryID?
  /// The track whose tags did not come within `patience`.
  private var overdue: EntryID?

  /// `announced` is the current track, if there is one: it counts as announced already.
  package init(announced: EntryID?) { self.announced = announced }

  /// Whether this track is the one that was announced last.
  package func isAnnounced(_ entry: EntryID?) -> Bool { entry == announced }

  /// Whether an announcement waits for tags.
  package var isWaiting: Bool { waiting != nil }

  /// The next thing to do now that this entry is current. `awaitsSound` is true if its sound is loaded and not heard yet, `isReading` if its tags are
  /// being read.
  package mutating func step(_ entry: EntryID?, awaitsSound: Bool, isReading: Bool) -> Step {
    let former = waiting
    waiting = nil
    if entry == announced {
      guard hasLeft, !awaitsSound else { return .nothing }
      hasLeft = false
      return .tellPlace
    }
    hasLeft = true
    if let entry {
      if awaitsSound { return .nothing }
      if isReading, overdue != entry {
        waiting = entry
        return former == entry ? .nothing : .wait
      }
    }
    announced = entry
    hasLeft = false
    return .announce
  }

  /// Call when the tags did not come within `patience`; then call `step` again.
  package mutating func stopWaiting() {
    overdue = waiting
    waiting = nil
  }
}

/// Where clients take the playhead to be, and what they are to be told of it. They are told of a new track, which they take to be at its beginning, of
/// jumps and of the playback's state; from these they count on by themselves.
///
/// Sound may begin late, because a disk has to wake up, or run dry for a moment. Clients are then ahead of the sound until the next jump, unless they
/// are told. A value without side effects.
package struct ToldPlace: Sendable {
  /// A jump within the track of which clients are to be told.
  private struct Jump {
    let place: Duration
    /// Whether clients had not been told of the track yet when the jump was made, so that they hear of the jump later. The sound has moved on by then:
    /// they are told where it is at that time, and not `place`.
    var hasWaited = false
  }

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
  private var jump: Jump?

  /// Clients ask for the place when they connect.
  package init(_ place: Duration, isPlaying: Bool, at now: Duration) {
    (self.place, self.isPlaying, since) = (place, isPlaying, now)
  }

  /// Notes that clients were told of another track, or that nothing plays.
  package mutating func begin(at now: Duration) {
    set(.zero, at: now)
    corrected = nil
  }

  /// Notes a jump within the track, of which clients are to be told.
  package mutating func jump(to place: Duration) { jump = Jump(place: place) }

  /// The place that clients are to be told now, at the end of a turn; nil if they need not be told. It is that of a jump, or `present`, where the playhead
  /// is, if they have counted on too far from it. They are told of a place after its track, which they take to be at its beginning.
  ///
  /// While a seek button is held, which `state` says, the place jumps on its own. `isPlaying` is what clients take the state for.
  package mutating func placeToTell(
    _ state: PlaybackState, isPlaying: Bool, isTrackTold: Bool, present: Duration, at now: Duration
  ) -> Duration? {
    follow(isPlaying: isPlaying, at: now)
    guard isTrackTold else {
      jump?.hasWaited = true
      return nil
    }
    let isCountedOn = [.playing, .paused, .interrupted].contains(state)
    if jump == nil, isCountedOn, needsCorrection(to: present, at: now) { jump(to: present) }
    guard let jump else { return nil }
    self.jump = nil
    set(jump.hasWaited ? present : jump.place, at: now)
    return place
  }

  private mutating func set(_ place: Duration, at now: Duration) { (self.place, since) = (place, now) }

  private mutating func follow(isPlaying: Bool, at now: Duration) {
    guard isPlaying != self.isPlaying else { return }
    (place, since, self.isPlaying, corrected) = (place(at: now), now, isPlaying, nil)
  }

  private mutating func needsCorrection(to place: Duration, at now: Duration) -> Bool {
    let distance = self.place(at: now) - place
    guard distance > Self.tolerance || distance < .zero - Self.tolerance, place != corrected else {
      return false
    }
    corrected = place
    return true
  }

  private func place(at now: Duration) -> Duration { isPlaying ? place + (now - since) : place }
}
