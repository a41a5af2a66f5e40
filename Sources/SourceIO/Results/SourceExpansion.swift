// SPDX-License-Identifier: MIT
package import PlaybackLogic

/// What the sources came to.
package struct SourceExpansion: Sendable, Hashable {
  /// What is to be queued, in order; never empty.
  package internal(set) var entries: [EntrySource]
  /// What was left out and why, in the order of finding it.
  package internal(set) var problems: [SourceProblem]
  /// How many problems there were beyond those that were kept.
  package internal(set) var furtherProblems: Int
}
