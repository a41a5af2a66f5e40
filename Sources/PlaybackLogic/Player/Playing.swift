// SPDX-License-Identifier: MIT

/// One playing of an entry.
public struct Playing: Sendable, Hashable {
  /// Its number; a repetition of the same entry has another.
  public let play: UInt64
  /// What is played.
  public let entry: Entry
  /// Where in it the sound begins.
  public let start: Duration
}
