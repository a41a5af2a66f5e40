// SPDX-License-Identifier: MIT

/// Parses the words of a command line into a command.
///
/// Options may be anywhere after the command's name, up to `--`. A word that begins with a dash and a digit is a
/// number, and a lone dash is a plain word. Long option names can't be abbreviated, so that a new option never breaks
/// a script.
package struct CommandParser: Sendable {
  /// The definition of the program.
  package let root: CommandDefinition

  /// A parser of one program's command lines.
  package init(_ root: CommandDefinition) { self.root = root }

  /// Parses the words that follow the program's name.
  package func parse(_ words: [String]) throws(UsageError) -> Invocation {
    var path = CommandPath(root)
    var rest = words
    while !path.command.subcommands.isEmpty {
      guard let step = try path.step(taking: &rest) else { return .help(path) }
      path = path.appending(step)
    }
    var scan = WordScan(path: path, words: rest)
    return try scan.run()
  }

  /// The command that these words name, for `help`; options and arguments are not allowed.
  package func path(to words: [String]) throws(UsageError) -> CommandPath {
    var path = CommandPath(root)
    for word in words {
      guard let step = path.command.subcommand(named: word) else { throw path.unknownCommand(word) }
      path = path.appending(step)
    }
    return path
  }
}

extension CommandPath {
  // Takes the word that names the next subcommand. Options before it belong to that subcommand: `fermata --json
  // status`.
  fileprivate func step(taking words: inout [String]) throws(UsageError) -> CommandDefinition? {
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
    if let standard = command.defaultSubcommand { return command.subcommand(named: standard) }
    if let word = words.first { throw unknownOption(word) }
    return nil
  }

  fileprivate func unknownCommand(_ word: String) -> UsageError {
    guard !command.subcommands.isEmpty else {
      return UsageError("'\(word)'", "there is no command below '\(text)'", seeHelp)
    }
    let names = command.subcommands.map(\.name)
    let nearest = command.foreignWords[word] ?? Suggestion.nearest(to: word, among: names)
    let remedy =
      nearest.map { "did you mean '\($0)'?" } ?? furtherDown(word) ?? "'\(helpLine)' lists them"
    return UsageError("'\(word)'", steps.isEmpty ? "no such command" : "no such command of '\(text)'", remedy)
  }

  // Suggests subcommands of this name that are deeper down: other players have commands such as `clear` and `save` at
  // the top.
  private func furtherDown(_ word: String) -> String? {
    let paths = all.filter { $0.steps.count > steps.count + 1 && $0.command.name == word }
    guard !paths.isEmpty else { return nil }
    return "did you mean " + paths.map { "'\($0.words.joined(separator: " "))'" }.joined(separator: " or ")
      + "?"
  }

  func unknownOption(_ word: String) -> UsageError {
    let name = String(word.prefix { $0 != "=" })
    // The dashes are ignored for the suggestion: `-json` and `--jsn` both mean `--json`.
    let letters = String(name.drop { $0 == "-" })
    let nearest = Suggestion.nearest(to: letters, among: command.allOptions.map(\.long))
    let remedy = nearest.map { "did you mean '--\($0)'?" } ?? seeHelp(unlessFile: word)
    return UsageError("'\(name)'", "no such option of '\(text)'", remedy)
  }
}

extension String {
  // `-` is a plain word, and `-30`, `-5%` and `-.5` are numbers.
  var looksLikeOption: Bool {
    guard utf8.first == 0x2D, let second = utf8.dropFirst().first, self != "--" else { return false }
    return !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(second) && second != UInt8(ascii: ".")
  }
}
