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
