// SPDX-License-Identifier: MIT

/// Why an expansion produced no entries.
package struct SourceError: Error, Hashable, CustomStringConvertible {
  /// The kind of failure.
  package enum Reason: Sendable, Hashable {
    /// The caller cancelled it.
    case cancelled
    /// None of the named things exist.
    case noSuchFile
    /// Something exists, but nothing in it plays.
    case nothingPlayable
  }

  /// The kind of failure.
  package let reason: Reason
  /// What was wrong with each part; empty after a cancellation.
  package let problems: [SourceProblem]

  init(_ reason: Reason, problems: [SourceProblem] = []) {
    self.reason = reason
    self.problems = problems
  }

  /// The first problem, and the number of further ones.
  package var description: String {
    guard let first = problems.first else {
      return reason == .cancelled
        ? "sources: called off" : "sources: none named; name files, folders or playlists"
    }
    return first.description + (problems.count > 1 ? " (and \(problems.count - 1) more)" : "")
  }
}
