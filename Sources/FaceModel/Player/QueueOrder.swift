// SPDX-License-Identifier: MIT
package import MediaModel
package import PlaybackLogic

/// An edit of the queue, or another order for it. Rows count from 1, as on the command line. Whoever carries the order
/// out has to check that its rows and entries exist: the queue may have changed in the meantime.
package enum QueueOrder: Sendable, Hashable {
  /// Add these at the end.
  case append([MediaSource])
  /// Add these behind the current entry and behind those that were added in this way before.
  case addNext([MediaSource])
  /// Add these so that the first of them gets this row; at the end if the queue is shorter.
  case insert([MediaSource], at: Int)
  /// Replace the whole queue by these, and play.
  case play([MediaSource], PlayOptions)
  /// Take these out.
  case remove([EntryID])
  /// Move `count` rows together, beginning with this entry, so that the first of them gets row `to`.
  case move(EntryID, count: Int, to: Int)
  /// Take everything out and stop.
  case clear
  /// Shuffle the present list in this way, until another list replaces it.
  case shuffle(ModeChoice<ShuffleMode>)
  /// Take the last edit back.
  case undo
  /// Do again what was taken back.
  case redo
  /// Write the queue into a file, in the format that its name says. An existing file is kept unless `replacing` is set.
  case save(FilePath, replacing: Bool = false)
}
