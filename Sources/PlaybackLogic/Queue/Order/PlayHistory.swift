// SPDX-License-Identifier: MIT

/// What was really played before the current entry, the latest last.
struct PlayHistory: Sendable, Equatable {
  /// How far back it reaches at least.
  static let depth = 1_000

  private(set) var entries: [EntryID] = []

  /// The history that ends with these.
  init(_ entries: [EntryID] = []) { self.entries = entries.suffix(2 * Self.depth) }

  /// The entry played last.
  var last: EntryID? { entries.last }

  /// Notes that an entry has been played.
  mutating func push(_ entry: EntryID) {
    // Forgotten a thousand at a time, so that a push is not a shift of all.
    if entries.count >= 2 * Self.depth { entries.removeFirst(Self.depth) }
    entries.append(entry)
  }

  /// Forgets the entry played last.
  mutating func pop() { entries.removeLast() }
}
