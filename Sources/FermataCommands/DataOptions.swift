// SPDX-License-Identifier: MIT
package import CommandModel

/// Of a command to which one can say only how data is written.
package struct DataOptions: CommandOptions {
  /// Whether to write JSON.
  package let json: Bool
  /// Reads whether `--json` was given.
  package init(_ parsed: ParsedCommand) { json = parsed.has(.json) }
}
