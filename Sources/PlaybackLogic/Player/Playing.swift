// SPDX-License-Identifier: MIT

/// One playing of an entry.
package struct Playing: Sendable, Hashable {
  /// Its number; a repetition of the same entry has another.
  package let play: UInt64
  /// What is played.
  package let entry: Entry
  /// Where in it the sound begins.
  package let start: Duration
}
