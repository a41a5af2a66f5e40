// SPDX-License-Identifier: MIT
package import CommandModel

/// Of a command to which nothing can be said.
package struct NoOptions: CommandOptions {
  /// Reads nothing.
  package init(_ parsed: ParsedCommand) {}
}
