// SPDX-License-Identifier: MIT
package import PlaybackLogic

/// What the player reports to those who show, store or log it, besides the state that they can look up.
package enum PlayerNews: Sendable {
  /// The position jumped within the track.
  case seeked(Duration)
  /// An entry cannot be played, or not to its end. `isSkipped` is true if none of it was heard.
  case troubled(EntryID, reason: String, isSkipped: Bool)
  /// The queue, its order or the current entry changed.
  case queue(QueueChange)
  /// The files of these entries were found to be gone, or to be there again.
  case missing([EntryID])
  /// More is known about an entry than before, such as its tags.
  case item(EntryID)
  /// The sound goes to another output, or to none; `paused` says whether that paused the music.
  case route(RouteChange, paused: Bool)
  /// An interruption has begun; `wasPlaying` says whether music was playing.
  case interruptionBegan(Interruption.Source, wasPlaying: Bool)
  /// The interruption is over; `shouldResume` says whether playing goes on.
  case interruptionEnded(Interruption.Source, shouldResume: Bool)
  /// An order to play was accepted, but playing waits for this.
  case waiting(for: Interruption.Source)
  /// An order was not carried out.
  case refused(String)
  /// The volume has changed, whoever changed it.
  case volume(Double)
  /// The turn is over: anything that is shown of the player may have changed.
  case turn
}
