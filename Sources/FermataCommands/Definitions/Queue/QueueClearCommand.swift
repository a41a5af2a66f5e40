// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata queue clear`.
public enum QueueClearCommand: CommandDeclaration {
  /// Nothing can be said to it.
  public typealias Options = NoOptions

  /// The command.
  public static let definition = CommandDefinition(
    "clear", summary: "Remove everything and stop")
}
