// SPDX-License-Identifier: MIT

/// How many entries some edits added, removed and moved: what undo and redo say that they took back.
package struct EditCounts: Sendable, Hashable {
  /// How many came.
  package var added = 0
  /// How many went.
  package var removed = 0
  /// How many went elsewhere in the list.
  package var moved = 0

  /// Counts by hand.
  package init(added: Int = 0, removed: Int = 0, moved: Int = 0) {
    self.added = added
    self.removed = removed
    self.moved = moved
  }

  /// What edits did.
  package init(_ edits: [QueueEdit]) {
    for edit in edits {
      switch edit {
      case .added(let entries, _): added += entries.count
      case .removed(let entries, _): removed += entries.count
      case .moved(let rows, _): moved += rows.count
      }
    }
  }
}
