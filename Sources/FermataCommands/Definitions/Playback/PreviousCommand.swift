// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata previous`.
package enum PreviousCommand: CommandDeclaration {
  /// This command takes no options or arguments.
  package typealias Options = NoOptions

  /// The command.
  package static let definition = CommandDefinition(
    "previous", group: FermataProgram.Group.playback, summary: "Go to the previous track",
    discussion: [
      "Under shuffle that is the track that really played before. What is paused stays paused."
    ])
}
