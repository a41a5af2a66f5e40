// SPDX-License-Identifier: MIT

/// One thing that was looked at: how it stands, and what to do where it could be better.
package struct Finding: Sendable, Hashable {
  /// How much it matters.
  package enum Level: String, Sendable, CaseIterable {
    /// All is well.
    case fine
    /// It works, and somebody may be surprised by it.
    case warning
    /// Something does not work.
    case problem
  }

  /// What was looked at, in a word or two.
  package var topic: String
  /// How much it matters.
  package var level: Level
  /// How it stands.
  package var text: String
  /// What to do; nothing where there is nothing to do.
  package var advice: String?

  init(_ topic: String, _ level: Level, _ text: String, advice: String? = nil) {
    self.topic = topic
    self.level = level
    self.text = text
    self.advice = advice
  }
}
