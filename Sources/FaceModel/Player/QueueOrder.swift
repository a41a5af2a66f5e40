// SPDX-License-Identifier: MIT
package import MediaModel
package import PlaybackLogic

/// An edit of the queue, or something else that is asked of it. Rows count from 1, as on the command line.
/// Whether rows and entries are there is for whoever performs it to check: the queue may be another by then.
package enum QueueOrder: Sendable, Hashable {
  /// Add these at the end.
  case append([MediaSource])
  /// Add these behind the current entry and those added in this way before.
  case addNext([MediaSource])
  /// Add these so that the first of them stands in this row; at the end where there are fewer.
  case insert([MediaSource], at: Int)
  /// Put these in the place of all that is there, and play.
  case play([MediaSource], PlayOptions)
  /// Take these out.
  case remove([EntryID])
  /// Move so many rows, from this entry on, together: the first of them stands in that row afterwards.
  case move(EntryID, count: Int, to: Int)
  /// Take everything out and stop.
  case clear
  /// Shuffle this list so, until another takes its place.
  case shuffle(ModeChoice<ShuffleMode>)
  /// Take the last edit back.
  case undo
  /// Do again what was taken back.
  case redo
  /// Write the queue into a file, in the format that its name says. One that is there stays unless it is to be replaced.
  case save(FilePath, replacing: Bool = false)
}
