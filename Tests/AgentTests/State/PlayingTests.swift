// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

@Suite("What play is given", .serialized, .realTime, .endsAnyway)
struct PlayingTests {
  private func fermata(_ stage: AgentStage, _ words: String...) throws -> Child {
    try fermata(stage, words)
  }

  private func fermata(_ stage: AgentStage, _ words: [String]) throws -> Child {
    let child = try Child(.beside("fermata"), words, environment: stage.environment)
    _ = child.exit(until: .patient)
    return child
  }

  @Test("a name of no encoding plays, with its tags and its length")
  func bytes() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    let tone = try stage.makeTone()
    try stage.folder.makeFolder("album")
    _ = try Child.run(
      .named("sh", package: "dash"),
      ["-c", "cp \"$0\" \"$(printf '%s/album/b\\366se.wav' \"$1\")\"", tone, stage.folder.path])
    #expect(try fermata(stage, "play", stage.folder.path("album")).exit() == .exited(0))
    try stage.waitForStatus("Playing")
    try stage.wait(for: "60000000", from: "metadata", "mpris:length")
    #expect(!stage.agent.standardError.contains("skipped"))
    try stage.stop()
  }

  @Test("the length that the list shows is the one that was found in playing, not the first guess")
  func lengths() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    // Without a tag that tells its length, and of no constant bit rate.
    let tone = try stage.makeTone()
    let song = stage.folder.path("song.mp3")
    try Child.run(.named("lame", package: "lame"), ["--quiet", "-t", "-V4", tone, song])
    #expect(try fermata(stage, "play", song).exit() == .exited(0))
    try stage.waitForStatus("Playing")
    let deadline = Deadline.patient
    while true {
      let listed = try duration(fermata(stage, "queue", "list", "--json").standardOutput)
      // 60 s of sound in whole frames of 1,152 samples, with what an encoder adds before and behind.
      if let listed, abs(listed - 60.05) < 0.05 { break }
      if deadline.hasPassed { throw KitError("the list shows \(listed ?? 0) s") }
    }
    let status = try duration(fermata(stage, "status", "--json").standardOutput)
    let listed = try duration(fermata(stage, "queue", "list", "--json").standardOutput)
    #expect(status == listed)
    try stage.stop()
  }

  /// The first duration in an answer.
  private func duration(_ json: String) throws -> Double? {
    guard let key = json.firstRange(of: "\"duration\":") else { return nil }
    return Double(json[key.upperBound...].prefix { $0.isNumber || $0 == "." })
  }

  @Test("what nothing can be opened of is refused with 65 and the reason, and what plays goes on")
  func unplayable() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    try stage.play(try stage.makeTone())
    let words = try stage.folder.write("words.mp3", "words")
    let none = try stage.folder.write("none.flac", "")
    for files in [[words], [words, none]] {
      let child = try Child(.beside("fermata"), ["play"] + files, environment: stage.environment)
      #expect(child.exit(until: .patient) == .exited(65))
      #expect(child.standardError.contains("words.mp3"))
    }
    #expect(stage.playerctl("metadata", "title") == "tone")
    #expect(stage.playerctl("status") == "Playing")
    // With one that plays among them the others are skipped.
    #expect(try fermata(stage, "play", words, stage.makeTone("other.wav")).exit() == .exited(0))
    try stage.wait(for: "other", from: "metadata", "title")
    try stage.stop()
  }

  @Test("so are many, also by add, and the queue that was there goes on", arguments: ["play", "add"])
  func manyUnplayable(command: String) throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    try stage.play(try stage.makeTone())
    let files = try (10..<40).map { try stage.folder.write("words\($0).mp3", "words") }
    let child = try fermata(stage, [command] + files)
    #expect(child.exit() == .exited(65))
    #expect(child.standardError.contains("none of 30 files can be played"))
    #expect(child.standardError.contains("words12.mp3"))
    #expect(!child.standardError.contains("words13.mp3"))
    #expect(child.standardError.contains("; and 27 more"))
    #expect(stage.playerctl("metadata", "title") == "tone")
    #expect(stage.playerctl("status") == "Playing")
    // One that plays behind them is enough.
    #expect(try fermata(stage, [command] + files + [stage.makeTone("other.wav")]).exit() == .exited(0))
    try stage.stop()
  }

  @Test("an agent that plays sleeps most of the time, on PipeWire too")
  func sleeps() throws {
    let stage = try AgentStage(try PrivatePipeWire(sinks: ["speakers"]))
    let recorder = try stage.server.record("speakers")
    try stage.play(try stage.makeTone())
    try recorder.waitForSound(floor: 0.1)
    // The first two seconds fill the buffer, store the queue and read the tags.
    try recorder.wait(forFrames: recorder.frames + 2 * 44_100)
    let before = try stage.contextSwitches()
    try recorder.wait(forFrames: recorder.frames + 6 * 44_100)
    // PipeWire asks 24 times a second where nobody says how rarely it should.
    #expect(try stage.contextSwitches() - before < 40)
    try stage.stop()
  }

  /// How the speakers of a PipeWire sounded: from the first frame to the last, and the silences between. If frames are missing, `head` shows whether
  /// they are at the beginning, where the tone rises from 0, and `breaks` after which frames others are.
  private func heard(
    _ files: [(String, AudioFormat, frames: Int)]
  ) throws -> (frames: Int, gaps: [Int], head: [Float], breaks: [Int]) {
    let stage = try AgentStage(try PrivatePipeWire(sinks: ["speakers"]))
    // A recorder that is in no hurry leaves the server its long cycles, as it has them when only music plays. It misses one of its short cycles
    // now and then when the machine is busy, and that is a silence which is not ours.
    let recorder = try stage.server.record("speakers", latency: .milliseconds(100))
    let paths = try files.map { name, format, frames in
      try stage.folder.write(name, WAVFile.bytes(Tone.sine(frames: frames, format), format))
    }
    _ = try fermata(stage, ["play"] + paths)
    let start = try recorder.waitForSound(floor: 0.01)
    try recorder.waitForSilence(lasting: .milliseconds(500), from: start, floor: 0.01)
    let recording = recorder.recording
    let last = try #require(recording.lastSound(floor: 0.01))
    try stage.stop()
    let breaks = recording.clicks(inSineOf: 1000).map { $0.frame - start }
    return (
      last - start, recording.gaps(ofAtLeast: 50, floor: 0.01).map(\.count),
      Array(recording.channel(0)[start...].prefix(3)), Array(breaks.prefix(4))
    )
  }

  @Test("on PipeWire the end of the queue is heard to its last frame, not to the last whole cycle")
  func end() throws {
    for frames in [50_000, 51_000] {
      let heard = try heard([("a.wav", AudioFormat(rate: 44_100, channels: 2), frames)])
      #expect(heard.gaps.isEmpty && abs(heard.frames - frames) < 100, "\(heard)")
    }
  }

  @Test("on PipeWire a track of another format begins within a cycle of the last one's end")
  func anotherFormat() throws {
    let heard = try heard([
      ("a.wav", AudioFormat(rate: 44_100, channels: 2), 50_000),
      ("b.wav", AudioFormat(rate: 44_100, channels: 1), 50_000),
    ])
    // One of PipeWire's cycles at most is 2,048 frames at 48 kHz.
    #expect(heard.gaps.allSatisfy { $0 < 2_048 } && abs(heard.frames - 100_000) < 2_048, "\(heard)")
  }

  @Test("on an output over a network a track of another format follows the last one without a gap")
  func anotherFormatFarAway() throws {
    let far = try PrivatePulse(sinks: ["speakers"])
    let tunnel = PulseModule("module-tunnel-sink", "server=\(far.serverAddress) sink_name=tunnel")
    let near = try PrivatePulse(modules: .usual + [tunnel])
    try near.control.wait(for: "the tunnel") { $0.sink(named: "tunnel") != nil }
    try near.control.setDefaultSink("tunnel")
    let stage = try AgentStage(near)
    let recorder = try far.record("speakers", latency: .milliseconds(100))
    let paths = try [44_100, 48_000].map { rate in
      let format = AudioFormat(rate: rate, channels: 2)
      return try stage.folder.write("\(rate).wav", WAVFile.bytes(Tone.sine(frames: 2 * rate, format), format))
    }
    #expect(try stage.fermata("play", paths[0], paths[1]).status == .exited(0))
    let start = try recorder.waitForSound(floor: 0.01)
    try recorder.wait(forFrames: start + 3 * 44_100)
    let gaps = recorder.recording.gaps(ofAtLeast: 50, floor: 0.01).map(\.count)
    #expect(gaps.allSatisfy { $0 < 44 * 40 }, "\(gaps)")
    try stage.stop()
    try far.stop()
  }
}
