// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata queue list`.
public enum QueueListCommand: CommandDeclaration {
  /// How to write it.
  public typealias Options = DataOptions

  /// The command.
  public static let definition = CommandDefinition(
    "list", summary: "List the queue", options: [.json])
}
