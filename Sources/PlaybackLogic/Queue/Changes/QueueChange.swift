// SPDX-License-Identifier: MIT

/// All that one call has changed in the queue. The bus signals, the journal and a client's copy follow from
/// it.
public struct QueueChange: Sendable, Hashable {
  /// What happened to the list, in this order; the positions of each edit are those that the ones before
  /// left.
  public internal(set) var edits: [QueueEdit] = []
  /// What happened to the current entry.
  public internal(set) var current: CurrentChange?
  /// Whether the entry that follows by itself is another than before; one that was opened ahead is no use.
  public internal(set) var hasNewFollowing = false
  /// The entry that follows the current one by itself, now.
  public internal(set) var following: EntryID?
  /// Whether the play order was made anew, by a mode or because a shuffled pass began.
  public internal(set) var isReordered = false

  /// What was done, for a journal: `replay` has the same outcome on an equal queue. Nothing where nothing could
  /// change.
  public internal(set) var command: QueueCommand?

  /// No change.
  public init() {}

  /// Whether nothing has changed that anybody sees.
  public var isEmpty: Bool { edits.isEmpty && current == nil && !hasNewFollowing && !isReordered }

  /// The edits that take this change of the list back.
  public var inverseEdits: [QueueEdit] { edits.reversed().map(\.inverse) }

  /// Does to a list what was done to the queue's.
  public func apply(to list: inout [Entry]) { for edit in edits { edit.apply(to: &list) } }
}
