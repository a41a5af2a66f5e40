// SPDX-License-Identifier: MIT

/// How many entries a number of edits added, removed and moved. Undo and redo use it to tell the user what they took back.
package struct EditCounts: Sendable, Hashable {
  /// How many entries were added.
  package var added = 0
  /// How many entries were removed.
  package var removed = 0
  /// How many entries were moved within the list.
  package var moved = 0

  /// These counts.
  package init(added: Int = 0, removed: Int = 0, moved: Int = 0) {
    self.added = added
    self.removed = removed
    self.moved = moved
  }

  /// The counts of these edits, added up.
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
