// SPDX-License-Identifier: MIT

/// What the player wants done, in this order.
package enum PlayerEffect: Sendable, Equatable {
  /// Drop what is heard and make this the sound.
  case load(Playing)
  /// Let this come after the playing with that number, without a gap; nil takes it back.
  case follow(UInt64, with: Playing?)
  /// Let go of the sound: nothing is loaded any more.
  case unload
  /// Be silent at once, or let it sound.
  case corked(Bool)
  /// The position jumped within the track.
  case seeked(Duration)
  /// An entry cannot be played, or not to its end; `isSkipped` where none of it was heard.
  case troubled(EntryID, reason: String, isSkipped: Bool)
  /// The queue, its order or the current entry changed.
  case queueChanged(QueueChange)
  /// An order was not carried out.
  case refused(Refusal)
  /// Send the timer's event after this time.
  case timer(PlayerTimer, after: Duration)
  /// The timer is not wanted any more.
  case cancelTimer(PlayerTimer)
  /// What the session wants besides: it never holds `corked` or `timer`, which are the player's own effects.
  case session(SessionOutput)
}
