// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import PulseIO
import Testing

@testable import FermataAgent

@Suite("The engine's stream", .serialized, .realTime, .endsAnyway)
struct StreamTests {
  @Test("one that is moved goes on at once where nobody holds it up")
  func moved() async throws {
    try await withPulse(sinks: ["speakers", "others"]) { pulse in
      let bench = try await EngineBench.connected(to: pulse.serverAddress)
      await bench.play(.level(1, 0.25, frames: 441_000))
      await bench.wait(for: "heard 1")
      let stream = try #require(await bench.engine.stream?.index)
      let recorder = try pulse.record("others")
      try pulse.control.move(stream, toSink: "others")
      try recorder.waitForSound()
      #expect(try pulse.control.world().sinkInput(stream)?.isCorked == false)
      await bench.close()
    }
  }

  @Test("one that the server has not made is let go of, and leaves nothing there")
  func unmade() async throws {
    try await withPulse(sinks: ["speakers"]) { pulse in
      let bench = try await EngineBench.connected(to: pulse.serverAddress)
      #expect(await bench.engine.dropUnmadeStream() == false)
      pulse.send(signal: SIGSTOP)
      await bench.play(.level(1, 0.25, frames: 441_000))
      await bench.wait { bench.engine.stream != nil }
      #expect(await bench.engine.dropUnmadeStream())
      await bench.play(.level(2, 0.25, frames: 441_000))
      await bench.wait { bench.engine.stream != nil }
      pulse.send(signal: SIGCONT)
      await bench.wait(for: "heard 2")
      #expect(await bench.engine.dropUnmadeStream() == false)
      try pulse.control.wait(for: "one stream") { $0.sinkInputs.count == 1 }
      await bench.close()
    }
  }

  @Test("one that follows in another format is told of when it is heard")
  func takesOver() async throws {
    try await withPulse(sinks: ["speakers"]) { pulse in
      let bench = try await EngineBench.connected(to: pulse.serverAddress)
      let other = AudioFormat(rate: 48_000, channels: 1)
      await bench.play(.level(1, 0.25, frames: 30_000), then: .level(2, 0.5, frames: 24_000, format: other))
      await bench.wait(for: "ended 2")
      #expect(await bench.streams == 2)
      await bench.close()
    }
  }
}
