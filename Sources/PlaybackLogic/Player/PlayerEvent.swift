// SPDX-License-Identifier: MIT

/// What the player has to be told.
package enum PlayerEvent: Sendable {
  /// Somebody orders something.
  case order(PlayerOrder, by: Sender)
  /// The sound engine reports.
  case sound(SoundReport)
  /// How long an entry is by its tags. Counts as long as it is the current one and nobody who has opened it knows better.
  case tagged(EntryID, length: Duration)
  /// Something that concerns interruptions and routes.
  case session(SessionEvent)
  /// What is loaded would sound different if it were loaded now: the loudness was set anew, say.
  case soundChanged
  /// A time that was asked for is over.
  case timer(PlayerTimer)
}
