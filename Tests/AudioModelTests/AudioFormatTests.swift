// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@Suite("Sound formats")
struct AudioFormatTests {
  @Test("a frame's bytes are its channels' floats")
  func bytes() {
    let format = AudioFormat(rate: 44_100, channels: 6)
    #expect(format.bytesPerFrame == 24)
  }

  @Test(
    "frames and time turn into each other at every rate", arguments: [8_000, 11_025, 44_100, 96_000, 192_000])
  func framesAndTime(rate: Int) {
    let format = AudioFormat(rate: rate, channels: 2)
    #expect(format.frames(in: .seconds(3600)) == 3600 * rate)
    #expect(format.duration(ofFrames: 3600 * rate) == .seconds(3600))
    for frames in [0, 1, rate - 1, rate, rate + 1, 123_456_789] {
      let back = format.frames(in: format.duration(ofFrames: frames))
      #expect((frames - 1...frames).contains(back), "\(frames) frames came back as \(back)")
    }
  }

  @Test("the usual layout has as many channels as asked for, each in a place of its own")
  func usualLayouts() {
    for channels in AudioFormat.channelCounts {
      let layout = ChannelLayout.usual(channels: channels)
      #expect(layout.count == channels)
      #expect(Set(layout.positions).count == channels)
    }
    #expect(ChannelLayout.usual(channels: 12).positions == Array(repeating: .unplaced, count: 12))
  }
}
