// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata queue list`.
package enum QueueListCommand: CommandDeclaration {
  /// The only option is `--json`.
  package typealias Options = DataOptions

  /// The command.
  package static let definition = CommandDefinition(
    "list", summary: "List the queue", options: [.json])
}
