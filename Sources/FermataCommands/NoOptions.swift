// SPDX-License-Identifier: MIT
package import CommandModel

/// The options of a command that takes neither options nor arguments.
package struct NoOptions: CommandOptions {
  /// Reads nothing.
  package init(_ parsed: ParsedCommand) {}
}
