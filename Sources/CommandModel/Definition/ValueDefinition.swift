// SPDX-License-Identifier: MIT

/// The value of an option or an argument: what stands for it in a synopsis, and what it may be.
public struct ValueDefinition: Sendable, Hashable {
  /// One of the words that a value may be.
  public struct Choice: Sendable, Hashable {
    /// The word.
    public let word: String
    /// What it means, as a phrase; may be empty.
    public let summary: String

    /// A choice.
    public init(_ word: String, _ summary: String = "") {
      self.word = word
      self.summary = summary
    }
  }

  /// What a shell offers where the value is typed.
  public enum Completion: Sendable, Hashable {
    /// Nothing: only the person knows.
    case nothing
    /// Files and folders.
    case files
    /// The names of commands.
    case commands
  }

  /// The name that stands for it, in capitals.
  public let name: String
  /// The words that it may be; empty when it is free.
  public let choices: [Choice]
  /// What a shell offers besides the choices.
  public let completion: Completion

  /// A free value.
  public init(_ name: String, completion: Completion = .nothing) {
    self.name = name
    self.choices = []
    self.completion = completion
  }

  /// A value that is one of a few words.
  public init(_ name: String, choices: [Choice]) {
    precondition(!choices.isEmpty, "\(name): a choice of nothing")
    self.name = name
    self.choices = choices
    self.completion = .nothing
  }

  /// What a synopsis shows: the choices where they are few, else the name.
  public var synopsis: String {
    hasFewChoices ? choices.map(\.word).joined(separator: "|") : name
  }

  /// So few that one takes them in at a glance.
  var hasFewChoices: Bool { (1...8).contains(choices.count) }
}
