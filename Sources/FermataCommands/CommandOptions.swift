// SPDX-License-Identifier: MIT
package import CommandModel

/// The typed options and arguments that a user gave to one command.
package protocol CommandOptions: Sendable, Hashable {
  /// Reads them from a parsed command line. Throws if a word is not valid for its place.
  init(_ parsed: ParsedCommand) throws(UsageError)
}
