// SPDX-License-Identifier: MIT

/// One thing that was looked at: how it stands, and what to do where it could be better.
public struct Finding: Sendable, Hashable {
  /// How much it matters.
  public enum Level: String, Sendable, CaseIterable {
    /// All is well.
    case fine
    /// It works, and somebody may be surprised by it.
    case warning
    /// Something does not work.
    case problem
  }

  /// What was looked at, in a word or two.
  public var topic: String
  /// How much it matters.
  public var level: Level
  /// How it stands.
  public var text: String
  /// What to do; nothing where there is nothing to do.
  public var advice: String?

  init(_ topic: String, _ level: Level, _ text: String, advice: String? = nil) {
    self.topic = topic
    self.level = level
    self.text = text
    self.advice = advice
  }
}
