// SPDX-License-Identifier: MIT
public import PlaybackLogic

/// What the sources came to.
public struct SourceExpansion: Sendable, Hashable {
  /// What is to be queued, in order; never empty.
  public internal(set) var entries: [EntrySource]
  /// What was left out and why, in the order of finding it.
  public internal(set) var problems: [SourceProblem]
  /// How many problems there were beyond those that were kept.
  public internal(set) var furtherProblems: Int
}
