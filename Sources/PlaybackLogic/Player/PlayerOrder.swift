// SPDX-License-Identifier: MIT

/// What a person or a program may ask of the player, apart from edits of the queue.
public enum PlayerOrder: Sendable, Hashable {
  case play
  case pause
  /// Play or pause, whichever is not the case.
  case toggle
  /// Be silent, and begin the track anew when asked to play.
  case stop
  case next
  /// The track before; the present one from its beginning where it has been playing for some time.
  case previous
  /// So far forward or, below zero, back.
  case seek(Duration)
  /// To this place in the track.
  case seekTo(Duration)
  /// Play this entry from its beginning.
  case jump(to: EntryID)
  /// Play an entry that chance chooses.
  case jumpAnywhere
  /// A seek button goes down.
  case beginSeek(SeekDirection)
  /// It comes up: after a tap that means the track after or before.
  case endSeek
}
