// SPDX-License-Identifier: MIT
import AudioModel
import FaceModel
import FermataAgent
import FermataTestKit
import MediaModel
import PlaybackLogic
import Testing

@Suite("A file that does not say how long it is", .serialized, .realTime, .endsAnyway)
struct LengthTests {
  @Test("its true length is told as soon as it is known, while it plays")
  func measured() async throws {
    let folder = try TemporaryDirectory()
    let format = AudioFormat(rate: 44_100, channels: 2)
    // Frames of all sizes: the first ones say nothing about those that follow.
    let samples = Tone.silence(frames: 10 * 44_100, format) + Tone.chirp(frames: 10 * 44_100, format)
    let path = try ToneFile.mp3("untagged.mp3", samples, format, flags: ["-V", "0", "-t"], in: folder)
    let source = MediaSource.file(try #require(FilePath(path)))
    try await BusBench.run { bench in
      try await bench.call(AgentCall.play([source], PlayOptions()))
      await bench.wait(for: "the true length") {
        bench.service.player.length.map { abs($0 / .seconds(1) - 20) < 0.2 } ?? false
      }
      let status = StatusFace(wire: try await bench.call(.status)[0])
      let told = try #require(status?.current?.item.tags.duration)
      #expect(abs(told / .seconds(1) - 20) < 0.2)
      #expect(status?.state == .playing)
    }
  }
}
