// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import BusModel
import FaceModel
import FermataAgent
import FermataTestKit
import PlaybackLogic
import Testing

@Suite("A player that is not heard", .serialized, .realTime, .endsAnyway)
struct InaudibilityTests {
  /// A bench that plays, with a hand on its server and our stream there.
  private func run(
    _ body: @escaping @Sendable @AgentLoop (BusBench, SoundControl, SinkInput.Index) async throws -> Void
  ) async throws {
    let sources = try SoundFolder(1)
    try await BusBench.run { bench in
      let control = try SoundControl(address: bench.sound)
      try await bench.call(.set(volume: 0.5))
      try await bench.call(AgentCall.play(sources.sources, PlayOptions()))
      try await body(bench, control, try await stream(bench, control))
    }
  }

  /// Asks again and again, each time after the agent has answered something: the loop is its as well.
  @AgentLoop
  private func stream(_ bench: BusBench, _ control: SoundControl) async throws -> SinkInput.Index {
    let deadline = Deadline.patient
    while true {
      try await bench.call(.status)
      let own = try control.world().sinkInputs.first {
        $0.name != "another program's sound" && !$0.isCorked
      }
      if let own, bench.service.player.session.isSounding { return own.index }
      if deadline.hasPassed { throw KitError("no stream of ours") }
    }
  }

  /// What was told of the state since, each with its reason.
  @AgentLoop
  private func told(_ bench: BusBench) async throws -> [String] {
    try await bench.news().compactMap { news in
      guard case .state(let state, let why) = news else { return nil }
      return "\(state.rawValue) \(why ?? "-")"
    }
  }

  @Test("a mute of the output is told once, though much else is told of that output, and so is its end")
  func outputMuted() async throws {
    try await run { bench, control, _ in
      _ = try await told(bench)
      bench.forgetSignals()
      try control.setMute(sink: "speakers", true)
      await bench.wait(for: "the mute") { bench.service.why == .inaudible(.outputMuted) }
      for step in 1...20 { try control.setVolume(sink: "speakers", Double(step) / 20) }
      #expect(bench.service.player.state == .playing)
      try control.setMute(sink: "speakers", false)
      await bench.wait(for: "its end") { bench.service.why == nil }
      #expect(try await told(bench) == ["playing output-muted", "playing -"])
      #expect(!bench.signals.contains { $0.member == "RouteChanged" })
    }
  }

  @Test("a volume of 0 is told whoever set it, and so is that of the output")
  func volume() async throws {
    try await run { bench, control, _ in
      _ = try await told(bench)
      bench.forgetSignals()
      try await bench.call(.set(volume: 0))
      #expect(bench.service.why == .inaudible(.volume))
      try control.setVolume(sink: "speakers", 0)
      try await bench.call(.set(volume: 0.5))
      await bench.wait(for: "the output's volume") { bench.service.why == .inaudible(.outputVolume) }
      try control.setVolume(sink: "speakers", 0.5)
      await bench.wait(for: "the end of it") { bench.service.why == nil }
      #expect(Set(try await told(bench)) == ["playing volume", "playing output-volume", "playing -"])
    }
  }

  @Test("a stream that moves away from a muted output is heard, and one that moves there is not")
  func moves() async throws {
    try await run { bench, control, own in
      try control.load("module-null-sink", "sink_name=others")
      try control.setMute(sink: "others", true)
      try control.move(own, toSink: "others")
      await bench.wait(for: "the muted output") { bench.service.why == .inaudible(.outputMuted) }
      #expect(bench.service.player.state == .playing)
      try control.move(own, toSink: "speakers")
      await bench.wait(for: "the other one") { bench.service.why == nil }
    }
  }

  @Test("a mute of our own stream is said, and so is its end")
  func muted() async throws {
    try await run { bench, control, own in
      try control.setMute(own, true)
      await bench.wait(for: "the mute") { bench.service.why == .inaudible(.muted) }
      try control.setMute(own, false)
      await bench.wait(for: "its end") { bench.service.why == nil }
    }
  }
}
