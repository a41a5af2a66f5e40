// SPDX-License-Identifier: MIT
public import CommandModel

/// Of a command to which nothing can be said.
public struct NoOptions: CommandOptions {
  /// Reads nothing.
  public init(_ parsed: ParsedCommand) {}
}
