// SPDX-License-Identifier: MIT
import AudioModel
import BusModel
import FermataTestKit
import Glibc
import Testing

@Suite("The agent", .serialized, .longRealTime, .endsAnyway)
struct AgentTests {
  enum Kind: CaseIterable {
    case pulseAudio, pipeWire

    func start(sinks: [NullSink]) throws -> any SoundServer {
      switch self {
      case .pulseAudio: try PrivatePulse(sinks: sinks, modules: .usual + [.roleCork])
      case .pipeWire: try PrivatePipeWire(sinks: sinks)
      }
    }
  }

  @Test("doing nothing, it does nothing: no thread of it wakes in ten seconds")
  func idle() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    // A fresh route counts as fresh for two seconds; after that there is nothing to wait for.
    _ = stage.agent.exit(until: .after(.seconds(4)))
    let before = try stage.contextSwitches()
    _ = stage.agent.exit(until: .patient)
    #expect(try stage.contextSwitches() - before == 0)
    #expect(try stage.threads().count == 2, "the loop, and the store's thread")
    try stage.stop()
  }

  @Test("the keys of a desktop play, pause and skip", arguments: Kind.allCases)
  func keys(kind: Kind) throws {
    let stage = try AgentStage(try kind.start(sinks: ["speakers"]))
    let recorder = try stage.server.record("speakers")
    try stage.play(try stage.makeTone("first.wav"))
    let start = try recorder.waitForSound(floor: 0.01)
    #expect(stage.playerctl("metadata", "title") == "first")
    stage.playerctl("play-pause")
    try stage.waitForStatus("Paused")
    let silence = try recorder.waitForSilence(lasting: .milliseconds(300), from: start, floor: 0.01)
    stage.playerctl("play-pause")
    try recorder.waitForSound(from: silence, floor: 0.01)
    try stage.play(try stage.makeTone("second.wav"))
    #expect(stage.playerctl("metadata", "title") == "second")
    stage.playerctl("previous")
    #expect(stage.playerctl("metadata", "title") == "first")
    stage.playerctl("next")
    #expect(stage.playerctl("metadata", "title") == "second")
    stage.playerctl("stop")
    try stage.waitForStatus("Stopped")
    try stage.stop()
  }

  @Test("a mixer shows what plays, and the track after it in the same stream")
  func streamName() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    try stage.play(try stage.makeTone("first.wav"))
    try stage.server.control.wait(for: "the title") { $0.sinkInputs.map(\.name) == ["first"] }
    let stream = try stage.server.control.world().sinkInputs.map(\.index)
    _ = try Child.run(
      .beside("fermata"), ["add", try stage.makeTone("second.wav")], environment: stage.environment)
    stage.playerctl("next")
    try stage.server.control.wait(for: "the next title") { $0.sinkInputs.map(\.name) == ["second"] }
    let format = AudioFormat(rate: 44_100, channels: 2)
    let flac = try ToneFile.flac(
      "third.flac", Tone.sine(frames: 441_000, format), format,
      flags: ["--tag=TITLE=Third", "--tag=ARTIST=Somebody"], in: stage.folder)
    _ = try Child.run(.beside("fermata"), ["add", flac], environment: stage.environment)
    stage.playerctl("next")
    try stage.server.control.wait(for: "artist and title") {
      $0.sinkInputs.map(\.name) == ["Somebody – Third"]
    }
    #expect(try stage.server.control.world().sinkInputs.map(\.index) == stream)
    try stage.stop()
  }

  @Test(
    "what was added to be played is taken back together with that: what played before goes on at its place")
  func addedAndTakenBack() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    let first = try stage.makeTone("first.wav")
    let second = try stage.makeTone("second.wav")
    try stage.play(first)
    try stage.fermata("add", try stage.makeTone("third.wav"))
    try stage.fermata("seek", "20")
    try stage.fermata("add", "--play", second)
    try stage.wait(for: "second", from: "metadata", "title")
    try stage.fermata("queue", "undo")
    try stage.wait(for: "first", from: "metadata", "title")
    let position = try #require(stage.playerctl("position").flatMap(Double.init))
    #expect(position >= 20 && position < 30 && stage.playerctl("status") == "Playing")
    // A stop says who ordered it, as a pause does.
    try stage.fermata("stop")
    #expect(try stage.fermata("status", "--json").output.contains(#""why":"user""#))
    try stage.stop()
  }

  @Test("consume takes what was heard out of the queue, and outlives a crash; sleep pauses by itself")
  func consumeAndSleep() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    func fermata(_ words: String...) throws -> String {
      try Child.run(.beside("fermata"), words, environment: stage.environment)
    }
    try stage.play(try stage.makeTone("first.wav"))
    _ = try fermata("consume", "on")
    _ = try fermata("add", try stage.makeTone("second.wav"))
    _ = try fermata("next")
    #expect(try fermata("queue", "--json").contains(#""length":1,"#))
    try stage.restartAfterCrash()
    #expect(try fermata("consume") == "on\n")
    #expect(try fermata("queue", "--json").contains(#""length":1,"#))
    _ = try fermata("queue", "undo")
    #expect(try fermata("queue", "--json").contains(#""length":2,"#))
    _ = try fermata("play")
    try stage.waitForStatus("Playing")
    _ = try fermata("sleep", "1s")
    #expect(try fermata("status", "--json").contains(#""sleep":"#))
    try stage.waitForStatus("Paused")
    #expect(try fermata("volume") == "100%\n" && fermata("sleep") == "off\n")
    try stage.stop()
  }

  @Test("quit ends it in order, and where none runs it starts none")
  func quit() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    try stage.play(try stage.makeTone())
    #expect(try Child.run(.beside("fermata"), ["quit"], environment: stage.environment).isEmpty)
    #expect(stage.agent.exit(until: .patient) == .exited(0))
    let again = try Child.run(.beside("fermata"), ["quit"], environment: stage.environment)
    #expect(again == "No agent runs.\n")
    try stage.server.stop()
    try stage.bus.stop()
  }

  @Test(
    "output moves the music, which goes on, and the next stream begins where it was sent",
    arguments: Kind.allCases)
  func output(kind: Kind) throws {
    let stage = try AgentStage(kind.start(sinks: ["speakers", "kitchen"]))
    func fermata(_ words: String...) throws -> String {
      try Child.run(.beside("fermata"), words, environment: stage.environment)
    }
    let speakers = try stage.server.record("speakers")
    let kitchen = try stage.server.record("kitchen")
    try stage.play(try stage.makeTone())
    try speakers.waitForSound(floor: 0.01)
    #expect(try fermata("output", "kitch").isEmpty)
    let there = try kitchen.waitForSound(floor: 0.01)
    try stage.waitForLog("(override)")
    #expect(stage.playerctl("status") == "Playing")
    #expect(try fermata("output", "--json").contains(#""sink":"kitchen""#))
    let told = try fermata("output", "kitchen", "--json")
    #expect(told.hasPrefix(#"{"outputs":["#) && told.contains(#""sink":"kitchen""#), "\(told)")
    stage.playerctl("stop")
    let silence = try kitchen.waitForSilence(lasting: .milliseconds(300), from: there, floor: 0.01)
    let mistyped = try Child(.beside("fermata"), ["output", "spekers"], environment: stage.environment)
    #expect(mistyped.exit(until: .patient) == .exited(1))
    #expect(mistyped.standardError.hasSuffix("no output spekers; did you mean 'speakers'?\n"))
    #expect(try fermata("output", "speakers").isEmpty)
    let before = speakers.frames
    stage.playerctl("play")
    try speakers.waitForSound(from: before, floor: 0.01)
    #expect(stage.playerctl("status") == "Playing" && silence > there)
    try stage.stop()
  }

  @Test("right after its start, status waits until it is known where the sound goes")
  func firstStatus() throws {
    let pulse = try PrivatePulse(sinks: ["speakers"])
    pulse.send(signal: SIGSTOP)
    let stage = try AgentStage(pulse)
    let status = try Child(.beside("fermata"), ["status", "--json"], environment: stage.environment)
    // The agent answers others meanwhile.
    #expect(stage.playerctl("status") == "Stopped")
    pulse.send(signal: SIGCONT)
    #expect(status.exit(until: .patient) == .exited(0))
    #expect(status.standardOutput.contains(#""sink":"speakers""#), "\(status.standardOutput)")
    try stage.stop()
  }

  @Test("headphones that vanish pause it, and the speakers hear nothing more", arguments: Kind.allCases)
  func unplug(kind: Kind) throws {
    let stage = try AgentStage(try kind.start(sinks: ["headphones", "speakers"]))
    let headphones = try stage.server.record("headphones")
    let speakers = try stage.server.record("speakers")
    try stage.play(try stage.makeTone())
    try headphones.waitForSound(floor: 0.01)
    try stage.server.unload(sink: "headphones")
    try stage.waitForStatus("Paused")
    try stage.waitForLog("oldDeviceUnavailable")
    let heard = speakers.recording.firstSound(floor: 0.01)
    if let heard { try speakers.waitForSilence(lasting: .milliseconds(300), from: heard, floor: 0.01) }
    let recording = speakers.recording
    let leaked = (0..<recording.frames).count { recording.isSounding($0, floor: 0.01) }
    #expect(recording.format.duration(ofFrames: leaked) < .milliseconds(100), "\(leaked) frames leaked")
    #expect(stage.playerctl("status") == "Paused")
    try stage.stop()
  }

  @Test("the jack of a laptop goes out: it pauses, though the sink stays", arguments: Kind.allCases)
  func jack(kind: Kind) throws {
    let server = try kind.start(sinks: [])
    let card = try server.insert(.laptop())
    try server.control.wait(for: "the headphones in use") {
      $0.sink(named: "laptop")?.activePort == "headphones"
    }
    let stage = try AgentStage(server)
    func fermata(_ words: String...) throws -> String {
      try Child.run(.beside("fermata"), words, environment: stage.environment)
    }
    try stage.play(try stage.makeTone())
    let events = try Child(
      .beside("fermata"), ["events"], environment: stage.environment, isInteractive: true)
    // It does not say when it listens, so something is told until it was heard.
    repeat {
      _ = try fermata("volume", "-1%")
    } while (try? events.nextLine(until: .after(.milliseconds(200)))) == nil
    try card.setAvailable(["headphones": .no, "speaker": .unknown])
    try stage.waitForStatus("Paused")
    try stage.waitForLog("oldDeviceUnavailable")
    #expect(try fermata("status").contains("(paused: the headphones were unplugged)"))
    var told = try events.nextLine(until: .patient)
    while !told.contains("unplugged") { told = try events.nextLine(until: .patient) }
    let words = "headphones unplugged; sound would go to the loudspeakers"
    #expect(told.contains(words), "\(told)")
    #expect(stage.agent.standardError.contains(words), "\(stage.agent.standardError)")
    try card.setAvailable(["headphones": .yes, "speaker": .no])
    try server.control.wait(for: "the headphones again") {
      $0.sink(named: "laptop")?.activePort == "headphones"
    }
    #expect(stage.playerctl("status") == "Paused", "what returns starts nothing")
    try stage.stop()
  }

  @Test("a call silences it, and its end brings back what was playing", arguments: Kind.allCases)
  func call(kind: Kind) throws {
    let stage = try AgentStage(try kind.start(sinks: ["speakers"]))
    try stage.play(try stage.makeTone())
    let format = AudioFormat(rate: 44_100, channels: 2)
    do {
      let phone = try stage.server.play(
        Tone.sine(frames: 44_100 * 30, format), format, properties: ["media.role": "phone"])
      try stage.waitForStatus("Paused")
      withExtendedLifetime(phone) {}
    }
    try stage.waitForStatus("Playing")
    try stage.stop()
  }

  @Test("what the user paused is not started by the end of a call", arguments: Kind.allCases)
  func callWhilePaused(kind: Kind) throws {
    let stage = try AgentStage(try kind.start(sinks: ["speakers"]))
    try stage.play(try stage.makeTone())
    stage.playerctl("pause")
    try stage.waitForStatus("Paused")
    let format = AudioFormat(rate: 44_100, channels: 2)
    do {
      let phone = try stage.server.play(
        Tone.sine(frames: 44_100 * 30, format), format, properties: ["media.role": "phone"])
      try stage.server.control.wait(for: "the call") { $0.sinkInputs.count >= 2 }
      withExtendedLifetime(phone) {}
    }
    try stage.server.control.wait(for: "its end") { $0.sinkInputs.count <= 1 }
    #expect(stage.playerctl("status") == "Paused")
    try stage.stop()
  }

  @Test("killed and started anew, it has its queue and stands where it was, paused")
  func crash() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    try stage.play(try stage.makeTone("kept.wav"))
    stage.playerctl("pause")
    try stage.waitForStatus("Paused")
    let position = stage.playerctl("position")
    try stage.restartAfterCrash()
    #expect(stage.playerctl("metadata", "title") == "kept")
    #expect(stage.playerctl("position") == position)
    stage.playerctl("play")
    try stage.waitForStatus("Playing")
    try stage.stop()
  }

  @Test("one that is started to outlive its terminal does: a hang-up that is ignored stays ignored")
  func outlives() throws {
    let (server, bus) = (try PrivatePulse(sinks: ["speakers"]), try PrivateBus())
    let folder = try TemporaryDirectory()
    let environment = AgentStage.environment(server, bus, folder)
    let agent = try Child(
      .named("nohup", package: "coreutils"), [Program.beside("fermata").path, "agent"],
      environment: environment)
    let (client, deadline) = (try MPRISClient(bus), Deadline.patient)
    while (try? client.get("PlaybackStatus")) == nil, !deadline.hasPassed {}
    agent.send(signal: SIGHUP)
    #expect(agent.exit(until: .after(.milliseconds(700))) == nil)
    #expect(try client.get("PlaybackStatus") == .string("Stopped"))
    client.close()
    #expect(agent.stop(within: .patience) == .exited(0))
    try server.stop()
    try bus.stop()
  }

  @Test("a second one is told who has the place, and ends")
  func second() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    let second = try Child(.beside("fermata"), ["agent"], environment: stage.environment)
    #expect(second.exit(until: .patient) == .exited(1))
    #expect(second.standardError.contains("process \(stage.agent.processID)"))
    #expect(stage.playerctl("status") == "Stopped")
    try stage.stop()
  }
}
