// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata queue clear`.
package enum QueueClearCommand: CommandDeclaration {
  /// Nothing can be said to it.
  package typealias Options = NoOptions

  /// The command.
  package static let definition = CommandDefinition(
    "clear", summary: "Remove everything and stop")
}
