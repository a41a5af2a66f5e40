// SPDX-License-Identifier: MIT

/// What a command line asks for.
package enum Invocation: Sendable {
  /// A command, with everything that was said to it.
  case run(ParsedCommand)
  /// The help of a command.
  case help(CommandPath)
}
