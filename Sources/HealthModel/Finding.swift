// SPDX-License-Identifier: MIT

/// One thing that was examined: its condition, and what to do if it could be better.
package struct Finding: Sendable, Hashable {
  /// How much it matters.
  package enum Level: String, Sendable, CaseIterable {
    /// All is well.
    case fine
    /// It works, but may surprise somebody.
    case warning
    /// Something does not work.
    case problem
  }

  /// What was examined, in a word or two.
  package var topic: String
  /// How much it matters.
  package var level: Level
  /// Its condition, in words.
  package var text: String
  /// What to do; nil if there is nothing to do.
  package var advice: String?

  init(_ topic: String, _ level: Level, _ text: String, advice: String? = nil) {
    self.topic = topic
    self.level = level
    self.text = text
    self.advice = advice
  }
}
