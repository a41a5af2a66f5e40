// SPDX-License-Identifier: MIT
package import PlaybackLogic

/// The result of expanding sources.
package struct SourceExpansion: Sendable, Hashable {
  /// The entries to queue, in order; never empty.
  package internal(set) var entries: [EntrySource]
  /// What was left out and why, in the order in which it was found.
  package internal(set) var problems: [SourceProblem]
  /// How many problems there were beyond those that were kept.
  package internal(set) var furtherProblems: Int
}
