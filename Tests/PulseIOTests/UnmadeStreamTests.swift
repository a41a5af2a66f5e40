// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import FermataTestKit
import PulseIO
import Testing

@Suite("Orders for a stream that is being made", .serialized, .realTime, .endsAnyway)
struct UnmadeStreamTests {
  @Test(
    "a stream that is let go of while it is being made leaves nothing on the server",
    arguments: [false, true])
  func unmade(isPipeWire: Bool) async throws {
    try await run(isPipeWire) { bench, settings in
      for _ in 0..<3 { try bench.open(settings) }
      await bench.wait(for: .ready)
      try await bench.waitForWorld { $0.sinkInputs.count == 1 }
    }
  }

  @Test("a cork or an end of one that is ordered meanwhile holds", arguments: [false, true])
  func corked(isPipeWire: Bool) async throws {
    try await run(isPipeWire) { bench, settings in
      for corks in [true, false] {
        var settings = settings
        settings.startsCorked = !corks
        try bench.open(settings)
        corks ? bench.stream?.cork() : bench.stream?.uncork()
        bench.play([Float](repeating: 0.5, count: 44_100))
        try await bench.waitForWorld { world in
          world.sinkInputs.count == 1 && world.sinkInputs.allSatisfy { $0.isCorked == corks }
        }
      }
    }
  }

  private func run(
    _ isPipeWire: Bool,
    _ body: @escaping @Sendable @AgentLoop (StreamBench, PlaybackStream.Settings) async throws -> Void
  ) async throws {
    let server: any SoundServer = try isPipeWire ? PrivatePipeWire(sinks: ["a"]) : PrivatePulse(sinks: ["a"])
    let address = server.serverAddress
    try await onLoop { @AgentLoop in
      let bench = StreamBench(address)
      defer { bench.close() }
      await bench.connect()
      let format = AudioFormat(rate: 44_100, channels: 2)
      try await body(bench, PlaybackStream.Settings(name: "test", format: format))
    }
    try server.stop()
  }
}
