// SPDX-License-Identifier: MIT
package import MediaModel
package import PlaybackLogic

/// What a method call, or the setting of a property, asks for after the rules of its interface have been applied.
///
/// The comment on each case says what is left to the code that carries it out.
package enum FaceOrder: Sendable, Hashable {
  /// An order for the player. It knows the position in the track, so it also decides
  /// what a seek before the beginning or past the end means.
  case player(PlayerOrder)
  /// Set what is repeated.
  case setRepeat(ModeChoice<RepeatMode>)
  /// Set how the queue is shuffled.
  case setShuffle(ModeChoice<ShuffleMode>)
  /// Set the volume, from 0 to 1.
  case setVolume(Double)
  /// Add this file behind the current entry and play it. First find out whether it
  /// can be played: if it cannot, what plays now must go on.
  case open(FilePath)
  /// Add this file behind an entry, and play it if `plays` is set. With no entry it
  /// is added at the top; if the entry is gone, at the end.
  case add(FilePath, after: EntryID?, plays: Bool)
  /// Replace the queue by a playlist, and play it.
  case playPlaylist(FilePath)
  /// An order for the queue.
  case queue(QueueOrder)
  /// Quit the program cleanly.
  case quit
}
