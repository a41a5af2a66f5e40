// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@testable import PlaybackLogic

@Suite("A part of a file")
struct CueSpanTests {
  @Test(
    "each frame of a disc begins at a sample of its own, 588 of a disc after the one before",
    arguments: [44_100, 48_000, 88_200, 96_000, 192_000, 352_800])
  func exact(rate: Int) {
    let format = AudioFormat(rate: rate, channels: 2)
    let wrong = (UInt32(0)..<3_000).map { $0 * 149 }.filter { frame in
      format.frames(in: CueSpan.time(frame)) != Int(frame) * rate / CueSpan.framesPerSecond
    }
    #expect(wrong == [])
  }
}
