// SPDX-License-Identifier: MIT

/// The value of an option or an argument: its name in a synopsis, and what it may be.
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

  /// The words that a value may be after a particular word.
  package struct Sequel: Sendable, Hashable {
    /// The word before the value.
    package let word: String
    /// What may follow it; empty if only the user can know.
    package let words: [String]

    /// What may follow a word.
    package init(_ word: String, _ words: [String]) {
      self.word = word
      self.words = words
    }
  }

  /// What a shell offers where the value is typed.
  package enum Completion: Sendable, Hashable {
    /// Nothing: only the user knows.
    case nothing
    /// Files and folders.
    case files
    /// The names of commands.
    case commands
    /// The names of kept files.
    case kept(KeptFiles)
    /// Files and folders and, after the scheme and a colon, the names of kept files.
    case filesOrKept(KeptFiles, scheme: String)
    /// Words that depend on the word before, which is the previous argument. Not for options.
    case sequels([Sequel])
  }

  /// The name that stands for it, in capitals.
  package let name: String
  /// The words that it may be; empty if any text is allowed.
  package let choices: [Choice]
  /// What a shell offers besides the choices.
  package let completion: Completion

  /// A value that may be any text.
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

  /// The kind of kept files that the value may name; nil if none.
  var kept: KeptFiles? {
    switch completion {
    case .kept(let files), .filesOrKept(let files, _): files
    case .nothing, .files, .commands, .sequels: nil
    }
  }

  /// Which words may follow which previous word.
  var sequels: [Sequel] { if case .sequels(let sequels) = completion { sequels } else { [] } }

  /// How a synopsis shows it: the choices if there are few, otherwise the name.
  package var synopsis: String {
    hasFewChoices ? choices.map(\.word).joined(separator: "|") : name
  }

  /// Whether there are few enough choices to be listed where the value is named.
  var hasFewChoices: Bool { (1...8).contains(choices.count) }
}
