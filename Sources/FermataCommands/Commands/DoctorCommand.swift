// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata doctor`.
package struct DoctorCommand: Command {
  package let json: Bool

  static let definition = CommandDefinition(
    "doctor", summary: "Look for what is in the way of music, and of silence",
    discussion: [
      """
      It looks at the sound server, its outputs and their plugs, at calls, the session bus, other players that catch media \
      keys, the process that reads tags, the settings and the folders, and says what to do. It changes nothing.
      """
    ],
    options: [.json], exitCodes: [(.refused, "Something does not work")], read: Self.init)

  init(_ parsed: ParsedCommand) { json = parsed.has(.json) }

  /// Becomes the program `fermata-agent`, because this program is not linked with the sound server's library.
  package func run(as _: String) throws(CommandError) -> ExitCode { throw SoundProgram.exec() }
}
