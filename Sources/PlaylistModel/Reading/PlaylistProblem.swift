// SPDX-License-Identifier: MIT

/// A line of a playlist that was not understood. The other lines are still read.
package struct PlaylistProblem: Sendable, Hashable, CustomStringConvertible {
  /// The number of the line, counted from 1.
  package let line: Int
  /// What is wrong with it and what to do.
  package let reason: String

  /// The line and the reason.
  package var description: String { "line \(line): \(reason)" }
}
