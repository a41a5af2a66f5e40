// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata stop`.
public enum StopCommand: CommandDeclaration {
  /// Nothing can be said to it.
  public typealias Options = NoOptions

  /// The command.
  public static let definition = CommandDefinition(
    "stop", group: FermataProgram.Group.playback, summary: "Stop and go back to the beginning of the track",
    discussion: [
      "The queue stays as it is, and so does the row that `fermata play` begins with."
    ])
}
