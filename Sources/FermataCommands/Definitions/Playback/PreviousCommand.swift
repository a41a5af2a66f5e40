// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata previous`.
public enum PreviousCommand: CommandDeclaration {
  /// Nothing can be said to it.
  public typealias Options = NoOptions

  /// The command.
  public static let definition = CommandDefinition(
    "previous", group: FermataProgram.Group.playback, summary: "Go to the previous track",
    discussion: [
      "Under shuffle that is the track that really played before. What is paused stays paused."
    ])
}
