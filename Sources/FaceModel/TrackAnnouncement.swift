// SPDX-License-Identifier: MIT
package import PlaybackLogic

/// Decides when another track is announced: once, when it is heard and its tags are known, or when it is current while nothing may
/// sound. So a track that turns out not to be playable is never announced, and none is announced twice because its tags came later.
///
/// A value without side effects. Ask for a step whenever something may have changed.
package struct TrackAnnouncement: Sendable {
  /// What has to be done.
  package enum Step: Equatable, Sendable {
    /// Announce the current track, or that there is none.
    case announce
    /// Call `stopWaiting` after `patience`. An earlier wait is over.
    case wait
    /// Nothing. A wait goes on if `isWaiting`.
    case nothing
  }

  /// How long a track that sounds waits for its tags before it is announced without them.
  package static let patience = Duration.milliseconds(500)

  private var announced: EntryID?
  /// The track whose tags are waited for.
  private var waiting: EntryID?
  /// The track whose tags were waited for long enough.
  private var overdue: EntryID?

  /// The current track, if there is one, counts as announced.
  package init(announced: EntryID?) { self.announced = announced }

  /// Whether tags are waited for.
  package var isWaiting: Bool { waiting != nil }

  /// What to do now that this entry is current. `awaitsSound` is true if it may sound and was not heard yet, `isReading` if its tags are
  /// being read.
  package mutating func step(_ entry: EntryID?, awaitsSound: Bool, isReading: Bool) -> Step {
    let former = waiting
    waiting = nil
    if entry == announced { return .nothing }
    if let entry {
      if awaitsSound { return .nothing }
      if isReading, overdue != entry {
        waiting = entry
        return former == entry ? .nothing : .wait
      }
    }
    announced = entry
    return .announce
  }

  /// The tags did not come in time: ask for a step again.
  package mutating func stopWaiting() {
    overdue = waiting
    waiting = nil
  }
}
