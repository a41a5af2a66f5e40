// SPDX-License-Identifier: MIT

/// The identity of an entry of the queue.
///
/// The position and the rank of an entry change, but its identity never does. It is never given to another entry. It comes back
/// with the entry when a removal is undone or the agent restarts.
package struct EntryID: Sendable, Hashable, Comparable, RawRepresentable {
  /// The number itself; the queue counts up from 1.
  package let rawValue: UInt64
  /// The identity with this number.
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Whether `left` was given out earlier than `right`.
  package static func < (left: EntryID, right: EntryID) -> Bool { left.rawValue < right.rawValue }
}
