// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata doctor`.
public enum DoctorCommand: CommandDeclaration {
  /// How to write it.
  public typealias Options = DataOptions

  /// The command.
  public static let definition = CommandDefinition(
    "doctor", group: FermataProgram.Group.agent, summary: "Check the bus, the sound server and the settings",
    options: [.json])
}
