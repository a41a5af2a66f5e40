// SPDX-License-Identifier: MIT

/// The entries that were really played before the current one, the latest last.
struct PlayHistory: Sendable, Equatable {
  /// How many of the latest entries are kept at least. Up to twice as many are kept at times.
  static let depth = 1_000

  private(set) var entries: [EntryID] = []

  /// A history that ends with these entries.
  init(_ entries: [EntryID] = []) { self.entries = entries.suffix(2 * Self.depth) }

  /// The entry played last.
  var last: EntryID? { entries.last }

  /// Adds an entry that has been played.
  mutating func push(_ entry: EntryID) {
    // The oldest thousand are dropped at once, because dropping one at each push would shift the whole array each time.
    if entries.count >= 2 * Self.depth { entries.removeFirst(Self.depth) }
    entries.append(entry)
  }

  /// Removes the entry played last. Traps if there is none.
  mutating func pop() { entries.removeLast() }
}
