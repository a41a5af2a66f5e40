// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata next`.
package enum NextCommand: CommandDeclaration {
  /// This command takes no options or arguments.
  package typealias Options = NoOptions

  /// The command.
  package static let definition = CommandDefinition(
    "next", group: FermataProgram.Group.playback, summary: "Go to the next track",
    discussion: [
      "Under shuffle that is the next of the random order. What is paused stays paused."
    ])
}
