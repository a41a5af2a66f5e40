// SPDX-License-Identifier: MIT

/// Everything that one call has changed in the queue. The signals on the bus, the journal and a client's copy of the queue are
/// made from it.
package struct QueueChange: Sendable, Hashable {
  /// The edits of the list, in order. The positions in each edit refer to the list as the edits before it left it.
  package internal(set) var edits: [QueueEdit] = []
  /// The change of the current entry, if it changed or is to begin again.
  package internal(set) var current: CurrentChange?
  /// Whether another entry than before will follow by itself. If so, an entry that was opened ahead is of no use any more.
  package internal(set) var hasNewFollowing = false
  /// The entry that will now follow the current one by itself.
  package internal(set) var following: EntryID?
  /// Whether the play order was made anew, because of a mode or because a shuffled pass began.
  package internal(set) var isReordered = false

  /// The command that was carried out, for a journal. Passed to `replay` on an equal queue, it has the same outcome. Nil if the
  /// call could not change anything.
  package internal(set) var command: QueueCommand?

  /// No change.
  package init() {}

  /// Whether nothing visible has changed. There may be a `command` nevertheless.
  package var isEmpty: Bool { edits.isEmpty && current == nil && !hasNewFollowing && !isReordered }

  /// The edits that reverse this change of the list.
  package var inverseEdits: [QueueEdit] { edits.reversed().map(\.inverse) }

  /// Applies the edits to a copy of the list, which must equal the queue's list before the change.
  package func apply(to list: inout [Entry]) { for edit in edits { edit.apply(to: &list) } }
}
