// SPDX-License-Identifier: MIT
package import CommandModel

/// The options of a command whose only option is `--json`.
package struct DataOptions: CommandOptions {
  /// Whether to write JSON.
  package let json: Bool
  /// Reads whether `--json` was given.
  package init(_ parsed: ParsedCommand) { json = parsed.has(.json) }
}
