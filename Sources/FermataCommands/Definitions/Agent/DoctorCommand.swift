// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata doctor`.
package enum DoctorCommand: CommandDeclaration {
  /// The only option is `--json`.
  package typealias Options = DataOptions

  /// The command.
  package static let definition = CommandDefinition(
    "doctor", group: FermataProgram.Group.agent,
    summary: "Look for what is in the way of music, and of silence",
    discussion: [
      """
      It looks at the sound server, its outputs and their plugs, at calls, the session bus, other players that catch media \
      keys, the settings and the folders, and says what to do. It starts and changes nothing.
      """
    ],
    options: [.json],
    exitCodes: [ExitCodeDefinition(ExitCode.refused.rawValue, "Something does not work")])
}
