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
