// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import Testing

@Suite("Started by the bus", .serialized, .realTime, .endsAnyway)
struct ActivationTests {
  private static let agent = "org.fermata.Agent"
  private static let player = "org.mpris.MediaPlayer2.fermata"

  @Test("a command starts the agent where none runs, and the next one finds it")
  func command() throws {
    let stage = try ActivationStage()
    let first = try stage.fermata("status")
    #expect(first.status == .exited(0), "\(first)")
    #expect(first.errors == "")
    let process = try #require(try stage.process(of: Self.agent))
    #expect(try stage.waitForOwner(of: Self.player) == process)
    #expect(try stage.fermata("status", "--json").status == .exited(0))
    #expect(try stage.process(of: Self.agent) == process)
    try stage.bus.stop()
  }

  @Test("asked for by both names at once, it is one agent that has both, and both callers are answered")
  func both() throws {
    for _ in 0..<5 {
      let stage = try ActivationStage()
      let calls = try [Self.agent, Self.player].map {
        try stage.beginAsking("StartServiceByName", "string:\($0)", "uint32:0")
      }
      for call in calls {
        #expect(call.exit(until: .patient) == .exited(0), "\(call.standardError)")
      }
      let process = try stage.process(of: Self.agent)
      #expect(process != nil)
      #expect(try stage.process(of: Self.player) == process)
      try stage.bus.stop()
    }
  }

  @Test("one that was ended on purpose is not started again by those who follow it")
  func followersLeaveIt() throws {
    let stage = try ActivationStage()
    #expect(try stage.fermata("status").status == .exited(0))
    for _ in 0..<3 {
      let followers = try (0..<4).map { _ in
        try Child(
          stage.program(), ["status", "--follow"], environment: stage.bus.environment, isInteractive: true)
      }
      for follower in followers { _ = try follower.nextLine(until: .patient) }
      #expect(try stage.fermata("quit").status == .exited(0))
      for follower in followers { #expect(follower.exit(until: .patient) == .exited(69)) }
      // What the bus has begun to start has its name soon.
      let deadline = Deadline.after(.milliseconds(500))
      while !deadline.hasPassed { try #require(try stage.process(of: Self.agent) == nil) }
      #expect(try stage.fermata("status").status == .exited(0))
    }
    try stage.bus.stop()
  }

  @Test("while one ends the next is started, which waits for the queue to be let go of")
  func handover() throws {
    let stage = try ActivationStage()
    for _ in 0..<5 {
      #expect(try stage.fermata("status").status == .exited(0))
      let process = try #require(try stage.waitForOwner(of: Self.player).split(separator: " ").last)
      kill(try #require(pid_t(process)), SIGTERM)
      let next = try stage.fermata("status")
      // It may have been asked in its last moment, and then it has refused; but nobody waits in vain.
      #expect(next.status == .exited(0) || next.status == .exited(69), "\(next)")
      #expect(try stage.fermata("status").status == .exited(0))
    }
    try stage.bus.stop()
  }

  @Test("what a desktop runs for a click on what plays starts nothing; with a file it plays")
  func click() throws {
    let stage = try ActivationStage()
    let installation = try #require(stage.installation)
    let entry = try installation.text("share/applications/fermata.desktop")
    let line = try #require(entry.split(separator: "\n").first { $0.hasPrefix("Exec=") })
    let words = line.dropFirst("Exec=".count).split(separator: " ").map(String.init)
    #expect(words.first == installation.program.path && words.last == "%F")
    let run = { try Child.run(installation.program, $0, environment: stage.bus.environment) }
    #expect(try run(Array(words[1..<(words.count - 1)])) == "")
    #expect(try stage.process(of: Self.agent) == nil)
    let tone = try installation.folder.write(
      "a tone.wav", WAVFile.bytes([0, 0], AudioFormat(rate: 44_100, channels: 1)))
    _ = try run(words[1..<(words.count - 1)] + [tone])
    #expect(try run(["status", "--format", "{title}"]) == "a tone\n")
    try stage.bus.stop()
  }

  @Test("where nothing can start it a command says so, and what to do")
  func nobody() throws {
    let stage = try ActivationStage(isInstalled: false)
    let run = try stage.fermata("status")
    #expect(run.status == .exited(69))
    #expect(run.errors.contains("start it with 'setsid -f fermata agent"), "\(run.errors)")
    try stage.bus.stop()
  }

  @Test("where it was started and has ended at once a command says where the reason is found")
  func failing() throws {
    let folder = try TemporaryDirectory()
    try folder.write(
      "org.fermata.Agent.service", "[D-BUS Service]\nName=org.fermata.Agent\nExec=/bin/false\n")
    let bus = try PrivateBus(serviceFolders: [folder.path])
    let child = try Child(.beside("fermata"), ["next"], environment: bus.environment)
    #expect(child.exit(until: .patient) == .exited(69))
    #expect(child.standardError.contains("'fermata agent' says why"), "\(child.standardError)")
    try bus.stop()
  }

  @Test("without a session bus a command says so")
  func noBus() throws {
    let child = try Child(
      .beside("fermata"), ["status"], environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"])
    #expect(child.exit(until: .patient) == .exited(69))
    #expect(child.standardError.contains("dbus-run-session"))
  }

  @Test("one that is not needed ends without a complaint; one that is asked for says who has the place")
  func unneeded() throws {
    let stage = try ActivationStage(isInstalled: false)
    let first = try stage.agent()
    try stage.waitForOwner(of: Self.player)
    let quiet = try stage.agent("--unless-running")
    #expect(quiet.exit(until: .patient) == .exited(0))
    #expect(quiet.standardError == "fermata: an agent runs already: this one is not needed\n")
    let loud = try stage.agent()
    #expect(loud.exit(until: .patient) == .exited(1))
    #expect(loud.standardError.contains("an agent already runs (process \(first.processID))"))
    #expect(first.stop(within: .patience) == .exited(0))
    try stage.bus.stop()
  }

  @Test(
    "one that is started while the former one lets go of its place waits for that", arguments: [true, false])
  func takesOver(isQuiet: Bool) throws {
    let stage = try ActivationStage(isInstalled: false)
    let former = try stage.agent(environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"])
    try former.waitForError("no bus")
    let next = try isQuiet ? stage.agent("--unless-running") : stage.agent()
    // While this command starts, asks and ends, the next one finds the place held.
    #expect(try stage.fermata("quit").status == .exited(0))
    #expect(former.stop(within: .patience) == .exited(0))
    #expect(try stage.waitForOwner(of: Self.player).hasSuffix(" \(next.processID)"))
    #expect(next.stop(within: .patience) == .exited(0))
    try stage.bus.stop()
  }

  @Test("a place that is held by one who never comes to the bus is an error in the end")
  func heldByStranger() throws {
    let stage = try ActivationStage(isInstalled: false)
    let stranger = try stage.agent(environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"])
    try stranger.waitForError("no bus")
    let next = try stage.agent("--unless-running")
    #expect(next.exit(until: .patient) == .exited(1))
    #expect(next.standardError.contains("process \(stranger.processID)"))
    #expect(stranger.stop(within: .patience) == .exited(0))
    try stage.bus.stop()
  }

  @Test("with a state of its own a second one is a player beside the first, and commands go to the first")
  func second() throws {
    let stage = try ActivationStage(isInstalled: false)
    let folder = try TemporaryDirectory()
    let first = try stage.agent()
    let process = try stage.waitForOwner(of: Self.player)
    let second = try stage.agent(environment: ["XDG_STATE_HOME": folder.path("state")])
    let instance = "\(Self.player).instance\(second.processID)"
    #expect(try stage.waitForOwner(of: instance).hasSuffix(" \(second.processID)"))
    try second.waitForError("the session's agent is process \(first.processID)")
    #expect(try stage.process(of: Self.agent) == process)
    #expect(try stage.fermata("volume", "40%").status == .exited(0))
    let volumes = try ["fermata", "fermata.instance\(second.processID)"].map {
      try stage.playerctl($0, "volume")
    }
    #expect(volumes == ["0.400000\n", "1.000000\n"])
    let third = try stage.agent("--unless-running", environment: ["XDG_STATE_HOME": folder.path("third")])
    #expect(third.exit(until: .patient) == .exited(0))
    #expect(second.stop(within: .patience) == .exited(0))
    #expect(try stage.process(of: Self.player) == process)
    #expect(first.stop(within: .patience) == .exited(0))
    try stage.bus.stop()
  }
}
