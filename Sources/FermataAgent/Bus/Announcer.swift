// SPDX-License-Identifier: MIT
package import AgentLoop
package import FaceModel
package import PlaybackLogic

/// Tells its owner when the current track is to be announced, as `TrackAnnouncement` decides, and sets the timer for the wait for its tags. Loop
/// only.
@AgentLoop
package final class Announcer {
  private var announcement: TrackAnnouncement
  private var tagWait: LoopTimer?
  /// Called when the wait for tags has lasted long enough: call `step` again.
  package var askAgain: @AgentLoop () -> Void = {}

  /// `announced` is the current track, if there is one: it counts as announced already.
  package init(announced: EntryID?) { announcement = TrackAnnouncement(announced: announced) }

  /// Whether the announcement of the current track waits for its tags.
  var isWaiting: Bool { announcement.isWaiting }

  /// Whether this track is the one that was announced last.
  func isAnnounced(_ entry: EntryID?) -> Bool { announcement.isAnnounced(entry) }

  /// Whether the current track `entry` is to be announced now, or only its place. `awaitsSound` says that its sound is loaded and not heard yet,
  /// `isReading` that its tags are being read. Call it whenever one of these may have changed.
  package func step(_ entry: EntryID?, awaitsSound: Bool, isReading: Bool) -> TrackAnnouncement.Step {
    let step = announcement.step(entry, awaitsSound: awaitsSound, isReading: isReading)
    if step == .wait || !isWaiting { tagWait?.cancel() }
    if step == .wait {
      tagWait = AgentLoop.after(TrackAnnouncement.patience) { [weak self] in
        self?.announcement.stopWaiting()
        self?.askAgain()
      }
    }
    return step
  }
}

/// A jump within the current track, until clients are told of it. They take a track that they are told of to be at its beginning, so a jump is told
/// after its track.
struct UntoldSeek {
  private var place: Duration?
  /// Whether the jump could not be announced at once. The sound has gone on since, so the position at the time of the announcement is sent, and not
  /// `place`.
  private var hasWaited = false

  mutating func note(_ place: Duration) { self.place = place }

  /// Whether a jump is to be told.
  var isNoted: Bool { place != nil }

  /// The place to tell now; nil if there was no jump, or if its track is not told yet. `present` is where the listener is now.
  mutating func take(isTrackTold: Bool, present: @autoclosure () -> Duration) -> Duration? {
    guard let place else { return nil }
    guard isTrackTold else {
      hasWaited = true
      return nil
    }
    defer { self = UntoldSeek() }
    return hasWaited ? present() : place
  }
}
