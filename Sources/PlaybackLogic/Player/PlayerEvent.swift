// SPDX-License-Identifier: MIT

/// Something that happened and that the player must know. Passed to `Player.handle`.
package enum PlayerEvent: Sendable {
  /// A person or a program gives an order.
  case order(PlayerOrder, by: Sender)
  /// The sound engine reports something.
  case sound(SoundReport)
  /// The length of an entry according to its tags. It is used while the entry is current and no decoder has told a length.
  case tagged(EntryID, length: Duration)
  /// Something that concerns interruptions and routes, for the session.
  case session(SessionEvent)
  /// A setting has changed so that what is loaded would sound different if it were loaded now, for example the loudness. It is
  /// loaded again.
  case soundChanged
  /// A timer that the player asked for has run out.
  case timer(PlayerTimer)
}
