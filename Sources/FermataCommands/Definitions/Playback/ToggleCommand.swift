// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata toggle`.
public enum ToggleCommand: CommandDeclaration {
  /// Nothing can be said to it.
  public typealias Options = NoOptions

  /// The command.
  public static let definition = CommandDefinition(
    "toggle", group: FermataProgram.Group.playback, summary: "Pause what plays, play what is paused",
    discussion: [
      "Made for a key."
    ])
}
