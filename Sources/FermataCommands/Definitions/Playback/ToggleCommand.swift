// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata toggle`.
package enum ToggleCommand: CommandDeclaration {
  /// This command takes no options or arguments.
  package typealias Options = NoOptions

  /// The command.
  package static let definition = CommandDefinition(
    "toggle", group: FermataProgram.Group.playback, summary: "Pause what plays, play what is paused",
    discussion: [
      "Made for a key."
    ])
}
