// SPDX-License-Identifier: MIT
import PlaybackLogic
import SourceIO

/// What named sources came to.
struct FoundSources: Sendable {
  /// What is to be queued.
  let entries: [EntrySource]
  /// What was left out of it and why, a text each; not all where they are many.
  let leftOut: [String]

  // A person reads no more, and an answer must not grow with a folder.
  private static let mostTexts = 20

  init(_ expansion: SourceExpansion) {
    entries = expansion.entries
    let texts = expansion.problems.prefix(Self.mostTexts).map(\.description)
    let further = expansion.problems.count - texts.count + expansion.furtherProblems
    leftOut = further > 0 ? texts + ["and \(further) more"] : texts
  }
}
