// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import FermataTestKit
import Testing

@testable import PulseIO

@Suite(
  "Orders to a stream that the server does not have yet", .serialized, .realTime, .endsAnyway)
struct EarlyOrderTests {
  @Test("a cork or an uncork that comes too early is not lost", arguments: [true, false])
  func cork(corks: Bool) async throws {
    let ordered: @AgentLoop (PlaybackStream) async throws -> Void = { corks ? $0.cork() : $0.uncork() }
    try await expect({ $0.isCorked == corks }, after: ordered) { $0.startsCorked = !corks }
  }

  @Test("a mute, an unmute and a volume that come too early are not lost", arguments: [true, false])
  func mute(mutes: Bool) async throws {
    let ordered: @AgentLoop (PlaybackStream) async throws -> Void = { stream in
      try await stream.setMuted(mutes)
      try await stream.setVolume(BalancedVolume(0.5))
    }
    try await expect({ $0.isMuted == mutes && abs(($0.volume ?? 0) - 0.5) < 0.01 }, after: ordered) {
      ($0.isMuted, $0.volume) = (!mutes, BalancedVolume(1))
    }
  }

  /// Makes a stream with the preset settings as `change` leaves them, gives the orders at once, and waits until the server has it as `isRight` says.
  private func expect(
    _ isRight: @escaping @Sendable (SinkInput) -> Bool,
    after order: @escaping @AgentLoop (PlaybackStream) async throws -> Void,
    _ change: (inout PlaybackStream.Settings) -> Void
  ) async throws {
    var settings = PlaybackStream.Settings(name: "test", format: AudioFormat(rate: 44_100, channels: 2))
    change(&settings)
    try await withPulse(sinks: ["speakers"]) { [settings] pulse in
      let address = pulse.serverAddress
      let bench = try await onLoop { @AgentLoop in StreamBench(address) }
      await bench.connect()
      try await open(bench, settings, order)
      await bench.wait(for: .ready)
      try await bench.waitForWorld { $0.sinkInputs.map(isRight) == [true] }
      await bench.close()
    }
  }

  // In one turn of the loop: the server cannot have answered in between.
  @AgentLoop
  private func open(
    _ bench: StreamBench, _ settings: PlaybackStream.Settings,
    _ order: @AgentLoop (PlaybackStream) async throws -> Void
  ) async throws {
    try bench.open(settings)
    if let stream = bench.stream { try await order(stream) }
  }
}
