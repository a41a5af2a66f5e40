// SPDX-License-Identifier: MIT

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
