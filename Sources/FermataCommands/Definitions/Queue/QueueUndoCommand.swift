// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata queue undo`.
public enum QueueUndoCommand: CommandDeclaration {
  /// Nothing can be said to it.
  public typealias Options = NoOptions

  /// The command.
  public static let definition = CommandDefinition(
    "undo", summary: "Take the last edit back",
    discussion: [
      "What another 'fermata play' had replaced comes back with the place in the track, and goes on if something was playing."
    ])
}
