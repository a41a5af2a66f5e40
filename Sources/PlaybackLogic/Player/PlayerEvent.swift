// SPDX-License-Identifier: MIT

/// What the player has to be told.
public enum PlayerEvent: Sendable {
  /// Somebody orders something.
  case order(PlayerOrder, by: Sender)
  /// The sound engine reports.
  case sound(SoundReport)
  /// Something that concerns interruptions and routes.
  case session(SessionEvent)
  /// What is loaded would sound different if it were loaded now: the loudness was set anew, say.
  case soundChanged
  /// A time that was asked for is over.
  case timer(PlayerTimer)
}
