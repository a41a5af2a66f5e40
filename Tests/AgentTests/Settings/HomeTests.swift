// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

@Suite("The agent's home", .serialized, .realTime, .timeLimit(.minutes(2)))
struct HomeTests {
  private let folder: TemporaryDirectory
  private let bus: PrivateBus

  init() throws {
    folder = try TemporaryDirectory()
    bus = try PrivateBus()
  }

  /// Starts lines of a shell in the folder, where `$fermata` is the program.
  private func shell(_ script: String) throws -> Child {
    try Child(
      .named("sh", package: "dash"), ["-c", "cd '\(folder.path)'; latin=$(printf 'B\\366rk')\n\(script)"],
      environment: [
        "DBUS_SESSION_BUS_ADDRESS": bus.address, "PULSE_SERVER": "unix:\(folder.path)/none",
        "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder.path)/none", "XDG_RUNTIME_DIR": folder.path,
        "fermata": try Program.beside("fermata").path,
      ])
  }

  private func run(_ script: String) throws -> String {
    let child = try shell(script)
    #expect(child.exit(until: .patient) == .exited(0), "\(child.standardError)")
    return child.standardOutput
  }

  /// Asks again and again, for a client has no other way; a program's start is the pause in between.
  private func wait(for words: String, in script: String, _ agent: Child) throws {
    let deadline = Deadline.patient
    while true {
      let child = try shell(script)
      if child.exit(until: .patient) == .exited(0), child.standardOutput.contains(words) { return }
      if deadline.hasPassed { throw KitError("'\(script)' never said \(words): \(agent.standardError)") }
    }
  }

  @Test("may have a name that is no text: what is kept is kept there, and settings are followed")
  func latin() throws {
    try folder.write("a.wav", "RIFF")
    let home = "export HOME=\"$PWD/$latin\";"
    let agent = try shell("mkdir \"$latin\"; \(home) exec \"$fermata\" agent")
    try wait(for: "stopped", in: "\(home) \"$fermata\" status --json", agent)
    _ = try run("\(home) \"$fermata\" volume 40")
    _ = try run("\(home) \"$fermata\" settings set repeat all")
    try wait(for: "all", in: "\(home) \"$fermata\" repeat", agent)
    #expect(agent.stop(within: .patience) == .exited(0))
    #expect(folder.names().count == 2)
    let again = try shell("\(home) exec \"$fermata\" agent")
    try wait(for: "40%", in: "\(home) \"$fermata\" volume", again)
    #expect(again.stop(within: .patience) == .exited(0))
    #expect(try run("ls \"$latin/.local/state/fermata\"").contains("state.db"))
  }

  @Test("is none where it does not begin at the root; the agent says so and plays without")
  func relative() throws {
    let agent = try shell("HOME=. exec \"$fermata\" agent")
    try wait(for: "stopped", in: "HOME=. \"$fermata\" status --json", agent)
    #expect(agent.stop(within: .patience) == .exited(0))
    #expect(
      agent.standardError.contains("HOME is '.', which does not begin with a slash: it counts as unset"))
    #expect(folder.names().isEmpty)
  }
}
