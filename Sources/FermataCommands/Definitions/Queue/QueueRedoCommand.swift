// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata queue redo`.
package enum QueueRedoCommand: CommandDeclaration {
  /// Nothing can be said to it.
  package typealias Options = NoOptions

  /// The command.
  package static let definition = CommandDefinition(
    "redo", summary: "Make the edit again that was taken back")
}
