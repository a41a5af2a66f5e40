// SPDX-License-Identifier: MIT

/// What a command line asks for.
public enum Invocation: Sendable {
  /// A command, with everything that was said to it.
  case run(ParsedCommand)
  /// The help of a command.
  case help(CommandPath)
}
