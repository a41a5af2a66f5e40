// SPDX-License-Identifier: MIT

/// All of a queue, in the open: what is stored, and what a queue is made of again.
///
/// Positions count from 0 in `entries`.
public struct QueueState: Sendable, Hashable {
  /// A shuffled play order.
  public struct Order: Sendable, Hashable {
    /// The position of each entry, in the order in which they play.
    public var positions: [UInt32]
    /// Which pass it is.
    public var pass: UInt64
    /// Whether albums stay together.
    public var byAlbum: Bool
    /// For each album the position of the entry that newcomers of it may join; found anew if it is not known.
    public var anchors: [UInt32]?

    /// An order of these positions.
    public init(positions: [UInt32], pass: UInt64, byAlbum: Bool, anchors: [UInt32]? = nil) {
      self.positions = positions
      self.pass = pass
      self.byAlbum = byAlbum
      self.anchors = anchors
    }
  }

  /// The list.
  public var entries: [Entry] = []
  /// The play order, if it is shuffled.
  public var order: Order?
  /// The position of the current entry.
  public var current: Int?
  /// Whether the order was played to its end.
  public var isOver = false
  /// The position of the entry that the next shuffled pass begins with.
  public var nextFirst: Int?
  /// The entries that somebody asked to hear next, stretch by stretch of the play order: the position of its first and its last one.
  public var asked: [Int] = []
  /// What was played before the current entry, the latest last.
  public var history: [EntryID] = []
  /// The number of the entry added last, whether or not it is still there.
  public var lastID: UInt64 = 0
  /// How many play orders there were.
  public var passes: UInt64 = 0
  /// Where chance stands.
  public var chance: UInt64 = 0
  /// What to repeat.
  public var repeatChoice = ModeChoice<RepeatMode>.default
  /// How to shuffle.
  public var shuffleChoice = ModeChoice<ShuffleMode>.default
  /// How to shuffle this list, whatever was chosen.
  public var listShuffle: ModeChoice<ShuffleMode>?
  /// What the settings said of repeating.
  public var repeatPreference = RepeatMode.none
  /// What the settings said of shuffling.
  public var shufflePreference = ShuffleMode.off
  /// What undo and redo would do.
  public var log = UndoLog()

  /// The state of an empty queue.
  public init() {}
}
