// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import FermataTestKit
import Testing

@testable import PulseIO

@Suite("A stream that is moved", .serialized, .realTime, .endsAnyway)
struct MoveTests {
  private let settings = PlaybackStream.Settings(
    name: "test", format: AudioFormat(rate: 44_100, channels: 2))

  private func playing(on pulse: PrivatePulse) async throws -> StreamBench {
    let address = pulse.serverAddress
    let bench = try await onLoop { @AgentLoop in StreamBench(address) }
    await bench.connect()
    try await bench.open(settings)
    await bench.play([Float](repeating: 0.25, count: 2 * 44_100))
    await bench.wait(for: .started)
    return bench
  }

  @Test("it is silent before anybody is told, and goes on there when it is let")
  func moved() async throws {
    try await withPulse(sinks: ["speakers", "others"]) { pulse in
      let bench = try await playing(on: pulse)
      let index = try #require(await bench.stream?.index)
      let target = try #require(try pulse.control.world().sink(named: "others")?.index)
      try pulse.control.move(index, toSink: "others")
      await bench.wait(for: .moved(to: target))
      #expect(await bench.stream?.isCorked == true)
      // The server obeyed before it was told.
      #expect(try pulse.control.world().sinkInput(index)?.isCorked == true)
      await bench.stream?.uncork()
      try await bench.waitForWorld { $0.sinkInput(index)?.isCorked == false }
      await bench.close()
    }
  }

  @Test("the same where its sink goes, and what else the server says of that is told too")
  func sinkGone() async throws {
    try await withPulse(sinks: ["speakers", "others"]) { pulse in
      let bench = try await playing(on: pulse)
      let index = try #require(await bench.stream?.index)
      let target = try #require(try pulse.control.world().sink(named: "others")?.index)
      try pulse.unload(sink: "speakers")
      await bench.wait(for: .moved(to: target))
      try await bench.waitForWorld {
        $0.sink(named: "speakers") == nil && $0.sinkInput(index)?.isCorked == true
      }
      await bench.close()
    }
  }

  @Test("what was asked after a move is answered after it was told")
  func order() async throws {
    try await withPulse(sinks: ["speakers", "others"]) { pulse in
      let bench = try await playing(on: pulse)
      let target = try #require(try pulse.control.world().sink(named: "others")?.index)
      let (input, events) = try await bench.readSinkInput(after: {
        try pulse.control.move($0, toSink: "others")
      })
      #expect(input.sink == target)
      #expect(events.contains(.moved(to: target)))
      await bench.close()
    }
  }

  @Test("one that is let go of before the server has obeyed holds nothing back")
  func letGo() async throws {
    try await withPulse(sinks: ["speakers"]) { pulse in
      let bench = try await playing(on: pulse)
      await bench.corkFirstAndLetGo()
      try pulse.load(sink: "others")
      try await bench.waitForWorld { $0.sink(named: "others") != nil && $0.sinkInputs.isEmpty }
      await bench.close()
    }
  }
}
