// SPDX-License-Identifier: MIT

/// What one command is: the single source of its parsing, its help, its part of the man page and its completions.
///
/// Text may mark literal words with backticks: `Plays until `fermata stop`.`
package struct CommandDefinition: Sendable {
  /// The word that names it.
  package let name: String
  /// Other words that name it. They may look like options: `--version` stands for `version`.
  package let aliases: [String]
  /// The heading under which an overview lists it; empty for none.
  package let group: String
  /// What it does, in one line without a full stop.
  package let summary: String
  /// A longer description; each element is one paragraph.
  package let discussion: [String]
  /// Its usage forms without the command's name. Empty unless the form that is derived from its parts would mislead.
  package let usage: [String]
  /// Its positional arguments, in order.
  package let arguments: [ArgumentDefinition]
  /// Its options, without `--help`, which every command has.
  package let options: [OptionDefinition]
  /// Groups of options of which at most one may be given.
  package let exclusive: [[OptionDefinition]]
  /// Its subcommands. A command has either subcommands, or arguments and options of its own.
  package let subcommands: [CommandDefinition]
  /// The name of the subcommand that runs if none is named.
  package let defaultSubcommand: String?
  /// Words that other programs use, and the commands here that do the same. A user who types one is told the command.
  package let foreignWords: [String: String]
  /// Example command lines.
  package let examples: [Example]
  /// The meanings of its exit statuses.
  package let exitCodes: [ExitCodeDefinition]

  /// A command. Traps if the definition is contradictory, for example if two options have the same name.
  package init(
    _ name: String, aliases: [String] = [], group: String = "", summary: String, discussion: [String] = [],
    usage: [String] = [], arguments: [ArgumentDefinition] = [], options: [OptionDefinition] = [],
    exclusive: [[OptionDefinition]] = [], subcommands: [CommandDefinition] = [],
    defaultSubcommand: String? = nil, foreignWords: [String: String] = [:], examples: [Example] = [],
    exitCodes: [ExitCodeDefinition] = []
  ) {
    self.name = name
    self.aliases = aliases
    self.group = group
    self.summary = summary
    self.discussion = discussion
    self.usage = usage
    self.arguments = arguments
    self.options = options
    self.exclusive = exclusive
    self.subcommands = subcommands
    self.defaultSubcommand = defaultSubcommand
    self.foreignWords = foreignWords
    self.examples = examples
    self.exitCodes = exitCodes
    requireUnambiguous()
  }

  /// Every option that it takes, `--help` last.
  package var allOptions: [OptionDefinition] { options + [.help] }

  /// The subcommand with this name or alias.
  package func subcommand(named word: String) -> CommandDefinition? {
    subcommands.first { $0.name == word || $0.aliases.contains(word) }
  }
}

extension CommandDefinition {
  private func requireUnambiguous() {
    let names = allOptions.flatMap { [$0.long] + ($0.short.map { [String($0)] } ?? []) }
    precondition(Set(names).count == names.count, "\(name): two options of one name")
    let words = subcommands.flatMap { [$0.name] + $0.aliases }
    precondition(Set(words).count == words.count, "\(name): two commands of one name")
    precondition(words.allSatisfy { foreignWords[$0] == nil }, "\(name): a foreign word that is a command")
    precondition(arguments.count { $0.arity.repeats } <= 1, "\(name): two arguments that take all the rest")
    precondition(
      subcommands.isEmpty || (arguments.isEmpty && options.isEmpty),
      "\(name): arguments beside commands")
    let standard = defaultSubcommand.map { subcommand(named: $0) != nil }
    precondition(standard != false, "\(name): no such default command")
    let known = Set(options.map(\.long))
    precondition(
      exclusive.joined().allSatisfy { known.contains($0.long) }, "\(name): excludes an option it lacks")
  }
}

/// A line to try, and what it does.
package struct Example: Sendable, Hashable {
  /// The line as typed into a shell.
  package let line: String
  /// What it does, as a sentence without a full stop.
  package let summary: String

  /// An example.
  package init(_ line: String, _ summary: String) {
    self.line = line
    self.summary = summary
  }
}

/// What one exit status of a program means.
package struct ExitCodeDefinition: Sendable, Hashable {
  /// The status.
  package let code: Int32
  /// What it means, as a phrase without a full stop.
  package let meaning: String

  /// A status and its meaning.
  package init(_ code: Int32, _ meaning: String) {
    self.code = code
    self.meaning = meaning
  }
}

/// A command together with the commands that lead to it: `fermata queue jump`.
package struct CommandPath: Sendable {
  /// The program itself.
  package let root: CommandDefinition
  /// The commands below it, from the top down; empty for the program itself.
  package private(set) var steps: [CommandDefinition] = []

  /// The path to the program itself.
  package init(_ root: CommandDefinition) { self.root = root }

  /// The command at its end.
  package var command: CommandDefinition { steps.last ?? root }
  /// The words after the program's name: `["queue", "jump"]`.
  package var words: [String] { steps.map(\.name) }
  /// The whole command as typed: `fermata queue jump`.
  package var text: String { ([root.name] + words).joined(separator: " ") }
  /// The command line that shows its help: `fermata help queue jump`.
  package var helpLine: String { ([root.name, "help"] + words).joined(separator: " ") }

  /// The path to a command below this one.
  package func appending(_ step: CommandDefinition) -> CommandPath {
    var path = self
    path.steps.append(step)
    return path
  }

  /// The paths to the commands directly below.
  package var children: [CommandPath] { command.subcommands.map(appending) }
  /// This path and all paths below it, each before those below it.
  package var all: [CommandPath] { [self] + children.flatMap(\.all) }

  /// The usage forms of the command, each as typed: those in its definition, or else the one that is derived from its
  /// parts.
  package var usage: [String] {
    let forms = command.usage.isEmpty ? [command.derivedUsage] : command.usage
    return forms.map { $0.isEmpty ? text : "\(text) \($0)" }
  }
}

extension CommandDefinition {
  fileprivate var derivedUsage: String {
    guard subcommands.isEmpty else { return defaultSubcommand == nil ? "COMMAND" : "[COMMAND]" }
    let parts = optionAlternatives.map { "[" + $0.map(\.synopsis).joined(separator: " | ") + "]" }
    return (parts + arguments.map(\.synopsis)).joined(separator: " ")
  }

  // Options that exclude each other are shown together, at the place of the first of them.
  private var optionAlternatives: [[OptionDefinition]] {
    options.compactMap { option in
      guard let group = exclusive.first(where: { $0.contains(option) }) else { return [option] }
      return group.first == option ? group : nil
    }
  }
}
