// SPDX-License-Identifier: MIT
package import CommandModel

/// What was said to one command.
package protocol CommandOptions: Sendable, Hashable {
  /// Reads it from a command line of that command. Throws where a word can't be what it stands for.
  init(_ parsed: ParsedCommand) throws(UsageError)
}
