// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata queue undo`.
package enum QueueUndoCommand: CommandDeclaration {
  /// This command takes no options or arguments.
  package typealias Options = NoOptions

  /// The command.
  package static let definition = CommandDefinition(
    "undo", summary: "Take the last edit back",
    discussion: [
      "What another 'fermata play' had replaced comes back with the place in the track, and goes on if something was playing."
    ])
}
