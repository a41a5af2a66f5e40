// SPDX-License-Identifier: MIT

/// One playing of an entry: what the sound engine is told to play.
package struct Playing: Sendable, Hashable {
  /// Its number, which no other playing has. A repetition of the same entry gets a new one.
  package let play: UInt64
  /// The entry that is played.
  package let entry: Entry
  /// The place in the entry where the sound begins.
  package let start: Duration
}
