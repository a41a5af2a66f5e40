// SPDX-License-Identifier: MIT

/// A command with its options and arguments, read from one command line and checked.
package protocol Command: Sendable {
  /// Carries out the command, and returns the exit status of the program. Blocks until it is done; on the main thread, once. `name` is the command as
  /// it is typed, such as `queue jump`; errors begin with it.
  func run(as name: String) throws(CommandError) -> ExitCode
}

/// What one command is: the single source of its parsing, its help, its part of the man page and its completions.
///
/// A command either runs or has commands below it. One that runs can't be defined without the code that does it.
///
/// Text may mark literal words with backticks: `Plays until `fermata stop`.`
package struct CommandDefinition: Sendable {
  /// Makes a command from the words that a user typed. Throws if a word is not valid at its place.
  package typealias Reader = @Sendable (ParsedCommand) throws(CommandError) -> any Command

  /// Commands that an overview lists together.
  package struct Group: Sendable {
    /// The title above the commands; empty for none.
    package let title: String
    /// The commands, in the order in which they are listed.
    package let commands: [CommandDefinition]

    package init(_ title: String, _ commands: [CommandDefinition]) {
      self.title = title
      self.commands = commands
    }

    package init(_ commands: [CommandDefinition]) { self.init("", commands) }
  }

  /// What happens for a command line that names the command.
  enum Action: Sendable {
    /// The command line is read, and the command run.
    case run(Reader)
    /// The next word says which of these commands is meant. Without one it is the command named `standard`; if that is
    /// nil, help is shown.
    case choose([Group], standard: String?)
  }

  package let name: String
  /// Other words that name the command. They may look like options: `--version` stands for `version`.
  package let aliases: [String]
  /// What the command does, in one line without a full stop.
  package let summary: String
  /// A longer description; each element is one paragraph.
  package let discussion: [String]
  /// The command's usage forms, without its name. Empty unless the form that is derived from its parts would mislead.
  package let usage: [String]
  /// The command's positional arguments, in order.
  package let arguments: [ArgumentDefinition]
  /// The command's options, without `--help`, which every command has.
  package let options: [OptionDefinition]
  /// Groups of options of which at most one may be given.
  package let exclusive: [[OptionDefinition]]
  /// Commands of other programs, each with our command that does the same. The error for such a word names it.
  package let foreignWords: [String: String]
  /// Lines to try, as typed into a shell, and what they do, as sentences without a full stop.
  package let examples: [(line: String, summary: String)]
  /// The exit statuses that a user of the command should know, with their meanings as phrases.
  package let exitCodes: [(code: ExitCode, meaning: String)]
  let action: Action

  /// A command that runs. Traps if the definition is contradictory, for example if two options have the same name.
  package init(
    _ name: String, aliases: [String] = [], summary: String, discussion: [String] = [], usage: [String] = [],
    arguments: [ArgumentDefinition] = [], options: [OptionDefinition] = [],
    exclusive: [[OptionDefinition]] = [], examples: [(line: String, summary: String)] = [],
    exitCodes: [(code: ExitCode, meaning: String)] = [], read: @escaping Reader
  ) {
    self.name = name
    self.aliases = aliases
    self.summary = summary
    self.discussion = discussion
    self.usage = usage
    self.arguments = arguments
    self.options = options
    self.exclusive = exclusive
    self.examples = examples
    self.exitCodes = exitCodes
    foreignWords = [:]
    action = .run(read)
    requireUnambiguousOptions()
  }

  /// A command with commands below it. Traps if the definition is contradictory.
  package init(
    _ name: String, summary: String, discussion: [String] = [], usage: [String] = [], groups: [Group],
    standard: String? = nil,
    foreignWords: [String: String] = [:], examples: [(line: String, summary: String)] = [],
    exitCodes: [(code: ExitCode, meaning: String)] = []
  ) {
    self.name = name
    aliases = []
    self.summary = summary
    self.discussion = discussion
    self.usage = usage
    (arguments, options, exclusive) = ([], [], [])
    self.foreignWords = foreignWords
    self.examples = examples
    self.exitCodes = exitCodes
    action = .choose(groups, standard: standard)
    requireUnambiguousCommands()
  }

  /// The description, and the other words that name the command.
  var wholeDiscussion: [String] {
    let words = aliases.map { "`\($0)`" }.joined(separator: " or ")
    return discussion + (words.isEmpty ? [] : ["It may also be written \(words)."])
  }

  /// Every option that the command takes, `--help` last.
  package var allOptions: [OptionDefinition] { options + [.help] }

  /// The arguments of which one may be the first word: up to the first that is needed.
  var firstArguments: ArraySlice<ArgumentDefinition> {
    let needed = arguments.firstIndex { $0.arity.minimum > 0 }
    return arguments.prefix(needed.map { $0 + 1 } ?? arguments.count)
  }

  /// The subcommands, as an overview groups them; empty for a command that runs.
  var groups: [Group] { if case .choose(let groups, _) = action { groups } else { [] } }

  package var subcommands: [CommandDefinition] { groups.flatMap(\.commands) }

  /// The subcommand that runs if none is named; nil if there is none.
  var standard: CommandDefinition? {
    if case .choose(_, let name?) = action { subcommand(named: name) } else { nil }
  }

  /// The subcommand with this name or alias; nil if there is none.
  package func subcommand(named word: String) -> CommandDefinition? {
    subcommands.first { $0.name == word || $0.aliases.contains(word) }
  }

  private func requireUnambiguousOptions() {
    let names = allOptions.flatMap { [$0.long] + ($0.short.map { [String($0)] } ?? []) }
    precondition(Set(names).count == names.count, "\(name): two options of one name")
    precondition(arguments.count { $0.arity.repeats } <= 1, "\(name): two arguments that take all the rest")
    let known = Set(options.map(\.long))
    precondition(
      exclusive.joined().allSatisfy { known.contains($0.long) }, "\(name): excludes an option it lacks")
  }

  private func requireUnambiguousCommands() {
    let words = subcommands.flatMap { [$0.name] + $0.aliases }
    precondition(Set(words).count == words.count, "\(name): two commands of one name")
    precondition(words.allSatisfy { foreignWords[$0] == nil }, "\(name): a foreign word that is a command")
    if case .choose(_, _?) = action { precondition(standard != nil, "\(name): no such default command") }
  }
}

/// A command together with the commands that lead to it: `fermata queue jump`.
package struct CommandPath: Sendable {
  package let root: CommandDefinition
  /// The commands below `root` on the path, from the top down; empty for the program itself.
  package private(set) var steps: [CommandDefinition] = []

  package init(_ root: CommandDefinition) { self.root = root }

  package var command: CommandDefinition { steps.last ?? root }
  /// The words after the program's name: `["queue", "jump"]`.
  package var words: [String] { steps.map(\.name) }
  /// The whole command as typed: `fermata queue jump`.
  package var text: String { ([root.name] + words).joined(separator: " ") }
  /// The command line that shows the command's help: `fermata help queue jump`.
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

  /// Each other name of a command below, as words that lead to it, with the path by its own name. Names such as `--version` are none: no word follows.
  package var aliases: [(words: [String], path: CommandPath)] {
    all.flatMap { path in
      path.command.aliases.filter { !$0.hasPrefix("-") }.map { (path.words.dropLast() + [$0], path) }
    }
  }

  /// The usage forms of the command, each as typed: those in its definition, or else the one that is derived from its
  /// parts.
  package var usage: [String] {
    let forms = command.usage.isEmpty ? [command.derivedUsage] : command.usage
    return forms.map { $0.isEmpty ? text : "\(text) \($0)" }
  }

  /// A usage form in lines of at most `width` columns. What is in brackets is not broken, and further lines begin behind the command's name.
  func usageLines(_ form: String, width: Int) -> [String] {
    let words = [text] + Wrap.synopsisWords(String(form.dropFirst(text.count)))
    return Wrap.lines(words, width: width, hanging: text.count + 1)
  }
}

extension CommandDefinition {
  fileprivate var derivedUsage: String {
    if case .choose(_, let standard) = action { return standard == nil ? "COMMAND" : "[COMMAND]" }
    let parts = optionAlternatives.map { "[" + $0.map(\.synopsis).joined(separator: " | ") + "]" }
    return (parts + arguments.map(\.synopsis)).joined(separator: " ")
  }

  // Options that exclude each other are shown together, at the place of the first of them. An option of several such groups is shown in the first,
  // and the other options of the later groups by themselves.
  private var optionAlternatives: [[OptionDefinition]] {
    let shown = options.compactMap { option in
      exclusive.first { $0.contains(option) }.flatMap { $0.first == option ? $0 : nil }
    }
    return options.compactMap { option in
      guard let group = shown.first(where: { $0.contains(option) }) else { return [option] }
      return group.first == option ? group : nil
    }
  }
}
