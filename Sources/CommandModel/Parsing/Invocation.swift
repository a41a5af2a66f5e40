// SPDX-License-Identifier: MIT

/// What a command line asks for.
package enum Invocation: Sendable {
  /// Run a command with these options and arguments.
  case run(ParsedCommand)
  /// Show the help of a command.
  case help(CommandPath)
}
