// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata queue`, which has commands of its own.
package enum QueueCommand {
  /// The command.
  package static let definition = CommandDefinition(
    "queue", group: FermataProgram.Group.queue, summary: "Show or edit what plays next",
    discussion: ["Rows count from 1, in the order of the list. Every edit can be undone."],
    subcommands: [
      QueueListCommand.definition, QueueJumpCommand.definition, QueueRemoveCommand.definition,
      QueueMoveCommand.definition, QueueClearCommand.definition, QueueUndoCommand.definition,
      QueueRedoCommand.definition, QueueSaveCommand.definition,
    ],
    defaultSubcommand: "list",
    examples: [
      Example("fermata queue", "List it, the row that plays marked"),
      Example("fermata queue move 9 2", "Let row 9 become row 2"),
    ])
}
