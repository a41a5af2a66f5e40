// SPDX-License-Identifier: MIT

/// Who an entry of the queue is.
///
/// Its position and its place in the play order change; this never does, it is never given to another
/// entry, and it comes back with the entry when a removal is undone or the agent restarted.
package struct EntryID: Sendable, Hashable, Comparable, RawRepresentable {
  /// The number itself; the queue counts up from 1.
  package let rawValue: UInt64
  /// The identity with this number.
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Whether the left one was given out earlier.
  package static func < (left: EntryID, right: EntryID) -> Bool { left.rawValue < right.rawValue }
}
