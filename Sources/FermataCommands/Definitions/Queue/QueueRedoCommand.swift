// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata queue redo`.
public enum QueueRedoCommand: CommandDeclaration {
  /// Nothing can be said to it.
  public typealias Options = NoOptions

  /// The command.
  public static let definition = CommandDefinition(
    "redo", summary: "Make the edit again that was taken back")
}
