// SPDX-License-Identifier: MIT

/// All that one call has changed in the queue. The bus signals, the journal and a client's copy follow from
/// it.
package struct QueueChange: Sendable, Hashable {
  /// What happened to the list, in this order; the positions of each edit are those that the ones before
  /// left.
  package internal(set) var edits: [QueueEdit] = []
  /// What happened to the current entry.
  package internal(set) var current: CurrentChange?
  /// Whether the entry that follows by itself is another than before; one that was opened ahead is no use.
  package internal(set) var hasNewFollowing = false
  /// The entry that follows the current one by itself, now.
  package internal(set) var following: EntryID?
  /// Whether the play order was made anew, by a mode or because a shuffled pass began.
  package internal(set) var isReordered = false

  /// What was done, for a journal: `replay` has the same outcome on an equal queue. Nothing where nothing could
  /// change.
  package internal(set) var command: QueueCommand?

  /// No change.
  package init() {}

  /// Whether nothing has changed that anybody sees.
  package var isEmpty: Bool { edits.isEmpty && current == nil && !hasNewFollowing && !isReordered }

  /// The edits that take this change of the list back.
  package var inverseEdits: [QueueEdit] { edits.reversed().map(\.inverse) }

  /// Does to a list what was done to the queue's.
  package func apply(to list: inout [Entry]) { for edit in edits { edit.apply(to: &list) } }
}
