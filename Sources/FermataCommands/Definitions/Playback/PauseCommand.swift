// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata pause`.
public enum PauseCommand: CommandDeclaration {
  /// Nothing can be said to it.
  public typealias Options = NoOptions

  /// The command.
  public static let definition = CommandDefinition(
    "pause", group: FermataProgram.Group.playback, summary: "Pause",
    discussion: [
      "What is paused this way stays paused until `fermata play`: no end of a call or of an alarm starts it again."
    ])
}
