// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata queue save`.
public enum QueueSaveCommand: CommandDeclaration {
  static let file = ArgumentDefinition(
    ValueDefinition("FILE", completion: .files),
    summary: "The playlist file to write, or `-` for standard output")

  /// The command.
  public static let definition = CommandDefinition(
    "save", summary: "Write the queue to a playlist file", arguments: [file])

  /// What was said to it.
  public struct Options: CommandOptions {
    /// The file, or `-`.
    public let file: String

    /// Reads them.
    public init(_ parsed: ParsedCommand) { file = parsed.required(QueueSaveCommand.file) }
  }
}
