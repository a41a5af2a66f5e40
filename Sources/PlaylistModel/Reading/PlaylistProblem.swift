// SPDX-License-Identifier: MIT

/// A line that was not understood; the others were.
package struct PlaylistProblem: Sendable, Hashable, CustomStringConvertible {
  /// The line, from 1.
  package let line: Int
  /// What is wrong with it and what to do.
  package let reason: String

  /// The line and the reason.
  package var description: String { "line \(line): \(reason)" }
}
