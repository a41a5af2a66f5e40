// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import MediaModel
import Testing

@Suite("The loudness of a sound's blocks")
struct LoudnessBlocksTests {
  @Test("powers and decibels are those of the C library")
  func decibels() {
    for tenth in stride(from: -1_000, through: 1_000, by: 7) {
      let decibels = Double(tenth) / 10
      let power = pow(10, decibels / 10)
      #expect(abs(Decibels.power(decibels) / power - 1) < 1e-13, "\(decibels) dB")
      #expect(abs(Decibels.amplitude(decibels) / pow(10, decibels / 20) - 1) < 1e-13, "\(decibels) dB")
      #expect(abs(Decibels.of(power: power) - decibels) < 1e-11, "\(decibels) dB")
    }
    #expect(Decibels.of(power: 1) == 0)
  }

  /// The gate as EBU R 128 describes it, over all blocks.
  private func naive(_ blocks: [Double]) -> Double? {
    let loud = blocks.filter { $0 >= -70 }.map { pow(10, $0 / 10) }
    guard !loud.isEmpty else { return nil }
    let gate = loud.reduce(0, +) / Double(loud.count) / 10
    let kept = loud.filter { $0 >= gate }
    return 10 * log10(kept.reduce(0, +) / Double(kept.count))
  }

  @Test("the whole is as loud as a naive gate over all blocks says", arguments: 0..<100 as Range<UInt64>)
  func gate(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (blocks, list) = (LoudnessBlocks(), [Double]())
    let (low, high) = (
      Double.random(in: -90 ... -20, using: &random), Double.random(in: -19...5, using: &random)
    )
    let count = seed % 10 == 0 ? 0 : Int.random(in: 1_000...3_000, using: &random)
    for _ in 0..<count {
      list.append(Double.random(in: low...high, using: &random))
      blocks.add(list[list.count - 1])
    }
    guard let expected = naive(list) else {
      #expect(blocks.integrated == nil && blocks.isEmpty)
      return
    }
    // The blocks of one step are kept or left out together.
    #expect(abs(try #require(blocks.integrated) - expected) < 0.1)
    let stored = try #require(LoudnessBlocks(bytes: blocks.bytes))
    #expect(stored == blocks && stored.bytes == blocks.bytes)
    #expect(abs(try #require(stored.integrated) - expected) < 0.15)
  }

  @Test("what is no number, or below the gate, is no block; what is above all sense counts as the loudest")
  func edges() throws {
    var blocks = LoudnessBlocks()
    for loudness in [Double.nan, -.infinity, .infinity, -70.01] { blocks.add(loudness) }
    #expect(blocks.isEmpty && blocks.bytes.isEmpty && blocks.integrated == nil)
    blocks.add(-70)
    blocks.add(500)
    #expect(blocks.bytes.count == 5 && LoudnessBlocks(bytes: blocks.bytes) == blocks)
    // The mean of many equal powers may come out a little above them.
    for count in 1...60 {
      var loud = LoudnessBlocks()
      for _ in 0..<count { loud.add(40) }
      #expect(try #require(loud.integrated) <= 30)
    }
  }

  @Test(
    "bytes that are damaged are refused or are other blocks, and nothing traps",
    arguments: 0..<50 as Range<UInt64>)
  func damaged(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var blocks = LoudnessBlocks()
    for _ in 0..<300 { blocks.add(Double.random(in: -60...0, using: &random)) }
    for _ in 0..<200 {
      var bytes = blocks.bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = UInt8.random(in: .min ... .max, using: &random)
      }
      let found = LoudnessBlocks(bytes: bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
      if let found, let integrated = found.integrated { #expect((-70.0...30).contains(integrated)) }
    }
    #expect(LoudnessBlocks(bytes: [UInt8](repeating: 1, count: LoudnessBlocks.mostBytes + 1)) == nil)
  }
}
