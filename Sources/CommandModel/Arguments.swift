// SPDX-License-Identifier: MIT

/// One option of a command: `--json`, `-o FILE`, `--at N`.
package struct OptionDefinition: Sendable, Hashable {
  /// The option's long name, without the dashes.
  package let long: String
  package let short: Character?
  /// The value that the option takes; nil for a flag.
  package let value: ValueDefinition?
  /// What the option does, as a phrase without a full stop.
  package let summary: String

  /// An option. Traps if a name could be mistaken for something else: `-3` is a number, never an option.
  package init(
    _ long: String, short: Character? = nil, value: ValueDefinition? = nil, summary: String
  ) {
    precondition(long.count > 1 && !long.hasPrefix("-") && !long.contains("="), "an option --\(long)")
    precondition(short?.isLetter != false, "an option that looks like a number")
    self.long = long
    self.short = short
    self.value = value
    self.summary = summary
  }

  /// `--help`, which every command has.
  package static let help = OptionDefinition("help", short: "h", summary: "Show this help")
  /// `--json`, for every command that outputs data.
  package static let json = OptionDefinition("json", summary: "Write JSON")

  /// The option as usage lines write it: `--at N`.
  package var synopsis: String {
    guard let value else { return "--\(long)" }
    return "--\(long) \(value.synopsis)"
  }

  /// Both names, as a list of options shows them: `-o, --output FILE`.
  package var heading: String { (short.map { "-\($0), " } ?? "") + synopsis }
}

/// One positional argument of a command.
package struct ArgumentDefinition: Sendable, Hashable {
  /// How many words an argument takes.
  package enum Arity: Sendable, Hashable {
    case one
    /// One word or none.
    case optional
    /// One word or more.
    case some
    /// Any number of words, also none.
    case any

    /// The fewest words that the argument needs.
    package var minimum: Int { self == .one || self == .some ? 1 : 0 }
    /// Whether the argument may take several words: all that later arguments do not need.
    package var repeats: Bool { self == .some || self == .any }
  }

  /// The name of the argument's value, and what the value may be.
  package let value: ValueDefinition
  package let arity: Arity
  /// Whether the argument's words may begin with a dash, as in `queue sort -year`. The command then has no options that are several letters behind
  /// one dash: `-year` is a word for this argument.
  package let takesDashes: Bool
  /// What the argument means, as a phrase without a full stop.
  package let summary: String

  package init(
    _ value: ValueDefinition, _ arity: Arity = .one, takesDashes: Bool = false, summary: String
  ) {
    self.value = value
    self.arity = arity
    self.takesDashes = takesDashes
    self.summary = summary
  }

  /// The argument as usage lines write it: `SOURCE…`, `[ID]`, `[none|one|all]`.
  package var synopsis: String {
    let name = value.synopsis
    return switch arity {
    case .one: name
    case .optional: "[\(name)]"
    case .some: "\(name)…"
    case .any: "[\(name)…]"
    }
  }
}

/// The value of an option or an argument: its name in a synopsis, and what it may be.
package struct ValueDefinition: Sendable, Hashable {
  /// One of the words that a value may be.
  package struct Choice: Sendable, Hashable {
    package let word: String
    /// What the word means, as a phrase; may be empty.
    package let summary: String

    package init(_ word: String, _ summary: String = "") {
      self.word = word
      self.summary = summary
    }
  }

  /// The words that a value may be after a particular word of the argument before it.
  package struct Sequel: Sendable, Hashable {
    package let word: String
    /// The words that may follow `word`; empty if only the user can know.
    package let words: [String]

    package init(_ word: String, _ words: [String]) {
      self.word = word
      self.words = words
    }
  }

  /// The words that a shell offers while the value is typed.
  package enum Completion: Sendable, Hashable {
    /// Nothing, because only the user knows the possible values.
    case nothing
    /// One of these words.
    case choices([Choice])
    /// These words, among others that only the user knows.
    case suggestions([Choice])
    case files
    case commands
    /// The names of the files that the user keeps in a certain folder, such as playlists.
    case kept(KeptFiles)
    /// Files and folders and, after the scheme and a colon, the names of files that the user keeps in a certain folder: `playlist:NAME`.
    case filesOrKept(KeptFiles, scheme: String)
    /// Words that depend on the word before, which is the previous argument. Not for options.
    case sequels([Sequel])
  }

  /// The name that stands for the value in usage lines, in capitals.
  package let name: String
  /// The possible values, as far as shell completion can know them.
  package let completion: Completion

  /// The command that lists the possible values, for the error about a wrong one; nil if there is none.
  package let lister: String?

  package init(_ name: String, completion: Completion = .nothing, listedBy lister: String? = nil) {
    self.name = name
    self.completion = completion
    self.lister = lister
  }

  /// A value that is one of a few words. `lister` is the command that lists them; an error about a wrong word names it.
  package init(_ name: String, choices: [Choice], listedBy lister: String? = nil) {
    precondition(!choices.isEmpty, "\(name): a choice of nothing")
    self.init(name, completion: .choices(choices), listedBy: lister)
  }

  /// The words that the value may be; empty if it need not be one of a few words.
  package var choices: [Choice] { if case .choices(let choices) = completion { choices } else { [] } }

  /// The words that a shell offers, whether or not others are allowed.
  var offered: [Choice] { if case .suggestions(let words) = completion { words } else { choices } }

  var takesFiles: Bool {
    switch completion {
    case .files, .filesOrKept: true
    default: false
    }
  }

  /// The user's files whose names the value may be, such as playlists; nil if it names none.
  var kept: KeptFiles? {
    switch completion {
    case .kept(let files), .filesOrKept(let files, _): files
    default: nil
    }
  }

  /// Whether a word begins with the scheme for files that the user keeps, as in `playlist:NAME`. Other words are paths.
  func isKept(_ word: String) -> Bool {
    if case .filesOrKept(_, let scheme) = completion { word.hasPrefix(scheme + ":") } else { false }
  }

  /// For each word of the argument before this one, the words that the value may be; empty unless they depend on it.
  var sequels: [Sequel] { if case .sequels(let sequels) = completion { sequels } else { [] } }

  /// The value as a usage line shows it: the choices if there are few, otherwise the name.
  package var synopsis: String {
    hasFewChoices ? choices.map(\.word).joined(separator: "|") : name
  }

  /// Whether there are few enough choices to be listed where the value is named.
  var hasFewChoices: Bool { (1...7).contains(choices.count) }
}

extension OptionDefinition {
  /// The summary, with the possible values if there are too many for a usage line and no command lists them.
  var explanation: String {
    guard let value, !value.choices.isEmpty, !value.hasFewChoices, value.lister == nil else { return summary }
    return "\(summary): \(value.choices.map { "`\($0.word)`" }.joined(separator: ", "))"
  }
}

/// Files that a program keeps for its user under names that the user chose. Shell completion offers these names.
///
/// Characters that a file name can't contain are written as `%XX` in it. The shell looks for the files itself,
/// without running the program.
package struct KeptFiles: Sendable, Hashable {
  /// The kind of these files, as one lower-case word. It becomes part of function names in scripts.
  package let word: String
  /// The folder that contains the files, relative to the user's data folder (`$XDG_DATA_HOME`).
  package let folder: String
  /// The extensions that the files may have, without the dot.
  package let endings: [String]

  package init(_ word: String, in folder: String, endings: [String]) {
    self.word = word
    self.folder = folder
    self.endings = endings
  }

  /// A pattern for the names of the files, which every shell understands.
  var pattern: String { endings.count == 1 ? "*.\(endings[0])" : "*.{\(endings.joined(separator: ","))}" }
}
