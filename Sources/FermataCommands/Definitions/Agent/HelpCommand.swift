// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata help`.
package enum HelpCommand: CommandDeclaration {
  static let command = ArgumentDefinition(
    ValueDefinition("COMMAND", completion: .commands), .any, summary: "A command, as `queue jump`")
  static let man = OptionDefinition("man", summary: "Write the man page")
  static let completions = OptionDefinition(
    "completions",
    value: ValueDefinition("SHELL", choices: Completion.Shell.allCases.map { .init($0.rawValue) }),
    summary: "Write the script that completes command lines")

  /// The command.
  package static let definition = CommandDefinition(
    "help", group: FermataProgram.Group.agent, summary: "Show help about a command",
    arguments: [command], options: [man, completions], exclusive: [[man, completions]],
    examples: [
      Example("fermata help queue move", "The same as `fermata queue move --help`"),
      Example("source <(fermata help --completions bash)", "Complete command lines in this shell"),
    ])

  /// The options and arguments of this command.
  package enum Options: CommandOptions {
    /// Show the help of the command that these words name.
    case command([String])
    /// Write the man page.
    case man
    /// Write the completion script of a shell.
    case completions(Completion.Shell)

    /// Reads them from a parsed command line.
    package init(_ parsed: ParsedCommand) throws(UsageError) {
      let words = parsed.values(HelpCommand.command)
      if let word = words.first, parsed.has(HelpCommand.man) || parsed.has(HelpCommand.completions) {
        throw parsed.error("'\(word)'", "what is written is about all commands", "leave it out")
      }
      if let shell = parsed.value(HelpCommand.completions).flatMap(Completion.Shell.init(rawValue:)) {
        self = .completions(shell)
      } else {
        self = parsed.has(HelpCommand.man) ? .man : .command(words)
      }
    }
  }
}
