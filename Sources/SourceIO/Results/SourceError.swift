// SPDX-License-Identifier: MIT

/// Why sources came to nothing.
package struct SourceError: Error, Hashable, CustomStringConvertible {
  /// Which ending of a command this is.
  package enum Reason: Sendable, Hashable {
    /// It was called off.
    case cancelled
    /// Nothing of what was named is there.
    case noSuchFile
    /// It is there, but nothing in it plays.
    case nothingPlayable
  }

  /// Which ending of a command this is.
  package let reason: Reason
  /// What was wrong with each part; empty where it was called off.
  package let problems: [SourceProblem]

  init(_ reason: Reason, problems: [SourceProblem] = []) {
    self.reason = reason
    self.problems = problems
  }

  /// The first problem, and how many more there are.
  package var description: String {
    guard let first = problems.first else {
      return reason == .cancelled
        ? "sources: called off" : "sources: none named; name files, folders or playlists"
    }
    return first.description + (problems.count > 1 ? " (and \(problems.count - 1) more)" : "")
  }
}
