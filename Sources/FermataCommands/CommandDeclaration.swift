// SPDX-License-Identifier: MIT
public import CommandModel

/// A command as data: its definition, and what a command line that fits it says, typed.
///
/// Nothing runs here. A declaration promises only that whoever performs the command need not look at words any more.
public protocol CommandDeclaration {
  /// What was said to the command.
  associatedtype Options: CommandOptions
  /// The command.
  static var definition: CommandDefinition { get }
}

/// What was said to one command.
public protocol CommandOptions: Sendable, Hashable {
  /// Reads it from a command line of that command. Throws where a word can't be what it stands for.
  init(_ parsed: ParsedCommand) throws(UsageError)
}

/// Of a command to which nothing can be said.
public struct NoOptions: CommandOptions {
  /// Reads nothing.
  public init(_ parsed: ParsedCommand) {}
}

/// Of a command to which one can say only how data is written.
public struct DataOptions: CommandOptions {
  /// Whether to write JSON.
  public let json: Bool
  /// Reads whether `--json` was given.
  public init(_ parsed: ParsedCommand) { json = parsed.has(.json) }
}
