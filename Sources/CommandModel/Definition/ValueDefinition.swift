// SPDX-License-Identifier: MIT

/// The value of an option or an argument: what stands for it in a synopsis, and what it may be.
package struct ValueDefinition: Sendable, Hashable {
  /// One of the words that a value may be.
  package struct Choice: Sendable, Hashable {
    /// The word.
    package let word: String
    /// What it means, as a phrase; may be empty.
    package let summary: String

    /// A choice.
    package init(_ word: String, _ summary: String = "") {
      self.word = word
      self.summary = summary
    }
  }

  /// The words that a value may be behind another word.
  package struct Sequel: Sendable, Hashable {
    /// The word before.
    package let word: String
    /// What may follow it; empty where only the person knows.
    package let words: [String]

    /// What may follow a word.
    package init(_ word: String, _ words: [String]) {
      self.word = word
      self.words = words
    }
  }

  /// What a shell offers where the value is typed.
  package enum Completion: Sendable, Hashable {
    /// Nothing: only the person knows.
    case nothing
    /// Files and folders.
    case files
    /// The names of commands.
    case commands
    /// The names of files that are kept.
    case kept(KeptFiles)
    /// Files and folders, and, behind the scheme and a colon, the names of files that are kept.
    case filesOrKept(KeptFiles, scheme: String)
    /// What goes with the word before, which is the argument before. Not for an option.
    case sequels([Sequel])
  }

  /// The name that stands for it, in capitals.
  package let name: String
  /// The words that it may be; empty when it is free.
  package let choices: [Choice]
  /// What a shell offers besides the choices.
  package let completion: Completion

  /// A free value.
  package init(_ name: String, completion: Completion = .nothing) {
    self.name = name
    self.choices = []
    self.completion = completion
  }

  /// A value that is one of a few words.
  package init(_ name: String, choices: [Choice]) {
    precondition(!choices.isEmpty, "\(name): a choice of nothing")
    self.name = name
    self.choices = choices
    self.completion = .nothing
  }

  /// Whether it may be a file.
  var takesFiles: Bool {
    switch completion {
    case .files, .filesOrKept: true
    case .nothing, .commands, .kept, .sequels: false
    }
  }

  /// The files that are kept of which it may be one.
  var kept: KeptFiles? {
    switch completion {
    case .kept(let files), .filesOrKept(let files, _): files
    case .nothing, .files, .commands, .sequels: nil
    }
  }

  /// What may be typed behind which word before.
  var sequels: [Sequel] { if case .sequels(let sequels) = completion { sequels } else { [] } }

  /// What a synopsis shows: the choices where they are few, else the name.
  package var synopsis: String {
    hasFewChoices ? choices.map(\.word).joined(separator: "|") : name
  }

  /// So few that one takes them in at a glance.
  var hasFewChoices: Bool { (1...8).contains(choices.count) }
}
