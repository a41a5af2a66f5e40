// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata stop`.
package enum StopCommand: CommandDeclaration {
  /// This command takes no options or arguments.
  package typealias Options = NoOptions

  /// The command.
  package static let definition = CommandDefinition(
    "stop", group: FermataProgram.Group.playback, summary: "Stop and go back to the beginning of the track",
    discussion: [
      "The queue stays as it is, and so does the row that `fermata play` begins with."
    ])
}
