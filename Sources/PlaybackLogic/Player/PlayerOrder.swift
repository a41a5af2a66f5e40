// SPDX-License-Identifier: MIT

/// What a person or a program may ask of the player, apart from edits of the queue.
package enum PlayerOrder: Sendable, Hashable {
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
  /// A seek button goes down, or is still held. What is heard then runs through the track until the button comes up, another order
  /// than an edit comes, the track is at its edge, or nobody says for 10 s that the button is still held.
  case beginSeek(SeekDirection)
  /// The button comes up: after a tap that means the track after or before.
  case endSeek

  /// Whether a seek button goes down or up with it. Any other order ends what a held button does.
  var isOfSeekButton: Bool {
    switch self {
    case .beginSeek, .endSeek: true
    default: false
    }
  }
}
