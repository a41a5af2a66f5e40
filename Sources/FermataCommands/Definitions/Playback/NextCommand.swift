// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata next`.
public enum NextCommand: CommandDeclaration {
  /// Nothing can be said to it.
  public typealias Options = NoOptions

  /// The command.
  public static let definition = CommandDefinition(
    "next", group: FermataProgram.Group.playback, summary: "Go to the next track",
    discussion: [
      "Under shuffle that is the next of the random order. What is paused stays paused."
    ])
}
