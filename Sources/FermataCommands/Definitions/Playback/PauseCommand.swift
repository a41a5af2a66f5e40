// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata pause`.
package enum PauseCommand: CommandDeclaration {
  /// This command takes no options or arguments.
  package typealias Options = NoOptions

  /// The command.
  package static let definition = CommandDefinition(
    "pause", group: FermataProgram.Group.playback, summary: "Pause",
    discussion: [
      "What is paused this way stays paused until `fermata play`: no end of a call or of an alarm starts it again."
    ])
}
