// SPDX-License-Identifier: MIT

/// Writes what a shell needs to complete a program's command lines.
package enum Completion {
  /// A shell that is known here.
  package enum Shell: String, Sendable, CaseIterable {
    case bash, zsh, fish
  }

  /// The script for a shell, whole.
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

  /// What may be typed below `help`.
  var commandNames: [String] { root.subcommands.map(\.name) }
}

extension String {
  /// The text as one word of a shell script, whatever is in it.
  var shellQuoted: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// A definition's text without its marks.
  var unmarked: String { filter { $0 != "`" } }
}
