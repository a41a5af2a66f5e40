// SPDX-License-Identifier: MIT

/// An action that the player wants carried out. Effects must be carried out in the order in which they are returned.
package enum PlayerEffect: Sendable, Equatable {
  /// Drop the present sound and load this instead.
  case load(Playing)
  /// After the playing with this number, play that one without a gap. Nil withdraws what was to follow.
  case follow(UInt64, with: Playing?)
  /// Unload the sound: nothing is loaded any more.
  case unload
  /// True: be silent at once. False: let the sound go on.
  case corked(Bool)
  /// The position jumped within the track.
  case seeked(Duration)
  /// An entry cannot be played, or not to its end. `isSkipped` is true if none of it was heard.
  case troubled(EntryID, reason: String, isSkipped: Bool)
  /// The queue, its order or the current entry changed.
  case queueChanged(QueueChange)
  /// An order was not carried out.
  case refused(Refusal)
  /// Send a `PlayerEvent.timer` for this timer after this time. It replaces an earlier request for the same timer.
  case timer(PlayerTimer, after: Duration)
  /// Stop this timer.
  case cancelTimer(PlayerTimer)
  /// Anything else that the session wants. This is never `corked` or `timer`: those are effects of the player's own.
  case session(SessionOutput)
}
