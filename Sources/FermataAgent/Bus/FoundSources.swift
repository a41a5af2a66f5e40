// SPDX-License-Identifier: MIT
import PlaybackLogic
import SourceIO

/// What was found for the sources that somebody named.
struct FoundSources: Sendable {
  /// The entries to add to the queue.
  let entries: [EntrySource]
  /// What was left out and why, a text each. If there are many, the last text says how many more there are.
  let leftOut: [String]

  // A person reads no more than this, and an answer must not grow with a folder.
  private static let mostTexts = 20

  init(_ expansion: SourceExpansion) {
    entries = expansion.entries
    let texts = expansion.problems.prefix(Self.mostTexts).map(\.description)
    let further = expansion.problems.count - texts.count + expansion.furtherProblems
    leftOut = further > 0 ? texts + ["and \(further) more"] : texts
  }
}
