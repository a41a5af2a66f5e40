// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

@testable import DecodeIO

@Suite("The length of a part")
struct SoundLengthTests {
  @Test(
    "it ends with the sound, and is exact where the sound's end does not matter",
    arguments: [
      (SoundLength.exact(1_000), 100..<300, SoundLength.exact(200)),
      (.exact(1_000), 900..<1 << 40, .exact(100)), (.exact(1_000), 1_200..<1_300, .exact(0)),
      (.estimated(1_000), 100..<300, .exact(200)), (.estimated(1_000), 900..<1 << 40, .estimated(100)),
      (.unknown, 100..<300, .unknown),
    ])
  func part(whole: SoundLength, range: Range<Int>, expected: SoundLength) {
    #expect(whole.part(range) == expected)
  }

  @Test("of a WAV whose recorder was ended before it wrote how large it is: all that is there")
  func brokenOff() throws {
    let whole = WAVFile.bytes(.sines(rate: 44_100, channels: 2, frames: 300_000))
    let size = try #require(whole.indices.first { whole[$0...].starts(with: Array("data".utf8)) }) + 4
    var broken = whole
    broken.replaceSubrange(size..<size + 4, with: [0, 0, 0, 0])
    for stated: [UInt8] in [[36, 0, 0, 0], [0, 0, 0, 0], Array(whole[4..<8])] {
      broken.replaceSubrange(4..<8, with: stated)
      let decoder = try Decoders.open(MemorySource(broken))
      #expect(decoder.length == .exact(300_000))
      #expect(try decoder.rest() == Decoders.open(MemorySource(whole)).rest())
      try decoder.seek(to: 299_000)
      #expect(try decoder.rest().frames == 1_000)
    }
    // Also where little was recorded, unless it is tags.
    let short = Array(broken[..<(size + 4 + 4_000)])
    #expect(try Decoders.open(MemorySource(short)).length == .exact(1_000))
  }
}
