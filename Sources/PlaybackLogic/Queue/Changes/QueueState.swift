// SPDX-License-Identifier: MIT

/// All of a queue, in the open: what is stored, and what a queue is made of again.
///
/// Positions count from 0 in `entries`.
package struct QueueState: Sendable, Hashable {
  /// A shuffled play order.
  package struct Order: Sendable, Hashable {
    /// The position of each entry, in the order in which they play.
    package var positions: [UInt32]
    /// Which pass it is.
    package var pass: UInt64
    /// Whether albums stay together.
    package var byAlbum: Bool
    /// For each album the position of the entry that newcomers of it may join; found anew if it is not known.
    package var anchors: [UInt32]?

    /// An order of these positions.
    package init(positions: [UInt32], pass: UInt64, byAlbum: Bool, anchors: [UInt32]? = nil) {
      self.positions = positions
      self.pass = pass
      self.byAlbum = byAlbum
      self.anchors = anchors
    }
  }

  /// The list.
  package var entries: [Entry] = []
  /// The play order, if it is shuffled.
  package var order: Order?
  /// The position of the current entry.
  package var current: Int?
  /// Whether the order was played to its end.
  package var isOver = false
  /// The position of the entry that the next shuffled pass begins with.
  package var nextFirst: Int?
  /// The entries that somebody asked to hear next, stretch by stretch of the play order: the position of its first and its last one.
  package var asked: [Int] = []
  /// What was played before the current entry, the latest last.
  package var history: [EntryID] = []
  /// The number of the entry added last, whether or not it is still there.
  package var lastID: UInt64 = 0
  /// How many play orders there were.
  package var passes: UInt64 = 0
  /// Where chance stands.
  package var chance: UInt64 = 0
  /// What to repeat.
  package var repeatChoice = ModeChoice<RepeatMode>.default
  /// How to shuffle.
  package var shuffleChoice = ModeChoice<ShuffleMode>.default
  /// How to shuffle this list, whatever was chosen.
  package var listShuffle: ModeChoice<ShuffleMode>?
  /// What the settings said of repeating.
  package var repeatPreference = RepeatMode.none
  /// What the settings said of shuffling.
  package var shufflePreference = ShuffleMode.off
  /// What undo and redo would do.
  package var log = UndoLog()

  /// The state of an empty queue.
  package init() {}
}
