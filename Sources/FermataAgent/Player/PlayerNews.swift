// SPDX-License-Identifier: MIT
package import PlaybackLogic

/// What outward faces are told of the player, besides the state that they can look up.
package enum PlayerNews: Sendable {
  /// The position jumped within the track.
  case seeked(Duration)
  /// An entry cannot be played, or not to its end.
  case troubled(EntryID, reason: String, isSkipped: Bool)
  /// The queue, its order or the current entry changed.
  case queue(QueueChange)
  /// The files of these entries were found to be gone, or to be there again.
  case missing([EntryID])
  /// More is known of an entry than was said before.
  case item(EntryID)
  /// The sound goes another way, or none; `paused` where that paused the music.
  case route(RouteChange, paused: Bool)
  /// Something interrupts.
  case interruptionBegan(Interruption.Source, wasPlaying: Bool)
  /// It is over.
  case interruptionEnded(Interruption.Source, shouldResume: Bool)
  /// An order to play was taken, and waits for this.
  case waiting(for: Interruption.Source)
  /// An order was not carried out.
  case refused(String)
  /// The volume is another, by whoever's hand.
  case volume(Double)
  /// The turn is over: whatever a face shows may be another.
  case turn
}
