// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import FermataTestKit
import Testing

@testable import PulseIO

@Suite("A playback stream", .serialized, .realTime, .endsAnyway)
struct PlaybackStreamTests {
  private let format = AudioFormat(rate: 44_100, channels: 2)

  /// A level that is held for some time.
  private func level(_ value: Float, frames: Int) -> [Float] { [Float](repeating: value, count: frames * 2) }

  /// Frames that can be told from each other. They begin with a level, as a monitor may miss what a sink was made to play
  /// in place of silence that it had rendered already.
  private func ramp(_ frames: Int) -> [Float] {
    level(0.75, frames: 4_410) + (1...frames).flatMap { [Float($0) / 131_072, -Float($0) / 131_072] }
  }

  private func bench(_ pulse: PrivatePulse) async throws -> StreamBench {
    let address = pulse.serverAddress
    let bench = try await onLoop { @AgentLoop in StreamBench(address) }
    await bench.connect()
    return bench
  }

  private func settings() -> PlaybackStream.Settings { .init(name: "test", format: format) }

  @Test("what is written is heard, bit for bit, and the position knows how far it is")
  func heard() async throws {
    try await withPulse(sinks: ["speakers"]) { pulse in
      let recorder = try pulse.record("speakers")
      let sound = ramp(22_050)
      let bench = try await bench(pulse)
      try await bench.open(settings())
      await bench.play(sound)
      await bench.wait(for: .underflow)
      try await bench.stream?.drain()
      let timing = try #require(try await bench.stream?.timing())
      #expect(await bench.stream?.written == sound.count / 2)
      #expect((sound.count / 2 - 2_000...sound.count / 2).contains(timing.heard))
      let heard = try recorder.all().sounding()
      #expect(heard.count <= sound.count)
      let isSame = heard == Array(sound.suffix(heard.count))
      #expect(isSame)
      #expect(heard.count >= 44_100)
      await bench.close()
    }
  }

  @Test("a name that is given while the stream is being made is the stream's")
  func named() async throws {
    try await withPulse(sinks: ["speakers"]) { pulse in
      let bench = try await bench(pulse)
      // The server cannot have answered by the end of this turn of the loop.
      try await onLoop { @AgentLoop [settings = settings()] in
        try bench.open(settings)
        bench.stream?.setName("Song")
      }
      try pulse.control.wait(for: "the stream's name") { $0.sinkInputs.contains { $0.name == "Song" } }
      await bench.close()
    }
  }

  @Test("a cork is silence at once, and an uncork goes on with the next frame")
  func cork() async throws {
    try await withPulse(sinks: ["speakers"]) { pulse in
      let recorder = try pulse.record("speakers")
      let sound = ramp(44_100)
      let bench = try await bench(pulse)
      try await bench.open(settings())
      await bench.play(sound)
      let start = try recorder.waitForSound()
      try recorder.wait(forFrames: start + 22_050)
      await bench.stream?.cork()
      let silence = try recorder.waitForSilence(lasting: .milliseconds(100), from: start)
      await bench.stream?.uncork()
      let again = try recorder.waitForSound(from: silence)
      await bench.wait(for: .underflow)
      try await bench.stream?.drain()
      try recorder.waitForSilence(lasting: .milliseconds(100), from: again)
      let heard = recorder.recording.sounding()
      let numbers = stride(from: 0, to: heard.count, by: 2).map { Int(heard[$0] * 131_072) }.filter {
        $0 < 90_000
      }
      let jumps = zip(numbers, numbers.dropFirst()).filter { $1 != $0 + 1 }
      // Where the sink takes back what it had rendered and the monitor had told, a few frames are heard twice or never there.
      #expect(jumps.count <= 1)
      #expect(jumps.allSatisfy { abs($1 - $0) < 441 })
      #expect(numbers.first == 1 && numbers.last == 44_100)
      await bench.close()
    }
  }

  @Test("the position stands still while the output is suspended, and moves again afterwards")
  func suspended() async throws {
    try await withPulse(sinks: ["speakers"]) { pulse in
      let recorder = try pulse.record("speakers")
      let bench = try await bench(pulse)
      try await bench.open(settings())
      await bench.play(level(0.25, frames: 441_000))
      try recorder.waitForSound()
      #expect(try await bench.stream?.timing().isMoving == true)
      try pulse.control.suspend(sink: "speakers", true)
      await bench.wait(for: .suspended(true))
      #expect(try await bench.stream?.timing().isMoving == false)
      try pulse.control.suspend(sink: "speakers", false)
      await bench.wait(for: .suspended(false))
      #expect(try await bench.stream?.timing().isMoving == true)
      await bench.close()
    }
  }

  @Test("a flush throws away what was not heard, and the position goes on behind it")
  func flush() async throws {
    try await withPulse(sinks: ["speakers"]) { pulse in
      let recorder = try pulse.record("speakers")
      let bench = try await bench(pulse)
      try await bench.open(settings())
      await bench.play(level(0.25, frames: 44_100))
      try recorder.waitForSound()
      await bench.stream?.flush()
      // What is in the device is no more ours, but takes its time.
      let flushed = try #require(try await bench.stream?.timing())
      #expect((42_000...44_100).contains(flushed.heard))
      await bench.play(level(0.5, frames: 4_410))
      await bench.wait { bench.events.last == .underflow }
      try await bench.stream?.drain()
      let timing = try #require(try await bench.stream?.timing())
      #expect((44_100 + 2_400...44_100 + 4_410).contains(timing.heard))
      let samples = try recorder.all().samples
      #expect(samples.count { $0 == 0.25 } < 44_100)
      #expect((6_000...8_820).contains(samples.count { $0 == 0.5 }))
      await bench.close()
    }
  }

  @Test("what was written and not heard can be taken back, and replaced without a seam")
  func takeBack() async throws {
    try await withPulse(sinks: ["speakers"]) { pulse in
      let recorder = try pulse.record("speakers")
      let bench = try await bench(pulse)
      try await bench.open(settings())
      await bench.play(level(0.25, frames: 44_100) + level(0.5, frames: 11_025))
      try recorder.waitForSound()
      #expect(await bench.stream?.written == 55_125)
      await bench.stream?.takeBack(11_025)
      await bench.play(level(0.75, frames: 22_050))
      await bench.wait(for: .underflow)
      try await bench.stream?.drain()
      let heard = try recorder.all().sounding()
      let first = heard.prefix { $0 == 0.25 }.count
      #expect((70_000...88_200).contains(first))
      #expect(heard.dropFirst(first).count == 44_100)
      #expect(heard.dropFirst(first).allSatisfy { $0 == 0.75 })
      await bench.close()
    }
  }

  @Test("what was taken back is replaced in full, also if the server has asked for more sound before that")
  func askedAfterTakeBack() async throws {
    try await withPulse(sinks: ["speakers"]) { pulse in
      let recorder = try pulse.record("speakers")
      let bench = try await bench(pulse)
      var settings = settings()
      settings.bufferLength = .seconds(4)
      try await bench.open(settings)
      await bench.play(level(0.25, frames: 3 * 44_100) + level(0.5, frames: 44_100))
      let start = try recorder.waitForSound()
      try recorder.wait(forFrames: start + 2 * 44_100 + 22_050)
      await bench.stream?.takeBack(44_100)
      await bench.play(level(0.75, frames: 10 * 44_100))
      let (written, heard) = (await bench.stream?.written ?? 0, try await bench.stream?.timing().heard ?? 0)
      #expect(written - heard > 3 * 44_100 + 22_050, "only \(written - heard) frames wait")
      await bench.close()
    }
  }

  @Test("what was taken back and not replaced is silence")
  func takeBackAll() async throws {
    try await withPulse(sinks: ["speakers"]) { pulse in
      let recorder = try pulse.record("speakers")
      let bench = try await bench(pulse)
      try await bench.open(settings())
      await bench.play(level(0.25, frames: 44_100) + level(0.5, frames: 11_025))
      try recorder.waitForSound()
      await bench.stream?.takeBack(11_025)
      await bench.wait(for: .underflow)
      try await bench.stream?.drain()
      let isHeard = try recorder.all().samples.contains(0.5)
      #expect(!isHeard)
      await bench.close()
    }
  }

  @Test("what is written after a flush is heard from its first frame, also if sound was taken back before it")
  func flushAfterTakeBack() async throws {
    try await withPulse(sinks: ["speakers"]) { pulse in
      let recorder = try pulse.record("speakers")
      let bench = try await bench(pulse)
      try await bench.open(settings())
      await bench.play(level(0.25, frames: 44_100) + level(0.5, frames: 11_025))
      try recorder.waitForSound()
      await bench.stream?.takeBack(11_025)
      await bench.stream?.flush()
      await bench.play(level(0.75, frames: 22_050))
      try await bench.stream?.drain()
      let heard = try recorder.all().sounding()
      #expect(heard.count { $0 == 0.75 } == 44_100)
      await bench.close()
    }
  }

  // PipeWire without realtime rights leaves out single cycles of 128 frames now and then, whoever plays.
  @Test("what follows a stream that ran dry on PipeWire is heard whole, also after sound was taken back")
  func dryAfterTakeBack() async throws {
    try await using(PrivatePipeWire(sinks: ["speakers"])) { server in
      let recorder = try server.record("speakers")
      let bench = try await onLoop { @AgentLoop in StreamBench(server.serverAddress) }
      await bench.connect()
      // The answer says that this is PipeWire.
      _ = try await bench.server.readWorld()
      try await bench.open(settings())
      await bench.play(level(0.25, frames: 22_050) + level(0.5, frames: 11_025))
      try recorder.waitForSound()
      await bench.stream?.takeBack(11_025)
      await bench.wait(for: .underflow)
      await bench.play(level(0.75, frames: 22_050))
      await bench.stream?.trigger()
      try recorder.waitForSilence(lasting: .milliseconds(100), from: try recorder.waitForSound(floor: 0.6))
      let lost = 44_100 - recorder.recording.sounding().count { abs($0 - 0.75) < 0.01 }
      #expect((0...1_024).contains(lost) && lost.isMultiple(of: 256), "\(lost) samples of 44,100 are missing")
      await bench.close()
    }
  }

  @Test("the volume is as it was set, at the making and later, and is bounded")
  func volume() async throws {
    try await withPulse(sinks: ["speakers"]) { pulse in
      let bench = try await bench(pulse)
      var settings = settings()
      settings.volume = BalancedVolume(0.5, balance: [1, 0.5])
      try await bench.open(settings)
      await bench.wait(for: .ready)
      let stream = try #require(await bench.stream)
      let made = try await stream.readSinkInput()
      #expect(made.volume == 0.5 && made.balance == [1, 0.5])
      for (asked, got) in [(0.25, 0.25), (-3, 0), (1_000, 1.5), (.nan, 0), (.infinity, 1.5)] {
        try await stream.setVolume(BalancedVolume(asked))
        #expect(try await stream.readSinkInput().volume == got)
      }
      try await stream.setVolume(BalancedVolume(1, balance: [0.25, 1]))
      #expect(try await stream.readSinkInput().balance == [0.25, 1])
      try await stream.setVolume(BalancedVolume(1, balance: [0.25, 1, 1]))
      #expect(try await stream.readSinkInput().balance == [1, 1], "a balance of three is none of two")
      await bench.close()
    }
  }

  @Test("a stream whose server dies says so, and the server is looked for again")
  func serverDeath() async throws {
    let pulse = try PrivatePulse(sinks: ["speakers"])
    let bench = try await bench(pulse)
    try await bench.open(settings())
    await bench.wait(for: .ready)
    pulse.crash()
    await bench.wait { bench.serverEvents.count > 3 && bench.events.count > 1 }
    #expect(await bench.serverEvents.first == "connected")
    #expect(await bench.serverEvents.dropFirst().allSatisfy { $0 == "disconnected" })
    guard case .ended(let error)? = await bench.events.last else {
      Issue.record("the stream did not end")
      return
    }
    #expect(error.code == .connectionTerminated)
    await #expect(throws: PulseError.self) { try await bench.stream?.timing() }
    await bench.close()
  }
}

extension Recorder {
  /// The recording, once what was played has come to its end in it.
  func all() throws -> Recording {
    try waitForSilence(lasting: .milliseconds(100), from: try waitForSound())
    return recording
  }
}

extension Recording {
  /// All samples of the frames that are not silent.
  func sounding() -> [Float] {
    (0..<frames).filter { isSounding($0) }.flatMap { samples[($0 * 2)..<($0 * 2 + 2)] }
  }
}
