// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing
import TimelineModel

@Suite("A place in what a decoder delivers")
struct SoundTimelineTests {
  private func timeline(
    rate: Int = 44_100, units: Int, seconds: Int = 1, origin: Int = 0,
    packets: SoundTimeline.Packets = .same(1_024),
    runUp: SoundTimeline.RunUp = .frames(4_096)
  ) throws -> SoundTimeline {
    let clock = try #require(
      SoundTimeline.Clock(units: units, seconds: seconds, origin: origin))
    return SoundTimeline(rate: rate, start: 0, end: nil, runUp: runUp, packets: packets, clock: clock)
  }

  @Test("is where its time says, where the clock ticks with the frames")
  func exactClock() throws {
    let exact = try timeline(units: 44_100)
    #expect(exact.grid == nil)
    #expect(exact.rawFrame(at: 12_345) == 12_345)
    #expect(exact.approach(to: 100_000) == .from(time: 100_000 - 4_096))
    // The clock of raw AAC: 640 ticks a frame.
    let fine = try timeline(units: 28_224_000)
    #expect(fine.rawFrame(at: 640 * 2_048) == 2_048)
  }

  @Test("is at the beginning of a packet, where the clock is too slow to tell")
  func slowClock() throws {
    let slow = try timeline(units: 1_000)
    for packet in 0..<5_000 {
      let milliseconds = Int((Double(packet * 1_024) / 44.1).rounded())
      #expect(slow.rawFrame(at: milliseconds) == packet * 1_024)
    }
    let late = try timeline(units: 1_000, origin: -7)
    #expect(late.rawFrame(at: -7) == 0)
  }

  @Test(
    "is at a multiple of what the lengths of packets have in common, where the clock is too slow to tell",
    arguments: [44_100, 48_000])
  func varyingPackets(rate: Int) throws {
    func milliseconds(_ frame: Int) -> Int { Int((Double(frame * 1_000) / Double(rate)).rounded()) }
    // The first packet of Vorbis is not heard, so the first frames that come may be a bit later.
    let slow = try timeline(rate: rate, units: 1_000, origin: 3, packets: .multiples(of: 64))
    for frame in stride(from: 0, to: 1 << 20, by: 64) {
      #expect(slow.rawFrame(at: 3 + milliseconds(frame)) == frame)
    }
    // A millisecond of this one may have two such places.
    let fast = try timeline(rate: 96_000, units: 1_000, packets: .multiples(of: 64))
    #expect(fast.approach(to: 1 << 30) == .fromBeginning)
  }

  @Test("is where the container has counted to, where it counts whole ticks only")
  func countedTicks() throws {
    // DTS and AC-3 at 44,100 Hz, in FFmpeg's clock of raw files.
    for (frames, ticks) in [(512, 1_044), (1_536, 3_134)] {
      let counted = try timeline(units: 90_000, origin: 7, packets: .counted(frames, ticks: ticks))
      for packet in stride(from: 0, to: 1_000_000, by: 997) {
        #expect(counted.rawFrame(at: 7 + packet * ticks) == packet * frames)
      }
      let target = 100_000 * frames
      #expect(counted.approach(to: target + 4_096 + frames) == .from(time: 7 + 100_000 * ticks))
    }
  }

  @Test("near the beginning is reached from there, and everywhere if nothing else leads to it")
  func beginning() throws {
    #expect(try timeline(units: 44_100).approach(to: 8_192) == .fromBeginning)
    #expect(try timeline(units: 44_100).approach(to: 8_193) == .from(time: 4_097))
    #expect(try timeline(units: 44_100, runUp: .fromBeginning).approach(to: 1 << 40) == .fromBeginning)
    #expect(SoundTimeline.RunUp(coding: "opus", packet: 960) == .frames(48_000))
    #expect(SoundTimeline.RunUp(coding: "alac", packet: nil) == .frames(0))
    #expect(SoundTimeline.RunUp(coding: "pcm_s16le", packet: nil) == .frames(0))
  }

  @Test("no numbers make it trap")
  func anyNumbers() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<20_000 {
      func any(_ most: Int) -> Int {
        Int.random(in: 0...most, using: &generator) >> Int.random(in: 0..<62, using: &generator)
      }
      guard
        let clock = SoundTimeline.Clock(
          units: any(.max), seconds: any(.max),
          origin: Bool.random(using: &generator) ? any(.max) : -any(.max))
      else { continue }
      let timeline = SoundTimeline(
        rate: Int.random(in: 1_000...384_000, using: &generator), start: 0, end: nil,
        runUp: .frames(any(1 << 20)),
        packets: [
          .same(any(1 << 20)), .multiples(of: any(1 << 20)), .counted(any(1 << 20), ticks: any(1 << 20)),
        ][
          Int.random(in: 0..<3, using: &generator)],
        clock: clock)
      #expect(timeline.rawFrame(at: Bool.random(using: &generator) ? any(.max) : -any(.max)) >= 0)
      _ = timeline.approach(to: any(.max))
    }
  }
}
