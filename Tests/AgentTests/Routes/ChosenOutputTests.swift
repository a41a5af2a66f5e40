// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import Testing

@Suite("An output that somebody chooses", .serialized, .realTime, .endsAnyway)
struct ChosenOutputTests {
  private static let format = AudioFormat(rate: 44_100, channels: 2)

  /// A stage that plays to the speakers, and could play to the kitchen.
  private func playing(on server: any SoundServer) throws -> AgentStage {
    let stage = try AgentStage(server)
    let speakers = try server.record("speakers")
    try stage.play(try stage.makeTone())
    try speakers.waitForSound(floor: 0.01)
    return stage
  }

  /// The sink of our stream, as the server has it.
  private func sink(_ stage: AgentStage) throws -> String? {
    let world = try stage.server.control.world()
    return world.sinkInputs.first { $0.name != "another program's sound" }?.sink.flatMap(world.sink)?.name
  }

  @Test("in a mixer takes the next track too, whose stream was made before that")
  func mixer() throws {
    let pulse = try PrivatePulse(sinks: ["speakers", "kitchen"], modules: .usual + [.streamRestore])
    let stage = try AgentStage(pulse)
    let tones = try [(Self.format, 8), (AudioFormat(rate: 48_000, channels: 1), 60)].map { format, seconds in
      try stage.folder.write(
        "\(seconds).wav", WAVFile.bytes(Tone.sine(frames: seconds * format.rate, format), format))
    }
    _ = try stage.fermata("play", tones[0], tones[1])
    let world = try pulse.control.wait(for: "the next track's stream") { $0.sinkInputs.count == 2 }
    let heard = try #require(world.sinkInputs.first { !$0.isCorked })
    let kitchen = try #require(world.sinks.first { $0.name == "kitchen" })
    try pulse.control.move(heard.index, toSink: "kitchen")
    try stage.wait(for: "60", from: "metadata", "title")
    try pulse.control.wait(for: "the next track in the kitchen") { world in
      world.sinkInputs.contains { !$0.isCorked && $0.index != heard.index && $0.sink == kitchen.index }
    }
    try stage.stop()
  }

  @Test("takes the music in any case, also while it is paused", arguments: RouteServer.allCases)
  func paused(kind: RouteServer) throws {
    let stage = try playing(on: kind.start(sinks: ["speakers", "kitchen"]))
    stage.playerctl("pause")
    try stage.waitForStatus("Paused")
    let run = try stage.fermata("output", "kitchen")
    #expect(run.status == .exited(0) && run.errors.isEmpty, "\(run.errors)")
    #expect(try sink(stage) == "kitchen")
    // To be there already is no failure.
    #expect(try stage.fermata("output", "kitchen").status == .exited(0))
    #expect(stage.playerctl("status") == "Paused")
    try stage.stop()
  }

  // PipeWire's session manager does not lead the sound back there.
  @Test("goes right after that and comes back: where that is set the music goes on there")
  func returns() throws {
    let stage = try playing(
      on: PrivatePulse(sinks: ["speakers", "kitchen"], modules: .usual + [.streamRestore]))
    try stage.fermata("settings", "set", "resume-on-return", "60")
    try stage.fermata("output", "kitchen")
    try stage.server.record("kitchen").waitForSound(floor: 0.01)
    try stage.server.unload(sink: "kitchen")
    try stage.waitForStatus("Paused")
    #expect(try stage.fermata("status", "--json").output.contains(#""why":"route""#))
    try stage.server.load(sink: "kitchen")
    try stage.waitForStatus("Playing")
    try stage.server.record("kitchen").waitForSound(floor: 0.01)
    #expect(try sink(stage) == "kitchen")
    try stage.stop()
  }

  @Test("but the server refuses: that is told with its reason, and nothing has changed")
  func refused() throws {
    let pulse = try PrivatePulse(sinks: ["speakers", "kitchen"])
    let stage = try playing(on: pulse)
    // As many streams as PulseAudio takes for one output.
    let first = try OtherStream([0, 0], Self.format, address: pulse.serverAddress, sink: "kitchen")
    var others = try (1..<256).map { _ in try OtherStream([0, 0], Self.format, of: first, sink: "kitchen") }
    let run = try stage.fermata("output", "kitchen")
    #expect(run.status == .exited(1), "\(run)")
    #expect(
      run.errors.hasPrefix("fermata: output: the sound server refuses to move the music: "), "\(run.errors)")
    #expect(run.errors.contains("; it stays on ") && !run.errors.contains("did you mean"), "\(run.errors)")
    #expect(try sink(stage) == "speakers" && stage.playerctl("status") == "Playing")
    #expect(try stage.fermata("output", "--json").output.contains(#""sink":"speakers","#))
    // Nor does the next stream go there.
    stage.playerctl("stop")
    try pulse.control.wait(for: "the end of the stream") { $0.sinkInputs.count == 256 }
    others.removeLast()
    try pulse.control.wait(for: "room for one") { $0.sinkInputs.count == 255 }
    stage.playerctl("play")
    try pulse.control.wait(for: "the next stream") { $0.sinkInputs.count == 256 }
    #expect(try sink(stage) == "speakers")
    #expect(try stage.fermata("output", "kitchen").status == .exited(0))
    #expect(try sink(stage) == "kitchen")
    try stage.stop()
  }

  @Test("but the server says yes and does nothing: that is a failure too, after two seconds")
  func ignored() throws {
    let server = try PrivatePipeWire(sinks: ["speakers", "kitchen"])
    let stage = try playing(on: server)
    server.send(signalToManager: SIGSTOP)
    let run = try stage.fermata("output", "kitchen")
    #expect(run.status == .exited(1), "\(run)")
    #expect(
      run.errors.hasPrefix(
        "fermata: output: the sound server said yes, but did not move the music; it stays on "),
      "\(run.errors)")
    #expect(stage.playerctl("status") == "Playing")
    server.send(signalToManager: SIGCONT)
    let again = try stage.fermata("output", "kitchen")
    #expect(again.status == .exited(0) && again.errors.isEmpty, "\(again)")
    #expect(try sink(stage) == "kitchen" && stage.playerctl("status") == "Playing")
    try stage.stop()
  }

  // PipeWire sends a stream whose output goes to the default one, even if the card makes another.
  @Test("stays chosen when its card changes the profile, which makes another output")
  func profile() throws {
    let stage = try RouteStage(.pulseAudio, sinks: ["speakers"], cards: [.twoSpeakers], start: "speakers")
    try stage.play(on: "speakers")
    #expect(try stage.stage.fermata("output", "built-in").status == .exited(0))
    try stage.ears.waitForSound(on: "built-in")
    stage.events.wait(forChanges: 1)
    stage.count()
    try stage.card(.twoSpeakers).setProfile("wide")
    try stage.ears.waitForSound(on: "wide")
    stage.events.wait(forChanges: 1)
    stage.expectReasons(["categoryChange"])
    // A stream that is made now begins where the last one was.
    stage.stage.playerctl("stop")
    try stage.server.control.wait(for: "the end of the stream") { $0.sinkInputs.isEmpty }
    stage.stage.playerctl("play")
    let world = try stage.server.control.wait(for: "the next stream") { $0.sinkInputs.first?.sink != nil }
    #expect(world.sinkInputs.first?.sink.flatMap(world.sink)?.name == "wide")
    try stage.stop()
  }
}
