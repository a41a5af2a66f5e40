// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata queue redo`.
package enum QueueRedoCommand: CommandDeclaration {
  /// This command takes no options or arguments.
  package typealias Options = NoOptions

  /// The command.
  package static let definition = CommandDefinition(
    "redo", summary: "Make the edit again that was taken back")
}
