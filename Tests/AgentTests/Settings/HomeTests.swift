// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

@Suite("The agent's home", .serialized, .realTime, .endsAnyway)
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

  @Test(
    "where there is none, music plays, and that nothing is stored stands in the log, in status and doctor and after each edit"
  )
  func unset() throws {
    let server = try PrivatePulse(sinks: ["speakers"])
    let tone = try folder.write(
      "one.wav",
      WAVFile.bytes(
        Tone.sine(frames: 30 * 8_000, AudioFormat(rate: 8_000, channels: 1)),
        AudioFormat(rate: 8_000, channels: 1)))
    let sound = "export PULSE_SERVER='\(server.serverAddress)';"
    let agent = try shell("\(sound) exec \"$fermata\" agent")
    try wait(for: "stopped", in: "\"$fermata\" status --json", agent)
    let reason = "not stored: "
    #expect(
      agent.standardError.contains(reason) && agent.standardError.contains("HOME"), "\(agent.standardError)")
    for edit in [
      "play one.wav", "add one.wav", "add --next one.wav", "queue move 1 2", "queue remove 3", "queue undo",
      "repeat all", "shuffle on", "queue clear", "play one.wav",
    ] {
      let child = try shell("\"$fermata\" \(edit)")
      #expect(child.exit(until: .patient) == .exited(0), "\(edit): \(child.standardError)")
      #expect(
        child.standardError.contains(reason) && child.standardError.contains("HOME"),
        "\(edit): \(child.standardError)")
    }
    try wait(for: "\"state\":\"playing\"", in: "\"$fermata\" status --json", agent)
    #expect(try run("\"$fermata\" status --json").contains("\"stored\":false"))
    #expect(try run("\"$fermata\" status").contains("not stored"))
    let doctor = try shell("\(sound) \"$fermata\" doctor")
    #expect(doctor.exit(until: .patient) == .exited(1))
    #expect(
      doctor.standardOutput.contains("not stored") && doctor.standardOutput.contains("HOME"),
      "\(doctor.standardOutput)")
    withExtendedLifetime(tone) {}
    // The queue is lost with this, and that is said too.
    #expect(agent.stop(within: .patience) == .exited(73))
    #expect(folder.names().sorted() == ["one.wav"])
  }
}
