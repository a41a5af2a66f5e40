// SPDX-License-Identifier: MIT

/// Gathers the changes that a scan finds, to write them together, because a transaction costs far more than a row. No change waits longer than
/// `patience`, so that people see the library grow, and a scan that is killed loses little.
package struct ScanBatch: Sendable {
  /// About how many changes are written in one transaction.
  package static let size = 512
  /// How long a change waits at most while others come.
  package static let patience = Duration.seconds(1)
  /// How many files are given at once to the process that reads their tags. After each such group a scan checks whether it was cancelled.
  package static let filesAtOnce = 64

  private var changes: [FileChange] = []
  /// When the first of the waiting changes came.
  private var since: Duration?

  /// A batch without changes.
  package init() {}

  /// Adds changes. Returns all waiting changes if they are to be written now, and an empty list otherwise.
  package mutating func add(_ new: [FileChange], at now: Duration) -> [FileChange] {
    if changes.isEmpty, !new.isEmpty { since = now }
    changes += new
    let isDue = changes.count >= Self.size || since.map { now - $0 >= Self.patience } ?? false
    return isDue ? rest() : []
  }

  /// Takes out all waiting changes, to be written now.
  package mutating func rest() -> [FileChange] {
    defer { (changes, since) = ([], nil) }
    return changes
  }
}

/// How many items of the library were added, changed and removed. The bus reports these numbers.
package struct ChangeCounts: Sendable, Hashable {
  package var added = 0
  package var changed = 0
  package var removed = 0

  package init(added: Int = 0, changed: Int = 0, removed: Int = 0) {
    (self.added, self.changed, self.removed) = (added, changed, removed)
  }

  package var isEmpty: Bool { self == ChangeCounts() }

  package static func += (left: inout ChangeCounts, right: ChangeCounts) {
    left.added += right.added
    left.changed += right.changed
    left.removed += right.removed
  }
}
