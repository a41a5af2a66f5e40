// SPDX-License-Identifier: MIT

/// Gathers changes so that they are written together: a transaction costs far more than a row. Nothing waits longer than `patience`,
/// so people see a library grow, and a killed scan loses little.
package struct ChangeBatch: Sendable {
  /// How many changes are written in one transaction, more or less.
  package static let size = 512
  /// How long a change waits at most while others come.
  package static let patience = Duration.seconds(1)
  /// How many files are given to the reader at once. After each such group a scan looks whether it was cancelled.
  package static let filesAtOnce = 64

  private var changes: [FileChange] = []
  /// When the first of the waiting changes came.
  private var since: Duration?

  /// A batch without changes.
  package init() {}

  /// Adds changes. Returns all that wait if they are to be written now, and an empty list otherwise.
  package mutating func add(_ new: [FileChange], at now: Duration) -> [FileChange] {
    if changes.isEmpty, !new.isEmpty { since = now }
    changes += new
    let isDue = changes.count >= Self.size || since.map { now - $0 >= Self.patience } ?? false
    return isDue ? rest() : []
  }

  /// Takes all that wait.
  package mutating func rest() -> [FileChange] {
    defer { (changes, since) = ([], nil) }
    return changes
  }
}

/// How many items came, changed and went: what the bus tells of a scan.
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
