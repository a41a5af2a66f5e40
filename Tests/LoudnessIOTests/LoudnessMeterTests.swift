// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import MediaModel
import Testing

@testable import LoudnessIO

/// The signals are those of EBU Tech 3341, table 1, computed here: a meter has to show their loudness to 0.1 LU.
@Suite("The loudness of samples")
struct LoudnessMeterTests {
  /// A stretch of a sine of 1 kHz: its peak in dB below full scale for each channel, and how long it lasts.
  struct Stretch: Sendable {
    var peaks: [Double]
    var seconds: Double
  }

  private static let five = ChannelLayout([.frontLeft, .frontRight, .frontCenter, .rearLeft, .rearRight])

  private func stereo(_ parts: (Double, Double)...) -> [Stretch] {
    parts.map { Stretch(peaks: [$0.0, $0.0], seconds: $0.1) }
  }

  private func measured(
    _ stretches: [Stretch], _ format: AudioFormat = AudioFormat(rate: 48_000, layout: .stereo),
    atOnce: Int = 4_096
  ) throws -> MeasuredLoudness {
    var meter = try LoudnessMeter(format)
    var phase = 0.0
    for stretch in stretches {
      let heights = stretch.peaks.map { Decibels.amplitude($0) }
      var left = Int(stretch.seconds * Double(format.rate))
      while left > 0 {
        let frames = min(left, atOnce)
        var samples = [Float](repeating: 0, count: frames * format.channels)
        for frame in 0..<frames {
          let sine = sin(phase)
          phase += 2 * .pi * 1_000 / Double(format.rate)
          for (channel, height) in heights.enumerated() {
            samples[frame * format.channels + channel] = Float(sine * height)
          }
        }
        var span = samples.mutableSpan
        meter.add(&span, frames: frames)
        left -= frames
      }
    }
    return meter.measured
  }

  private func expect(_ found: MeasuredLoudness, _ loudness: Double, _ note: String) throws {
    let integrated = try #require(found.integrated, "\(note)")
    #expect(abs(integrated - loudness) <= 0.1, "\(note): \(integrated)")
  }

  @Test("test signals 1 to 6 of EBU Tech 3341 are as loud as they are made to be")
  func reference() throws {
    try expect(measured(stereo((-23, 20))), -23, "1")
    try expect(measured(stereo((-33, 20))), -33, "2")
    try expect(measured(stereo((-36, 10), (-23, 60), (-36, 10))), -23, "3")
    try expect(measured(stereo((-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10))), -23, "4")
    try expect(measured(stereo((-26, 20), (-20, 20.1), (-26, 20))), -23, "5")
    try expect(
      measured(
        [Stretch(peaks: [-28, -28, -24, -30, -30], seconds: 20)], AudioFormat(rate: 48_000, layout: Self.five)
      ),
      -23, "6")
  }

  @Test(
    "neither the rate nor how many frames come at once matters",
    arguments: [8_000, 11_025, 44_100, 96_000, 192_000], [1_000, 4_096, 100_000])
  func rates(rate: Int, atOnce: Int) throws {
    try expect(
      measured(stereo((-20, 3)), AudioFormat(rate: rate, layout: .stereo), atOnce: atOnce), -20, "\(rate)")
  }

  @Test("one channel is as loud as two that are alike, because that is how it is heard")
  func mono() throws {
    try expect(
      measured([Stretch(peaks: [-23], seconds: 5)], AudioFormat(rate: 48_000, layout: .mono)), -23, "mono")
  }

  @Test("deep notes of a subwoofer's channel do not count")
  func subwoofer() throws {
    let layout = ChannelLayout([.frontLeft, .frontRight, .lowFrequency])
    try expect(
      measured([Stretch(peaks: [-23, -23, -3], seconds: 5)], AudioFormat(rate: 48_000, layout: layout)), -23,
      "LFE")
  }

  @Test("silence and what is shorter than 0.4 s have no loudness; the peak is the highest sample")
  func nothing() throws {
    let silent = try measured(stereo((-200, 2)))
    #expect(silent.integrated == nil && silent.blocks.isEmpty)
    let short = try measured(stereo((-6, 0.39)))
    #expect(short.integrated == nil && abs(short.peak - 0.5012) < 0.001)
    #expect(try measured(stereo((-6, 0.41))).integrated != nil)
  }

  @Test("samples that are no numbers are passed over")
  func nonsense() throws {
    var meter = try LoudnessMeter(AudioFormat(rate: 48_000, layout: .stereo))
    for value in [Float.nan, .infinity, -1e30] {
      var samples = [Float](repeating: value, count: 2_000)
      var span = samples.mutableSpan
      meter.add(&span, frames: 1_000)
    }
    for _ in 0..<100 {
      var samples = (0..<2_000).map { Float(sin(Double($0 / 2) * 2 * .pi / 48)) / 10 }
      var span = samples.mutableSpan
      meter.add(&span, frames: 1_000)
    }
    #expect(meter.measured.integrated != nil && meter.measured.peak <= 0.1)
  }

  @Test("the blocks of two sounds together are as loud as one sound of both, also once they were stored")
  func joined() throws {
    let (loud, soft) = (stereo((-14, 30), (-50, 5)), stereo((-24, 50), (-30, 20)))
    let whole = try #require(measured(loud + soft).integrated)
    let parts = [try measured(loud), try measured(soft)]
    var (joined, stored) = (LoudnessBlocks(), LoudnessBlocks())
    for part in parts {
      joined.add(part.blocks)
      stored.add(try #require(LoudnessBlocks(bytes: part.blocks.bytes)))
    }
    // The blocks that begin in one and end in the other are missing.
    #expect(abs(try #require(joined.integrated) - whole) < 0.05)
    #expect(abs(try #require(stored.integrated) - whole) < 0.1)
  }
}
