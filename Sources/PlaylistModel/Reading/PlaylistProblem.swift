// SPDX-License-Identifier: MIT

/// A line that was not understood; the others were.
public struct PlaylistProblem: Sendable, Hashable, CustomStringConvertible {
  /// The line, from 1.
  public let line: Int
  /// What is wrong with it and what to do.
  public let reason: String

  /// The line and the reason.
  public var description: String { "line \(line): \(reason)" }
}
