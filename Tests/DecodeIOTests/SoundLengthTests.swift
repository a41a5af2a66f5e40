// SPDX-License-Identifier: MIT
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
}
