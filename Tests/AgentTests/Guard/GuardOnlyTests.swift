// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

@Suite("An agent that only guards", .serialized, .realTime, .endsAnyway)
struct GuardOnlyTests {
  /// Such an agent on a private bus and server, and whoever asks it.
  private final class Stage {
    let server = Result { try PrivatePulse(sinks: ["speakers"]) }
    let bus = Result { try PrivateBus() }
    let folder = Result { try TemporaryDirectory() }
    private var agents: [Child] = []

    func environment() throws -> [String: String] {
      try AgentStage.environment(server.get(), bus.get(), folder.get())
    }

    func startAgent(_ words: String...) throws -> Child {
      let agent = try Child(.beside("fermata"), ["agent"] + words, environment: environment())
      agents.append(agent)
      return agent
    }

    /// Runs `fermata` with these words.
    func ask(_ words: [String]) throws -> (status: FermataTestKit.ExitStatus?, errors: String, output: String)
    {
      let child = try Child(.beside("fermata"), words, environment: environment())
      let status = child.exit(until: .patient)
      return (status, child.standardError, child.standardOutput)
    }

    func waitUntilReady() throws {
      let deadline = Deadline.patient
      while try ask(["status"]).status != .exited(0) {
        if deadline.hasPassed { throw KitError("no agent answers: \(agents.map(\.standardError))") }
      }
    }
  }

  @Test("it answers for itself, refuses orders, and no desktop sees a player")
  func orders() throws {
    let stage = Stage()
    let agent = try stage.startAgent("--guard-only")
    try stage.waitUntilReady()
    // Plain playlists are files, and need no agent; that there may be smart ones is no reason to ask this one.
    try stage.folder.get().makeFolder(".local/share/fermata/playlists")
    try stage.folder.get().write(".local/share/fermata/listening.db", "")
    try stage.folder.get().write(".local/share/fermata/playlists/Mine.m3u8", "#EXTM3U\n/m/a.mp3\n")
    #expect(try stage.ask(["playlist", "show", "Mine"]).status == .exited(0))
    for words in [
      ["play"], ["pause"], ["toggle"], ["queue"], ["queue", "clear"], ["volume", "50%"],
      ["repeat", "all"], ["output"], ["library", "status"], ["jobs"], ["sleep", "10"],
      ["volume"], ["repeat"], ["shuffle"], ["consume"], ["sleep"], ["output", "speakers"],
    ] {
      let answer = try stage.ask(words)
      #expect(answer.status == .exited(1), "\(words): \(answer.errors)")
      #expect(answer.errors.contains("this agent only guards; 'fermata quit'"), "\(words): \(answer.errors)")
      #expect(answer.errors.hasSuffix("starts one that plays\n"), "\(words): \(answer.errors)")
      #expect(answer.output.isEmpty, "\(words): \(answer.output)")
    }
    let status = try stage.ask(["status"])
    #expect(status.output.contains("Only guards other players; 'fermata quit' ends that"), "\(status)")
    #expect(!status.output.contains("repeat"), "\(status)")
    #expect(try stage.ask(["status", "--json"]).output.contains(#""guardOnly":true"#))
    let line = try stage.ask(["status", "--format", "{state} {next|nothing}"])
    #expect(line.status == .exited(0) && line.output == "stopped nothing\n", "\(line)")
    let names = try Child.run(
      .named("dbus-send", package: "dbus"),
      [
        "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
        "org.freedesktop.DBus.ListNames",
      ], environment: stage.environment())
    #expect(names.contains("org.fermata.Agent"))
    #expect(!names.contains("org.mpris"))
    #expect(try stage.server.get().control.world().sinkInputs.isEmpty)
    let doctor = try stage.ask(["doctor", "--json"])
    #expect(doctor.output.contains(#""topic":"guard""#), "\(doctor)")
    #expect(doctor.output.contains("this agent only guards, so it takes none"), "\(doctor)")
    #expect(!doctor.output.contains(#""level":"problem""#) && doctor.status == .exited(0), "\(doctor)")
    #expect(try stage.ask(["quit"]).status == .exited(0))
    #expect(agent.exit(until: .patient) == .exited(0))
  }

  @Test("where an agent runs already it ends with 1, or with 0 where that was asked for")
  func second() throws {
    let stage = Stage()
    let first = try stage.startAgent("--guard-only")
    try stage.waitUntilReady()
    let second = try stage.startAgent("--guard-only")
    #expect(second.exit(until: .patient) == .exited(1))
    #expect(second.standardError.contains("an agent runs already"))
    #expect(try stage.startAgent("--guard-only", "--unless-running").exit(until: .patient) == .exited(0))
    #expect(first.stop(within: .patience) == .exited(0))
  }

  @Test("it guards")
  func guards() throws {
    let stage = Stage()
    let server = try stage.server.get()
    let headset = try server.insert(.usbHeadset)
    try server.control.setDefaultSink("headset")
    _ = try stage.startAgent("--guard-only")
    try stage.waitUntilReady()
    let player = try Child(
      .beside("StandInPlayer"), ["standin", "obeys"], environment: stage.environment())
    let ears = try Ears(server)
    try ears.waitForSound(on: "headset")
    try headset.remove()
    try server.control.wait(for: "the end of the headset") { $0.sink(named: "headset") == nil }
    let deadline = Deadline.patient
    while !player.standardOutput.contains("Pause") {
      if deadline.hasPassed { throw KitError("it was not paused") }
      try ears.listen(for: .milliseconds(50))
    }
    try ears.listen(for: .milliseconds(300))
    ears.mark()
    try ears.listen(for: .milliseconds(500))
    #expect(ears.heard.isEmpty)
  }
}
