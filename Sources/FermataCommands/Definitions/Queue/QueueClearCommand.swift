// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata queue clear`.
package enum QueueClearCommand: CommandDeclaration {
  /// This command takes no options or arguments.
  package typealias Options = NoOptions

  /// The command.
  package static let definition = CommandDefinition(
    "clear", summary: "Remove everything and stop")
}
