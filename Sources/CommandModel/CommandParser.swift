// SPDX-License-Identifier: MIT

/// Parses the words of a command line into a command.
///
/// Options may be anywhere after the command's name, up to `--`. A word that begins with a dash and a digit is a number, and a lone dash is a plain
/// word. Some commands have arguments such as `-year`. Long option names can't be abbreviated, so that a new option never breaks a script.
package struct CommandParser: Sendable {
  package let root: CommandDefinition
  /// For each word that stands for a file whose name is no text: what was typed, as far as that is text. It counts where no file is meant.
  private let typed: [String: String]

  package init(_ root: CommandDefinition, typed: [String: String] = [:]) {
    (self.root, self.typed) = (root, typed)
  }

  /// Parses the words that follow the program's name.
  package func parse(_ words: [String]) throws(CommandError) -> Invocation {
    var path = CommandPath(root)
    var rest = words
    while true {
      switch path.command.action {
      case .choose:
        guard let step = try path.step(taking: &rest) else { return .help(path) }
        path = path.appending(step)
      case .run(let read):
        var scan = WordScan(path: path, words: rest, typed: typed)
        guard let parsed = try scan.run() else { return .help(path) }
        return .run(try read(parsed), as: path)
      }
    }
  }

  /// The command that these words name, for `help`; options and arguments are not allowed.
  package func path(to words: [String]) throws(CommandError) -> CommandPath {
    var path = CommandPath(root)
    for word in words {
      guard let step = path.command.subcommand(named: word) else { throw path.unknownCommand(word) }
      path = path.appending(step)
    }
    return path
  }
}

/// The result of parsing a command line.
package enum Invocation: Sendable {
  /// Run this command, which the user named by this path.
  case run(any Command, as: CommandPath)
  case help(CommandPath)
}

extension CommandPath {
  // Takes the word that names the next subcommand. Options before it belong to that subcommand: `fermata --json
  // status`. Without such a word it is the standard subcommand. Nil if help is to be shown.
  fileprivate func step(taking words: inout [String]) throws(CommandError) -> CommandDefinition? {
    if let step = words.first.flatMap(command.subcommand(named:)) {
      words.removeFirst()
      return step
    }
    let leading = words.prefix { $0.looksLikeOption }.count
    if leading < words.count, words[leading] != "--" {
      guard let step = command.subcommand(named: words[leading]) else { throw unknownCommand(words[leading]) }
      words.remove(at: leading)
      return step
    }
    if words.prefix(leading).contains(where: { $0 == "--help" || $0 == "-h" }) { return nil }
    // A word such as `--version` is a command too.
    for index in words.indices.prefix(leading) {
      guard let step = command.subcommand(named: words[index]) else { continue }
      words.remove(at: index)
      return step
    }
    if let standard = command.standard { return standard }
    if let word = words.first { throw unknownOption(word) }
    return nil
  }

  fileprivate func unknownCommand(_ word: String) -> CommandError {
    guard !command.subcommands.isEmpty else {
      return CommandError(.usage, "'\(word)'", "there is no command below '\(text)'", seeHelp)
    }
    let names = command.subcommands.map(\.name)
    let nearest = command.foreignWords[word] ?? Suggestion.nearest(to: word, among: names)
    let remedy =
      nearest.map { "did you mean '\($0)'?" } ?? furtherDown(word) ?? "'\(helpLine)' lists them"
    return CommandError(
      .usage, "'\(word)'", steps.isEmpty ? "no such command" : "no such command of '\(text)'", remedy)
  }

  // A hint for a word that is the name of subcommands further down. Users of other players type such words as `clear` and `save` without the command
  // above.
  private func furtherDown(_ word: String) -> String? {
    let paths = all.filter { $0.steps.count > steps.count + 1 && $0.command.name == word }
    guard !paths.isEmpty else { return nil }
    return "did you mean " + paths.map { "'\($0.words.joined(separator: " "))'" }.joined(separator: " or ")
      + "?"
  }

  func unknownOption(_ word: String) -> CommandError {
    let name = String(word.prefix { $0 != "=" })
    // The dashes are ignored for the suggestion: `-json` and `--jsn` both mean `--json`.
    let letters = String(name.drop { $0 == "-" })
    let nearest = Suggestion.nearest(to: letters, among: command.allOptions.map(\.long))
    let remedy = nearest.map { "did you mean '--\($0)'?" } ?? seeHelp(unlessFile: word)
    return CommandError(.usage, "'\(name)'", "no such option of '\(text)'", remedy)
  }
}

extension String {
  // `-` is a plain word, and `-30`, `-5%` and `-.5` are numbers.
  var looksLikeOption: Bool {
    guard utf8.first == 0x2D, let second = utf8.dropFirst().first, self != "--" else { return false }
    return !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(second) && second != UInt8(ascii: ".")
  }
}

/// Parses the words after a command's name into options and arguments, in one pass.
private struct WordScan {
  private let path: CommandPath
  private var words: ArraySlice<String>
  private let typed: [String: String]
  private var options: [String: [String]] = [:]
  private var positionals: [String] = []

  init(path: CommandPath, words: [String], typed: [String: String]) {
    self.path = path
    self.words = words[...]
    self.typed = typed
  }

  /// The options and arguments that the words give; nil if the words ask for help.
  mutating func run() throws(CommandError) -> ParsedCommand? {
    while let word = words.popFirst() {
      if word == "--" {
        positionals += words
        break
      }
      guard word.looksLikeOption, !isArgument(word) else {
        positionals.append(word)
        continue
      }
      if word.hasPrefix("--") { try long(word) } else { try cluster(word) }
      if options[OptionDefinition.help.long] != nil { return nil }
    }
    try checkExclusion()
    return ParsedCommand(path: path, options: options, arguments: try assigned())
  }

  // If an argument of the command may begin with a dash, only single letters and long names are read as options.
  private func isArgument(_ word: String) -> Bool {
    !word.hasPrefix("--") && word.utf8.count > 2 && path.command.arguments.contains(where: \.takesDashes)
  }

  private mutating func long(_ word: String) throws(CommandError) {
    let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let option = path.command.allOptions.first(where: { $0.long == parts[0] }) else {
      throw path.unknownOption(word)
    }
    guard parts.count == 2 else { return try add(option, as: "--\(option.long)", attached: nil) }
    guard option.value != nil else {
      throw error("--\(option.long)", "takes no value", "leave '=\(parts[1])' out")
    }
    try add(option, as: "--\(option.long)", attached: String(parts[1]))
  }

  // Reads several short options in one word, as in `-qn5`: flags, and at the end an option with a value, which is the rest of the word or else the
  // next word.
  private mutating func cluster(_ word: String) throws(CommandError) {
    var letters = word.dropFirst()
    // A combining accent after the dash would make both one character.
    if letters.isEmpty { throw path.unknownOption(word) }
    while let letter = letters.popFirst() {
      guard let option = path.command.allOptions.first(where: { $0.short == letter }) else {
        throw word.count == 2 ? path.unknownOption(word) : unknownLetter(letter, in: word)
      }
      guard option.value == nil else {
        let rest = letters.first == "=" ? letters.dropFirst() : letters
        return try add(option, as: "-\(letter)", attached: letters.isEmpty ? nil : String(rest))
      }
      options[option.long, default: []] += []
    }
  }

  private mutating func add(_ option: OptionDefinition, as name: String, attached: String?)
    throws(CommandError)
  {
    guard let definition = option.value else {
      options[option.long, default: []] += []
      return
    }
    guard let value = attached ?? nextValue() else {
      throw error(name, "needs \(definition.synopsis)", "write '\(option.synopsis)'")
    }
    options[option.long, default: []].append(try checked(value, definition, named: name))
  }

  // The next word is the value, unless it is one of the command's options: then the user forgot the value.
  private mutating func nextValue() -> String? {
    guard let next = words.first, next != "--" else { return nil }
    let forgotten = path.command.allOptions.contains {
      next == "--\($0.long)" || next.hasPrefix("--\($0.long)=")
    }
    return forgotten ? nil : words.popFirst()
  }

  /// The word as the value that it is for. Throws if it can't be that.
  private func checked(
    _ word: String, _ value: ValueDefinition, named name: String? = nil
  ) throws(CommandError) -> String {
    guard let typed = typed[word] else {
      try check(word, value, named: name)
      return word
    }
    if value.takesFiles, !value.isKept(typed) { return word }
    // The names of the user's own files are listed in this spelling, too.
    guard value.kept != nil else {
      throw error((name.map { "\($0) " } ?? "") + "'\(typed)'", "no text in UTF-8", "write it in UTF-8")
    }
    return typed
  }

  private func check(_ word: String, _ value: ValueDefinition, named name: String?) throws(CommandError) {
    let words = value.choices.map(\.word)
    guard !words.isEmpty, !words.contains(word) else { return }
    let nearest = Suggestion.nearest(to: word, among: words).map { "did you mean '\($0)'?" }
    let all = "one of \(words.joined(separator: ", "))"
    let list = value.lister.map { "'\($0)' lists them" }
    let guess = nearest.map { value.hasFewChoices ? "\($0) It is \(all)" : $0 }
    let remedy = guess ?? list ?? "write \(all)"
    // An error about an option's value names the option; one about an argument names the kind of value.
    if let name { throw error("\(name) '\(word)'", "no such choice", remedy) }
    throw error("'\(word)'", "no such \(value.name.lowercased()) of '\(path.text)'", remedy)
  }

  private func checkExclusion() throws(CommandError) {
    for group in path.command.exclusive {
      let given = group.filter { options[$0.long] != nil }
      if given.count > 1 {
        throw error(
          "--\(given[0].long)", "cannot go with --\(given[1].long)", "leave one of them out")
      }
    }
  }

  // Assigns the words to the arguments in order, and leaves enough words for the required arguments that follow.
  private func assigned() throws(CommandError) -> [String: [String]] {
    var rest = positionals[...]
    var assigned: [String: [String]] = [:]
    var needed = path.command.arguments.reduce(0) { $0 + $1.arity.minimum }
    for argument in path.command.arguments {
      guard rest.count >= needed, rest.count >= argument.arity.minimum else { throw missing(argument) }
      needed -= argument.arity.minimum
      let spare = rest.count - needed
      let taken = rest.prefix(argument.arity.repeats ? spare : min(1, spare))
      assigned[argument.value.name] = try taken.map { word throws(CommandError) in
        try checked(word, argument.value)
      }
      rest = rest.dropFirst(taken.count)
    }
    guard let word = rest.first else { return assigned }
    throw error("'\(word)'", "one word too many for '\(path.text)'")
  }

  private func error(_ subject: String, _ reason: String, _ remedy: String? = nil) -> CommandError {
    CommandError(.usage, subject, reason, remedy ?? path.seeHelp)
  }

  private func missing(_ argument: ArgumentDefinition) -> CommandError {
    // The error names the first required argument without a word, which may be another one than that at which the lack was noticed.
    let required = path.command.arguments.filter { $0.arity.minimum == 1 }
    let absent = required.dropFirst(positionals.count).first ?? argument
    return error(
      path.words.joined(separator: " "), "needs \(absent.value.synopsis)", "write '\(path.usage[0])'")
  }

  private func unknownLetter(_ letter: Character, in word: String) -> CommandError {
    let long = "-" + word
    let known = path.command.allOptions.contains { "--\($0.long)" == long }
    return error(
      "'-\(letter)' in '\(word)'", "no such option of '\(path.text)'",
      known ? "did you mean '\(long)'?" : path.seeHelp(unlessFile: word)
    )
  }
}

/// A command line that matches its definition: every required argument is present, and every choice is one of those
/// allowed.
package struct ParsedCommand: Sendable {
  package let path: CommandPath
  private let options: [String: [String]]
  private let arguments: [String: [String]]

  init(path: CommandPath, options: [String: [String]], arguments: [String: [String]]) {
    self.path = path
    self.options = options
    self.arguments = arguments
  }

  /// Whether an option was given. Traps when the command has no such option.
  package func has(_ option: OptionDefinition) -> Bool {
    precondition(path.command.allOptions.contains(option), "\(path.text) has no --\(option.long)")
    return options[option.long] != nil
  }

  /// The value of an option; nil if it wasn't given. Traps when the command has no such option. If it was given several
  /// times the last one counts, so that a shell alias can be overridden.
  package func value(_ option: OptionDefinition) -> String? {
    has(option) ? options[option.long]?.last : nil
  }

  /// All the words of an argument, in order. Traps when the command has no such argument.
  package func values(_ argument: ArgumentDefinition) -> [String] {
    precondition(path.command.arguments.contains(argument), "\(path.text) has no \(argument.value.name)")
    return arguments[argument.value.name] ?? []
  }

  /// The word of an optional argument; nil if it is absent.
  package func value(_ argument: ArgumentDefinition) -> String? { values(argument).first }

  /// The word of a required argument. Traps for an optional one.
  package func required(_ argument: ArgumentDefinition) -> String {
    precondition(argument.arity.minimum == 1, "\(argument.value.name) may be absent")
    // The parser has rejected command lines without this argument.
    return values(argument)[0]
  }

  /// An error about this command's options or arguments. Without a remedy it names the command's help.
  package func error(_ subject: String, _ reason: String, _ remedy: String? = nil) -> CommandError {
    CommandError(.usage, subject, reason, remedy ?? path.seeHelp)
  }

  /// Parses a whole number within limits. Throws an error about `name` and the word for anything else.
  package func number(_ word: String, named name: String, in limits: ClosedRange<Int>) throws(CommandError)
    -> Int
  {
    guard word.drop(while: { $0 == "-" }).isDigits else {
      throw error("\(name) '\(word)'", "not a whole number", "write one from \(limits.text)")
    }
    guard let number = Int(word), limits.contains(number) else {
      throw error("\(name) '\(word)'", "out of range", "write a number from \(limits.text)")
    }
    return number
  }

  /// The value of an option as a whole number; nil if the option wasn't given.
  package func number(_ option: OptionDefinition, in limits: ClosedRange<Int>) throws(CommandError) -> Int? {
    guard let word = value(option) else { return nil }
    return try number(word, named: "--\(option.long)", in: limits)
  }
}

extension CommandPath {
  /// The advice to read the command's help, for errors without a more specific one.
  var seeHelp: String { "see '\(helpLine)'" }

  /// The advice of `seeHelp`. If the command takes files, it adds how to write the word if it is the name of a file
  /// that looks like an option.
  func seeHelp(unlessFile word: String) -> String {
    let takesFiles = command.arguments.contains { $0.value.takesFiles }
    return takesFiles ? "\(seeHelp), or write './\(word)' if it is a file" : seeHelp
  }
}

extension ClosedRange<Int> {
  fileprivate var text: String { upperBound == .max ? "\(lowerBound) up" : "\(lowerBound) to \(upperBound)" }
}
