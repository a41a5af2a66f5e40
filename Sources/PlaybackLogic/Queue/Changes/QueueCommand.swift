// SPDX-License-Identifier: MIT

/// A call that was made to a queue, with its arguments. It is enough to repeat the call on an equal queue with the same outcome,
/// random choices included.
///
/// Its size depends on what was asked for, not on how much that changed: undoing a clear takes one byte in a journal.
package enum QueueCommand: Sendable, Hashable {
  /// `insert` and `append`.
  case insert([EntrySource], at: Int)
  /// `insertNext`.
  case insertNext([EntrySource])
  /// `remove` and `clear`.
  case remove(RangeSet<Int>)
  /// `move`.
  case move(Range<Int>, to: Int)
  /// `replace`.
  case replace([EntrySource], shuffle: ModeChoice<ShuffleMode>?)
  /// `undo`.
  case undo
  /// `redo`.
  case redo
  /// `start`.
  case start
  /// `advance`.
  case advance
  /// `skipToNext`.
  case skipToNext
  /// `goBack`.
  case goBack
  /// `jump`.
  case jump(to: EntryID)
  /// `jumpAnywhere`.
  case jumpAnywhere
  /// `setRepeat`.
  case setRepeat(ModeChoice<RepeatMode>)
  /// `setShuffle`.
  case setShuffle(ModeChoice<ShuffleMode>)
  /// `setPreferences`.
  case setPreferences(repeat: RepeatMode, shuffle: ShuffleMode)
  /// `shuffleList`.
  case shuffleList(ModeChoice<ShuffleMode>?)
  /// `noteLostPlace`.
  case noteLostPlace(Duration, inRedo: Bool)
  /// `setAlbum`. That method returns no `QueueChange`, so its caller makes this command.
  case setAlbum(AlbumKey, of: EntryID)
  /// `setMissing`. Made by the caller, as with `setAlbum`.
  case setMissing(Bool, of: EntryID)
  /// `skipIdentities`. Made by the caller, as with `setAlbum`.
  case skipIdentities(through: EntryID)
}

extension QueueCommand {
  /// Whether somebody asked to change the queue and must be told whether the change is stored. Commands that only follow the
  /// music through the queue, or note something that was found out, are no edits.
  package var isEdit: Bool {
    switch self {
    case .insert, .insertNext, .remove, .move, .replace, .undo, .redo, .setRepeat, .setShuffle, .shuffleList:
      true
    // The note belongs to the edit that removed the current entry, and has to be stored or given up along with it.
    case .noteLostPlace: true
    case .start, .advance, .skipToNext, .goBack, .jump, .jumpAnywhere: false
    case .setPreferences, .setAlbum, .setMissing, .skipIdentities: false
    }
  }
}
