// SPDX-License-Identifier: MIT
package import AgentLoop
import FaceModel
package import PlaybackLogic

/// Says when another track is to be announced, as `TrackAnnouncement` decides, and waits for its tags meanwhile. Loop only.
@AgentLoop
package final class Announcer {
  private var announcement: TrackAnnouncement
  private var tagWait: LoopTimer?
  /// Called when tags were waited for long enough: ask `isDue` again.
  package var askAgain: @AgentLoop () -> Void = {}

  /// The current track, if there is one, counts as announced.
  package init(announced: EntryID?) { announcement = TrackAnnouncement(announced: announced) }

  /// Whether the tags of the current track are waited for.
  var isWaiting: Bool { announcement.isWaiting }

  /// Whether this track, now the current one, is to be announced: true once for each. Ask whenever something may have changed.
  package func isDue(_ entry: EntryID?, awaitsSound: Bool, isReading: Bool) -> Bool {
    let step = announcement.step(entry, awaitsSound: awaitsSound, isReading: isReading)
    if step == .wait || !isWaiting { tagWait?.cancel() }
    if step == .wait {
      tagWait = AgentLoop.after(TrackAnnouncement.patience) { [weak self] in
        self?.announcement.stopWaiting()
        self?.askAgain()
      }
    }
    return step == .announce
  }
}
