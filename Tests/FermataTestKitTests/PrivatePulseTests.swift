// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import Testing

@Suite("A private PulseAudio")
struct PrivatePulseTests {
  @Test("has the sinks that were asked for, the first of them as the default")
  func sinks() throws {
    try withPulse(sinks: ["speakers", "headphones"]) { pulse in
      let world = try pulse.control.world()
      #expect(world.server.kind == .pulseAudio)
      #expect(world.sinks.map(\.name) == ["speakers", "headphones"])
      #expect(world.server.defaultSink == "speakers")
    }
  }

  @Test("lets sinks come and go while it runs")
  func unload() throws {
    try withPulse(sinks: ["speakers", "headphones"]) { pulse in
      try pulse.unload(sink: "speakers")
      #expect(try pulse.control.world().sinks.map(\.name) == ["headphones"])
      try pulse.load(sink: NullSink("hall", rate: 96_000, channels: 6))
      #expect(try pulse.control.world().sink(named: "hall") != nil)
    }
  }

  @Test("stands in with auto_null when no sink is left")
  func autoNull() throws {
    try withPulse(sinks: ["speakers"]) { pulse in
      try pulse.unload(sink: "speakers")
      try pulse.control.wait(for: "the stand-in") { $0.sinks.first?.isNullFallback == true }
    }
  }

  @Test("two do not know of each other")
  func two() throws {
    let servers = try (PrivatePulse(sinks: ["one"]), PrivatePulse(sinks: ["other"]))
    #expect(servers.0.serverAddress != servers.1.serverAddress)
    #expect(try servers.0.control.world().sinks.map(\.name) == ["one"])
    #expect(try servers.1.control.world().sinks.map(\.name) == ["other"])
    try servers.0.stop()
    try servers.1.stop()
  }

  @Test("a test fails whose server dies, whatever else it says")
  func death() throws {
    struct Symptom: Error {}
    let error = #expect(throws: KitError.self) {
      try withPulse(sinks: ["speakers"]) { pulse in
        let id = try #require(try processID(of: pulse))
        kill(id, SIGKILL)
        let deadline = Deadline.patient
        while (try? pulse.check()) != nil, !deadline.hasPassed { sched_yield() }
        throw Symptom()
      }
    }
    #expect(error?.description.contains("pulseaudio ended by itself (signal 9)") == true)
  }

  @Test("a crash on purpose is no failure")
  func crash() throws {
    try withPulse { pulse in
      pulse.crash()
      #expect(throws: KitError.self) { try pulse.control.world() }
    }
  }

  @Test("what it cannot do it says")
  func refusal() throws {
    try withPulse { pulse in
      #expect(throws: KitError.self) { try pulse.control.load("module-no-such") }
      #expect(throws: KitError.self) { try pulse.unload(sink: "no-such") }
      #expect(throws: KitError.self) { try pulse.control.setPort("no", ofSink: "such") }
    }
    let error = #expect(throws: KitError.self) { try PrivatePulse(modules: [PulseModule("module-no-such")]) }
    #expect(error?.description.contains("module-no-such") == true)
  }

  // The pid file is where the server says who it is.
  private func processID(of pulse: PrivatePulse) throws -> Int32? {
    let runtime = try #require(pulse.environment["XDG_RUNTIME_DIR"])
    let cat = try Program.named("cat", package: "coreutils")
    return try Child.run(cat, ["\(runtime)/pulse/pid"]).split(separator: "\n").first.flatMap { Int32($0) }
  }
}
