// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing
import TimelineModel

@Suite("A place in what a decoder delivers")
struct SoundTimelineTests {
  private func timeline(
    units: Int, seconds: Int = 1, origin: Int = 0, packet: Int? = 1_024,
    runUp: SoundTimeline.RunUp = .frames(4_096)
  ) throws -> SoundTimeline {
    let clock = try #require(SoundTimeline.Clock(units: units, seconds: seconds, origin: origin))
    return SoundTimeline(rate: 44_100, start: 0, end: nil, runUp: runUp, packet: packet, clock: clock)
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
        packet: any(1 << 20), clock: clock)
      #expect(timeline.rawFrame(at: Bool.random(using: &generator) ? any(.max) : -any(.max)) >= 0)
      _ = timeline.approach(to: any(.max))
    }
  }
}
