// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import DecodeIO
import FermataTestKit
import PulseIO
import Synchronization
import Testing

@testable import FermataAgent

@Suite("What comes next is ready before it is asked for", .serialized, .realTime, .endsAnyway)
struct NextSoundTests {
  /// How often each sound was opened.
  private final class Openings: Sendable {
    private let names = Mutex<[String]>([])

    var all: [String] { names.withLock { $0 } }

    func request(
      _ id: PlayID, _ name: String, _ level: Float, frames: Int, start: Duration = .zero,
      format: AudioFormat = AudioFormat(rate: 44_100, channels: 2)
    ) -> SoundRequest {
      SoundRequest(play: id, key: SoundKey(name), start: start) { [self] in
        names.withLock { $0.append(name) }
        return LevelDecoder(level, frames: frames, format: format)
      }
    }
  }

  private func levels(_ recording: Recording) -> [Float: Int] {
    let samples = recording.channel(0).filter { $0 != 0 }
    return Dictionary(samples.map { ($0, 1) }, uniquingKeysWith: +)
  }

  @Test(
    "it is opened once, and heard whole",
    arguments: [(false, 44_100), (false, 48_000), (true, 48_000)])
  func once(onPipeWire: Bool, rate: Int) async throws {
    let server: any SoundServer =
      try onPipeWire ? PrivatePipeWire(sinks: ["speakers"]) : PrivatePulse(sinks: ["speakers"])
    let recorder = try server.record("speakers")
    let openings = Openings()
    let format = AudioFormat(rate: rate, channels: 2)
    let bench = try await EngineBench.connected(to: server.serverAddress, thread: BlockingThread("test"))
    await bench.play(
      openings.request(1, "one", 0.25, frames: 400_000, format: format),
      then: openings.request(2, "two", 0.5, frames: 60_000, format: format))
    try recorder.waitForSound()
    await bench.wait { bench.engine.nextSound.isReady }
    await bench.play(openings.request(3, "two", 0.5, frames: 60_000, format: format))
    #expect(await bench.engine.position?.play == 3)
    await bench.wait(for: "ended 3")
    #expect(await bench.log == ["heard 1", "heard 3", "ended 3"])
    #expect(openings.all == ["one", "two"])
    // What is resampled is no level any more.
    if recorder.format.rate == rate {
      let heard = levels(recorder.recording)
      #expect(heard[0.25, default: 0] < 100_000)
      // PipeWire leaves out a quantum or three at the end, of whatever is played, and on a busy machine more in between.
      #expect((onPipeWire ? 45_000...60_000 : 60_000...60_000).contains(heard[0.5, default: 0]))
    }
    await bench.close()
    try server.stop()
  }

  @Test("something else that is expected takes its place, and what is not expected is opened as ever")
  func changes() async throws {
    try await withPulse(sinks: ["speakers"]) { pulse in
      let openings = Openings()
      let bench = try await EngineBench.connected(to: pulse.serverAddress, thread: BlockingThread("test"))
      await bench.play(
        openings.request(1, "one", 0.25, frames: 400_000),
        then: openings.request(2, "two", 0.5, frames: 60_000))
      await bench.wait { bench.engine.nextSound.isReady }
      await bench.follow(1, with: openings.request(3, "three", 0.5, frames: 60_000))
      await bench.wait { bench.engine.nextSound.isReady }
      #expect(openings.all == ["one", "two", "three"])
      await bench.play(openings.request(4, "three", 0.5, frames: 60_000, start: .milliseconds(500)))
      await bench.wait(for: "ended 4")
      #expect(openings.all == ["one", "two", "three", "three"])
      await bench.close()
    }
  }

  @Test("when its turn comes by itself it is joined as ever")
  func byItself() async throws {
    try await withPulse(sinks: ["speakers"]) { pulse in
      let recorder = try pulse.record("speakers")
      let openings = Openings()
      let bench = try await EngineBench.connected(to: pulse.serverAddress, thread: BlockingThread("test"))
      await bench.play(
        openings.request(1, "one", 0.25, frames: 300_000),
        then: openings.request(2, "two", 0.5, frames: 30_000))
      await bench.wait { bench.engine.nextSound.isReady }
      await bench.wait(for: "ended 2")
      #expect(await bench.log == ["heard 1", "heard 2", "ended 2"])
      #expect(openings.all == ["one", "two", "two"])
      let samples = recorder.recording.channel(0)
      let start = try #require(samples.firstIndex(of: 0.25))
      #expect(
        samples[start...].prefix { $0 == 0.25 }.count + 30_000 == samples[start...].prefix { $0 != 0 }.count)
      await bench.close()
    }
  }
}
