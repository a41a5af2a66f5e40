// SPDX-License-Identifier: MIT
import AudioModel
import FaceModel
import FermataTestKit
import MediaModel
import Testing

@Suite("Two tracks that sound together", .serialized, .realTime, .endsAnyway)
struct CrossfadeTests {
  private static let second = 44_100

  /// What is heard while the end of one track and the beginning of another sound together.
  private func mixed(_ old: ArraySlice<Float>, _ new: ArraySlice<Float>) -> [Float] {
    let frames = old.count / 2
    return zip(old, new).enumerated().map { index, pair in
      let part = (Float(index / 2) + 0.5) / Float(frames)
      return pair.0 * (1 - part).squareRoot() + pair.1 * part.squareRoot()
    }
  }

  /// The first sample that is not as expected; nil where all are. A mixture is heard with a step of the sound card's numbers.
  private func firstDifference(_ recording: Recording, _ expected: [Float]) -> Int? {
    guard let start = recording.firstSound() else { return 0 }
    let heard = recording.samples.dropFirst(start * 2).prefix(expected.count)
    guard heard.count == expected.count else { return heard.count }
    return zip(heard, expected).enumerated().first { abs($1.0 - $1.1) > 0.0001 }?.offset
  }

  @Test(
    "the next track begins in the end of the one before, also one that is put next when that was written",
    arguments: [false, true])
  func heard(changesLate: Bool) async throws {
    let stage = try await StateStage()
    try Child.run(.beside("fermata"), ["settings", "set", "crossfade", "1"], environment: stage.environment)
    let lengths = [4, 3, 3].map { $0 * Self.second }
    let noises = try (0..<3).map {
      // Files of one folder without tags would count as an album.
      try Noise("\($0)/noise.wav", seed: UInt64($0 + 1), frames: lengths[$0], in: stage.folder)
    }
    let recorder = try stage.server.record("speakers")
    try await stage.caller.call(AgentCall.play([noises[0].source, noises[1].source], PlayOptions()))
    let start = try recorder.waitForSound()
    if changesLate {
      try recorder.wait(forFrames: start + 2 * Self.second)
      try await stage.caller.call(AgentCall(.addNext([noises[2].source])))
    }
    let (first, next) = (noises[0].samples, noises[changesLate ? 2 : 1].samples)
    let recording = try recorder.wait(forFrames: start + 5 * Self.second, within: .patience)
    let (begin, end) = (3 * Self.second * 2, Self.second * 2)
    let expected = Array(first[..<begin]) + mixed(first[begin...], next[..<end]) + next[end..<2 * end]
    let difference = firstDifference(recording, Array(expected[..<(5 * Self.second * 2 - 20_000)]))
    #expect(difference == nil, "sample \(difference ?? 0)")
    try stage.stop()
  }

  @Test(
    "neighbours of one album are heard one behind the other, by their tags or by their folder",
    arguments: [false, true])
  func album(hasTags: Bool) async throws {
    let stage = try await StateStage()
    try Child.run(.beside("fermata"), ["settings", "set", "crossfade", "1"], environment: stage.environment)
    let noises = try (0..<2).map {
      try Noise(
        hasTags ? "\($0)/noise.wav" : "album/\($0).wav", seed: UInt64($0 + 1), frames: 3 * Self.second,
        in: stage.folder)
    }
    let files =
      try noises.enumerated().map { index, noise in
        guard hasTags else { return noise.source }
        let flac = try ToneFile.flac(
          "\(index)/noise.flac", noise.samples, AudioFormat(rate: Self.second, channels: 2),
          flags: ["--tag=ALBUM=One", "--tag=ARTIST=A", "--tag=TRACKNUMBER=\(index + 1)"], in: stage.folder)
        return .file(try #require(FilePath(flac)))
      } as [MediaSource]
    let recorder = try stage.server.record("speakers")
    try await stage.caller.call(AgentCall.play(files, PlayOptions()))
    let start = try recorder.waitForSound()
    let recording = try recorder.wait(forFrames: start + 5 * Self.second, within: .patience)
    let expected = (noises[0].samples + noises[1].samples).prefix(5 * Self.second * 2 - 20_000)
    let difference = firstDifference(recording, Array(expected))
    #expect(difference == nil, "sample \(difference ?? 0)")
    try stage.stop()
  }
}
