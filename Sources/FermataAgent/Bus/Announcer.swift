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
