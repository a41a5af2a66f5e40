// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import FaceModel
import FermataAgent
import FermataTestKit
import PlaybackLogic
import Testing

@Suite(
  "What other programs' streams do to the music, as it was set", .serialized, .realTime,
  .endsAnyway)
struct PolicyTests {
  /// A bench that plays, and a test's hand on its server.
  @AgentLoop
  private struct Scene {
    let bench: BusBench
    let control: SoundControl

    init(_ bench: BusBench, _ sources: SoundFolder) async throws {
      self.bench = bench
      control = try SoundControl(address: bench.sound)
      try await bench.call(.set(volume: 0.5))
      try await bench.call(AgentCall.play(sources.sources, PlayOptions()))
      try await until("our stream at half the volume") { try $0.volume == 0.5 }
    }

    var own: SinkInput? {
      get throws { try control.world().sinkInputs.first { $0.name != "another program's sound" } }
    }

    /// Our stream's volume at the server, in hundredths.
    var volume: Double? {
      get throws { try own.map { (try control.volume(of: $0.index) * 100).rounded() / 100 } }
    }

    func stream(_ role: String) throws -> OtherStream {
      let format = AudioFormat(rate: 44_100, channels: 2)
      return try OtherStream(
        Tone.silence(frames: 441, format), format, address: bench.sound, properties: ["media.role": role])
    }

    /// Asks again and again, each time after the agent has answered something.
    func until(_ what: String, _ isReached: (Scene) throws -> Bool) async throws {
      let deadline = Deadline.patient
      while try !isReached(self) {
        guard !deadline.hasPassed else { throw KitError("\(what) did not come: \(try volume ?? -1)") }
        try await bench.call(.status)
      }
    }
  }

  @Test("ducked for a voice, our stream is quieter and nobody is told so; its end brings the volume back")
  func duck() async throws {
    var settings = SessionSettings()
    settings.roles[.announcement] = .duck
    settings.duckLevel = 0.4
    let sources = try SoundFolder(1)
    try await BusBench.run(settings: settings) { bench in
      let scene = try await Scene(bench, sources)
      do {
        let voice = try scene.stream("announcement")
        try await scene.until("a ducked stream") { try $0.volume == 0.2 }
        #expect(bench.service.userVolume == 0.5)
        #expect(bench.service.player.state == .playing)
        try await bench.call(.set(volume: 1))
        try await scene.until("the new volume, ducked") { try $0.volume == 0.4 }
        withExtendedLifetime(voice) {}
      }
      try await scene.until("the whole volume") { try $0.volume == 1 }
      #expect(bench.service.player.session.interruptions.isEmpty)
    }
  }

  @Test("a hand on the mixer's slider while ducked is how loud it is to be, then and afterwards")
  func mixer() async throws {
    var settings = SessionSettings()
    settings.roles[.announcement] = .duck
    let sources = try SoundFolder(1)
    try await BusBench.run(settings: settings) { bench in
      let scene = try await Scene(bench, sources)
      do {
        let voice = try scene.stream("announcement")
        try await scene.until("a ducked stream") { try $0.volume == 0.15 }
        let own = try #require(try scene.own)
        // In a stream's first second it would be taken for the server's memory.
        try await scene.until("the mixer's volume") { scene in
          try scene.control.setVolume(own.index, 0.7)
          return abs(bench.service.userVolume - 0.7) < 0.001
        }
        withExtendedLifetime(voice) {}
      }
      try await scene.until("the end of the voice") { try $0.control.world().sinkInputs.count == 1 }
      #expect(try scene.volume == 0.7)
    }
  }

  @Test("a role that is set to pause interrupts by its name, and one that is ignored does not")
  func pauseAndIgnore() async throws {
    var settings = SessionSettings()
    settings.roles = [.phone: .ignore, .notification: .pause]
    let sources = try SoundFolder(1)
    try await BusBench.run(settings: settings) { bench in
      let scene = try await Scene(bench, sources)
      let phone = try scene.stream("phone")
      do {
        let message = try scene.stream("notification")
        await bench.wait(for: "the interruption") { bench.service.player.state == .interrupted }
        #expect(bench.service.player.session.interruptions == [.role(.notification)])
        withExtendedLifetime(message) {}
      }
      await bench.wait(for: "its end") { bench.service.player.state == .playing }
      withExtendedLifetime(phone) {}
    }
  }
}
