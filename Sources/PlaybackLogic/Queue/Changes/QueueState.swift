// SPDX-License-Identifier: MIT

/// Everything a `PlayQueue` consists of, as plain values. It is what is stored, and a queue can be made from it.
///
/// Positions count from 0 in `entries`.
package struct QueueState: Sendable, Hashable {
  /// A shuffled play order.
  package struct Order: Sendable, Hashable {
    /// The position of each entry, in the order in which they play.
    package var positions: [UInt32]
    /// The number of this pass (see `PlayQueue.passes`).
    package var pass: UInt64
    /// Whether albums stay together.
    package var byAlbum: Bool
    /// For each album, the position of the entry after which a newcomer of that album joins the order. If nil, these are found
    /// anew.
    package var anchors: [UInt32]?

    /// An order of these positions.
    package init(positions: [UInt32], pass: UInt64, byAlbum: Bool, anchors: [UInt32]? = nil) {
      self.positions = positions
      self.pass = pass
      self.byAlbum = byAlbum
      self.anchors = anchors
    }
  }

  /// The entries, in the order of the list.
  package var entries: [Entry] = []
  /// The play order if shuffle is on, otherwise nil.
  package var order: Order?
  /// The position of the current entry.
  package var current: Int?
  /// Whether the play order was played to its end and nothing is current since.
  package var isOver = false
  /// The position of the entry that the next shuffled pass will begin with, if it is drawn already.
  package var nextFirst: Int?
  /// The entries that somebody asked to hear next, as stretches of the play order. Each stretch is two numbers in a row: the
  /// positions of its first and its last entry.
  package var asked: [Int] = []
  /// The entries that were played before the current one, the latest last.
  package var history: [EntryID] = []
  /// The number of the identity given out last, whether or not its entry is still there.
  package var lastID: UInt64 = 0
  /// How many play orders there have been.
  package var passes: UInt64 = 0
  /// The state of the random generator.
  package var chance: UInt64 = 0
  /// The repeat mode that was chosen.
  package var repeatChoice = ModeChoice<RepeatMode>.default
  /// The shuffle mode that was chosen for all lists.
  package var shuffleChoice = ModeChoice<ShuffleMode>.default
  /// The shuffle mode of this list only, which overrides the one chosen for all lists.
  package var listShuffle: ModeChoice<ShuffleMode>?
  /// The repeat mode in the settings when this was stored.
  package var repeatPreference = RepeatMode.none
  /// The shuffle mode in the settings when this was stored.
  package var shufflePreference = ShuffleMode.off
  /// The edits that undo and redo would carry out.
  package var log = UndoLog()

  /// The state of an empty queue.
  package init() {}
}
