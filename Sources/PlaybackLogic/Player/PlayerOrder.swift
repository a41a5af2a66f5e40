// SPDX-License-Identifier: MIT

/// What a person or a program may ask of the player, apart from edits of the queue.
package enum PlayerOrder: Sendable, Hashable {
  case play
  case pause
  /// Pause if playing, play if not.
  case toggle
  /// Be silent. A later `play` starts the track from its beginning.
  case stop
  case next
  /// Go to the track before, or restart the present one if more than `PlayerSettings.restartsAfter` of it has played.
  case previous
  /// Move by this distance in the track; a negative distance goes back.
  case seek(Duration)
  /// Move to this place in the track.
  case seekTo(Duration)
  /// Play this entry from its beginning.
  case jump(to: EntryID)
  /// Play an entry chosen at random.
  case jumpAnywhere
  /// A seek button goes down, or is still held; repeat it while the button is held. Playback then jumps through the track piece
  /// by piece. This ends when the button comes up, when another order comes (edits do not count), at the edge of the track, or
  /// when nobody has repeated it for 10 s.
  case beginSeek(SeekDirection)
  /// The seek button comes up. If it was only tapped, go to the next or the previous track.
  case endSeek

  /// Whether this is an order of a seek button. Any other order ends a held seek.
  var isOfSeekButton: Bool {
    switch self {
    case .beginSeek, .endSeek: true
    default: false
    }
  }
}
