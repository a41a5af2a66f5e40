// SPDX-License-Identifier: MIT
package import MediaModel
package import PlaybackLogic

/// What a call or a set property asks for, once the rules of its interface have been applied.
///
/// What is left to whoever performs it is said beside each case.
package enum FaceOrder: Sendable, Hashable {
  /// Something for the player. It knows the place in the track, so "before the beginning" and "past the end"
  /// are its business.
  case player(PlayerOrder)
  /// Repeat this.
  case setRepeat(ModeChoice<RepeatMode>)
  /// Shuffle so.
  case setShuffle(ModeChoice<ShuffleMode>)
  /// Play at this volume, from 0 to 1.
  case setVolume(Double)
  /// Add this file behind the current entry and play it. Whether it can be played is to be found out before
  /// anything is touched: what plays goes on where it cannot.
  case open(FilePath)
  /// Add this file behind an entry, at the top without one and at the end where the entry is gone, and play
  /// it if asked to.
  case add(FilePath, after: EntryID?, plays: Bool)
  /// Put a playlist in the place of the queue, and play it.
  case playPlaylist(FilePath)
  /// Something for the queue.
  case queue(QueueOrder)
  /// End the program in good order.
  case quit
}
