// SPDX-License-Identifier: MIT
public import CommandModel

/// Of a command to which one can say only how data is written.
public struct DataOptions: CommandOptions {
  /// Whether to write JSON.
  public let json: Bool
  /// Reads whether `--json` was given.
  public init(_ parsed: ParsedCommand) { json = parsed.has(.json) }
}
