// SPDX-License-Identifier: MIT
import AudioModel
import FaceModel
import FermataTestKit
import MediaModel
import PlaybackLogic
import Testing

@Suite("A disk that hangs", .serialized, .realTime, .endsAnyway)
struct StallTests {
  @Test(
    "under what is read in the background holds up no order, and neither does one under an order",
    arguments: ["reading", "orders"])
  func hangsInBackground(thread: String) async throws {
    let stage = try await StateStage()
    let files = try (1...3).map {
      try Noise("\($0).wav", seed: UInt64($0), frames: 60 * 44_100, in: stage.folder)
    }
    try await stage.caller.call(AgentCall.play([files[0].source], PlayOptions()))
    try await stage.caller.wait(for: "playing") { $0.state == .playing }
    let held = try HeldThread(named: thread, of: stage.agent.processID)
    try await stage.caller.call(AgentCall(.append([files[1].source])))
    #expect(try await stage.caller.entries().count == 2)
    try await stage.caller.call(AgentCall.play([files[2].source], PlayOptions()))
    try await stage.caller.wait(for: "playing the third") {
      $0.state == .playing && $0.current?.item.tags.title == "3"
    }
    held.release()
    try stage.stop()
  }

  @Test(
    "under an order to play: music that is paused meanwhile stays silent, and the queue is as ordered",
    arguments: [false, true])
  func pausedMeanwhile(joining: Bool) async throws {
    let stage = try await StateStage()
    let files = try (1...2).map {
      try Noise("\($0).wav", seed: UInt64($0), frames: 60 * 44_100, in: stage.folder)
    }
    let options = PlayOptions(joins: true)
    try await stage.caller.call(AgentCall.play([files[0].source], options))
    try await stage.caller.wait(for: "playing") { $0.state == .playing }
    let held = try HeldThread(named: joining ? "opening" : "orders", of: stage.agent.processID)
    let order = await stage.caller.begin(
      AgentCall.play([files[1].source], joining ? options : PlayOptions()))
    try await stage.caller.call(AgentCall(.pause))
    held.release()
    let refusal = await #expect(throws: (any Error).self) { try await order.value }
    #expect(refusal.map { "\($0)".contains("paused meanwhile") } == true, "\(String(describing: refusal))")
    #expect(try await stage.caller.entries().count == (joining ? 2 : 1))
    #expect(try await stage.caller.status().state == (joining ? .paused : .stopped))
    try await stage.caller.call(AgentCall(.play))
    try await stage.caller.wait(for: "playing") { $0.state == .playing }
    try stage.stop()
  }

  @Test("under an order to jump: headphones that go meanwhile leave the music paused")
  func lostMeanwhile() async throws {
    let stage = try CallStage.playing(.pulseAudio, sinks: ["headphones", "speakers"])
    let caller = try await AgentCaller.connected(to: stage.agent.bus)
    let next = try #require(FilePath(try stage.makeTone("next.wav")))
    try await caller.call(AgentCall(.append([.file(next)])))
    let entries = try await caller.entries()
    // The first jump begins the thread that is held then.
    try await caller.call(AgentCall(.jump(to: entries[0])))
    let held = try HeldThread(named: "opening", of: stage.agent.agent.processID)
    let order = await caller.begin(AgentCall(.jump(to: entries[1])))
    try await caller.call(.status)
    try stage.server.unload(sink: "headphones")
    try stage.ear.wait(for: "oldDeviceUnavailable")
    held.release()
    let refusal = await #expect(throws: (any Error).self) { try await order.value }
    #expect(refusal.map { "\($0)".contains("paused meanwhile") } == true, "\(String(describing: refusal))")
    try stage.expect("paused", why: "route", interruptions: [])
    try stage.stop()
  }

  @Test("for half a minute, it silences what is not read yet, and holds up nothing and nobody else")
  func hangs() async throws {
    let stage = try await StateStage()
    let played = try Noise("played.wav", seed: 1, frames: 14 * 44_100, in: stage.folder)
    let recorder = try stage.server.record("speakers")
    try await stage.caller.call(AgentCall.play([played.source], PlayOptions()))
    let start = try recorder.waitForSound()
    // By then all that can be made in advance has been.
    try recorder.wait(forFrames: start + 44_100)
    // A thread that is held is what a read that never comes back is to everybody else.
    let held = try HeldThread(named: "decoder", of: stage.agent.processID)
    let heldSince = recorder.frames
    var pings: [Duration] = []
    try await stage.caller.wait(for: "interrupted by the stall") { $0.interruptions == ["stall"] }
    for _ in 0..<50 { pings.append(try await stage.caller.ping()) }
    let silence = try recorder.waitForSilence(lasting: .milliseconds(500), from: start)
    // What was made before is heard to its last frame: what lay at the server, and what the ring held.
    #expect(silence - start > 3 * 44_100)
    #expect(pings.sorted()[pings.count / 2] < .milliseconds(100))
    #expect(try await stage.caller.status().state == .interrupted)
    // The position stands where the sound does: it is what is stored of a book.
    let place = try #require(try await stage.caller.status().position)
    let heardThen = Duration.nanoseconds((silence - start) * 1_000_000_000 / 44_100)
    #expect(abs(place / .milliseconds(1) - heardThen / .milliseconds(1)) < 400, "\(place), of \(heardThen)")
    try await stage.caller.call(AgentCall(.pause))
    #expect(try await stage.caller.status().state == .paused)
    try await stage.caller.call(AgentCall(.play))
    try recorder.wait(forFrames: heldSince + 30 * 44_100, within: .patience)
    try await stage.caller.wait(for: "interrupted by the stall") { $0.interruptions == ["stall"] }
    held.release()
    try await stage.caller.wait(for: "playing") { $0.state == .playing && $0.interruptions.isEmpty }
    try recorder.waitForSound(from: silence)
    let recording = try recorder.wait(forFrames: recorder.frames + 44_100)
    // Nothing is lost, and nothing comes twice.
    let heard = recording.sounding
    let difference = zip(heard, played.samples).enumerated().first { $1.0 != $1.1 }?.offset
    #expect(difference == nil, "sample \(difference ?? 0) of \(heard.count)")
    try stage.stop()
  }
}

extension Recording {
  /// All samples of frames that are not silent.
  fileprivate var sounding: [Float] {
    (0..<frames).filter { isSounding($0) }.flatMap {
      samples[$0 * format.channels..<($0 + 1) * format.channels]
    }
  }
}
