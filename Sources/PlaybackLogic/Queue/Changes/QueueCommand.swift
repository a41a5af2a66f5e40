// SPDX-License-Identifier: MIT

/// What somebody or something did to a queue: enough to do it again to an equal one, chance included.
///
/// It is as long as what was asked for, not as what that changed: the undo of a clear is one byte in a journal.
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
  /// `setAlbum`; that returns no change, so who calls it makes this.
  case setAlbum(AlbumKey, of: EntryID)
  /// `setMissing`; the same.
  case setMissing(Bool, of: EntryID)
  /// `skipIdentities`; the same.
  case skipIdentities(through: EntryID)
}

extension QueueCommand {
  /// Whether somebody asked for another queue, and has to be told that it is kept. What only follows the music through the
  /// queue, or notes what was found out, is none.
  package var isEdit: Bool {
    switch self {
    case .insert, .insertNext, .remove, .move, .replace, .undo, .redo, .setRepeat, .setShuffle, .shuffleList:
      true
    // It belongs to the edit that took the place away, and comes and goes with it.
    case .noteLostPlace: true
    case .start, .advance, .skipToNext, .goBack, .jump, .jumpAnywhere: false
    case .setPreferences, .setAlbum, .setMissing, .skipIdentities: false
    }
  }
}
