// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import Testing

@Suite("The doctor", .serialized, .realTime, .endsAnyway)
struct DoctorTests {
  @Test(
    "finds the server, the plug of the headphones in use, who asks for silence, and the agent",
    arguments: AgentTests.Kind.allCases)
  func surroundings(kind: AgentTests.Kind) throws {
    let server = try kind.start(sinks: [])
    let card = try server.insert(.laptop())
    try server.control.wait(for: "the headphones in use") {
      $0.sink(named: "laptop")?.activePort == "headphones"
    }
    let stage = try AgentStage(server)
    let found = try stage.fermata("doctor").output
    #expect(found.contains("✓ sound server"))
    #expect(found.contains(kind == .pulseAudio ? "module-role-cork" : "PipeWire asks nobody"))
    #expect(found.contains("private, so that its loss pauses"))
    #expect(found.contains("plugged in, and it is noticed"))
    #expect(found.contains("it runs (process \(stage.agent.processID)): stopped"))
    #expect(found.contains("no other player would catch them"))
    #expect(!found.contains("✗"), "\(found)")
    if kind == .pipeWire { #expect(found.contains("✓ session manager  WirePlumber ")) }
    // What the hardware can't tell is said beforehand.
    try card.setAvailable(["headphones": .unknown, "speaker": .unknown])
    try server.control.wait(for: "headphones that don't tell") {
      $0.sink(named: "laptop")?.ports.first { $0.name == "headphones" }?.availability == .unknown
    }
    #expect(try stage.fermata("doctor").output.contains("! jack"))
    try stage.stop()
  }

  @Test("an agent that is halted is named as one that does not answer, soon")
  func halted() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    #expect(kill(stage.agent.processID, SIGSTOP) == 0)
    var words = ""
    let time = try Monotonic.time {
      let doctor = try Child(.beside("fermata"), ["doctor"], environment: stage.environment)
      #expect(doctor.exit(until: .patient) == .exited(1))
      words = doctor.standardOutput
    }
    #expect(kill(stage.agent.processID, SIGCONT) == 0)
    #expect(words.contains("✗ agent"), "\(words)")
    #expect(words.contains("it runs (process \(stage.agent.processID)), but does not answer"), "\(words)")
    #expect(!words.contains("media keys"))
    // Each call of the agent that waits to the end of the bus's patience takes 25 s.
    #expect(time < .seconds(15), "\(time)")
    try stage.stop()
  }

  @Test(
    "it says so where the agent waits for a server that answers here, and what in its environment is another")
  func otherEnvironment() throws {
    let server = try PrivatePulse(sinks: ["speakers"])
    let stage = try AgentStage(server, others: ["PULSE_SERVER": "unix:/nowhere"])
    _ = try stage.fermata("play", stage.makeTone())
    var here = stage.environment
    here["XDG_STATE_HOME"] = stage.folder.path("elsewhere")
    let doctor = try Child(.beside("fermata"), ["doctor"], environment: here)
    #expect(doctor.exit(until: .patient) == .exited(1))
    let words = doctor.standardOutput
    #expect(words.contains("✗ sound server  it answers here, but the agent waits for one"), "\(words)")
    #expect(words.contains("PULSE_SERVER is 'unix:/nowhere' for the agent, and here '"), "\(words)")
    #expect(words.contains("XDG_STATE_HOME is not set for the agent, and here '"), "\(words)")
    #expect(!words.contains("XDG_DATA_HOME") && !words.contains("was replaced"), "\(words)")
    try stage.stop()
  }

  @Test("it names files that may not be written")
  func forbidden() throws {
    let folder = try TemporaryDirectory()
    try folder.write("state/fermata/state.db", "")
    try folder.write("data/fermata/library.db", "")
    try folder.write("data/fermata/listening.db", "")
    for name in ["state/fermata/state.db", "data/fermata/listening.db"] { chmod(folder.path(name), 0o400) }
    let environment = [
      "HOME": folder.path, "XDG_DATA_HOME": folder.path("data"), "XDG_STATE_HOME": folder.path("state"),
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/none",
    ]
    let child = try Child.withoutRights(.beside("fermata"), ["doctor"], environment: environment)
    #expect(child.exit(until: .patient) == .exited(1))
    let words = child.standardOutput
    for name in ["state/fermata/state.db", "data/fermata/listening.db"] {
      #expect(words.contains("\(name): Permission denied"), "\(words)")
    }
    #expect(words.contains("→ let yourself read and write it"), "\(words)")
  }

  @Test("without a server or a bus it names both, says what to do, and its status is that of a failure")
  func nothing() throws {
    let folder = try TemporaryDirectory()
    try folder.write("data", "where the library's folder should be")
    let damaged = "state.db.damaged-20260101-120000"
    for suffix in ["", "-wal"] { try folder.write("state/fermata/\(damaged)\(suffix)", "unreadable") }
    let environment = [
      "HOME": folder.path, "XDG_DATA_HOME": folder.path("data"), "XDG_STATE_HOME": folder.path("state"),
      "PULSE_SERVER": "unix:\(folder.path)/none",
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/none",
    ]
    let child = try Child(.beside("fermata"), ["doctor"], environment: environment)
    #expect(child.exit(until: .patient) == .exited(1))
    #expect(child.standardOutput.contains("✗ sound server  no answer"))
    #expect(child.standardOutput.contains("✗ session bus"))
    #expect(child.standardOutput.contains("✗ library  "))
    #expect(child.standardOutput.contains("\(damaged) could not be used"), "\(child.standardOutput)")
    #expect(!child.standardOutput.contains("-wal"))
    #expect(child.standardOutput.contains("→"))
    #expect(child.standardError.isEmpty)
  }
}
