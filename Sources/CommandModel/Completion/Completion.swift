// SPDX-License-Identifier: MIT

/// Generates the scripts with which shells complete a program's command lines.
package enum Completion {
  /// A supported shell.
  package enum Shell: String, Sendable, CaseIterable {
    case bash, zsh, fish
  }

  /// The complete script for a shell.
  package static func script(for root: CommandDefinition, shell: Shell) -> String {
    switch shell {
    case .bash: BashCompletion(root).text
    case .zsh: ZshCompletion(root).text
    case .fish: FishCompletion(root).text
    }
  }
}

extension CommandPath {
  /// The command that the options and arguments at this place belong to: itself, or its default one.
  var effective: CommandDefinition {
    guard let standard = command.defaultSubcommand else { return command }
    return command.subcommand(named: standard) ?? command
  }

  /// The commands that may be typed after `help`.
  var commandNames: [String] { root.subcommands.map(\.name) }
}

extension String {
  /// The text quoted as one word of a shell script, whatever it contains.
  var shellQuoted: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// The text without the backticks that mark literal words.
  var unmarked: String { filter { $0 != "`" } }
}
