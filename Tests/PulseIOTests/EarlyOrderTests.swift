// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import FermataTestKit
import Testing

@testable import PulseIO

@Suite(
  "Orders to a stream that the server does not have yet", .serialized, .realTime, .timeLimit(.minutes(5)))
struct EarlyOrderTests {
  @Test("a cork or an uncork that comes too early is not lost", arguments: [true, false])
  func cork(corks: Bool) async throws {
    try await withPulse(sinks: ["speakers"]) { pulse in
      let address = pulse.serverAddress
      let bench = try await onLoop { @AgentLoop in StreamBench(address) }
      await bench.connect()
      var settings = PlaybackStream.Settings(name: "test", format: AudioFormat(rate: 44_100, channels: 2))
      settings.startsCorked = !corks
      try await open(bench, settings, thenCorks: corks)
      await bench.wait(for: .ready)
      try await bench.waitForWorld { $0.sinkInputs.map(\.isCorked) == [corks] }
      await bench.close()
    }
  }

  @Test("a mute, an unmute and a volume that come too early are not lost", arguments: [true, false])
  func mute(mutes: Bool) async throws {
    try await withPulse(sinks: ["speakers"]) { pulse in
      let address = pulse.serverAddress
      let bench = try await onLoop { @AgentLoop in StreamBench(address) }
      await bench.connect()
      var settings = PlaybackStream.Settings(name: "test", format: AudioFormat(rate: 44_100, channels: 2))
      settings.isMuted = !mutes
      settings.volume = BalancedVolume(1)
      try await open(bench, settings, thenMutes: mutes)
      await bench.wait(for: .ready)
      try await bench.waitForWorld { world in
        world.sinkInputs.map(\.isMuted) == [mutes]
          && world.sinkInputs.allSatisfy { abs(($0.volume ?? 0) - 0.5) < 0.01 }
      }
      await bench.close()
    }
  }

  @AgentLoop
  private func open(
    _ bench: StreamBench, _ settings: PlaybackStream.Settings, thenMutes mutes: Bool
  ) async throws {
    try bench.open(settings)
    try await bench.stream?.setMuted(mutes)
    try await bench.stream?.setVolume(BalancedVolume(0.5))
  }

  // In one turn of the loop: the server cannot have answered in between.
  @AgentLoop
  private func open(_ bench: StreamBench, _ settings: PlaybackStream.Settings, thenCorks corks: Bool) throws {
    try bench.open(settings)
    if corks { bench.stream?.cork() } else { bench.stream?.uncork() }
  }
}
