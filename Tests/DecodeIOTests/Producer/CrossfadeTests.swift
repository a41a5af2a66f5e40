// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@testable import DecodeIO

@Suite("Tracks that are mixed at their ends")
struct CrossfadeTests {
  /// A tenth of a second: 800 frames of the tests' format.
  private static let short = Crossfade(ending: .milliseconds(100), mixesIn: true)
  private static let frames = 800

  private static func request(
    _ track: Int, _ frames: Int, format: AudioFormat = .counting, crossfade: Crossfade = Self.short,
    failsAt: Int? = nil
  ) -> SoundRequest {
    .counting(track, frames: frames, format: format, failsAt: failsAt, crossfade: crossfade)
  }

  private static let neighbour = SoundRequest(play: 2, crossfade: short, isNeighbour: { true }) {
    CountingDecoder(track: 2, frames: 500)
  }

  /// The samples of a counting track.
  private static func samples(_ track: Int, _ range: Range<Int>) -> [Float] {
    range.map { Float(track * 1_000_000 + $0) }
  }

  /// What is heard while the end of one track and the beginning of another sound together.
  private static func mixed(_ old: [Float], _ new: [Float]) -> [Float] {
    zip(old, new).enumerated().map { index, pair in
      let part = (Float(index) + 0.5) / Float(old.count)
      return pair.1 * part.squareRoot() + pair.0 * (1 - part).squareRoot()
    }
  }

  @Test(
    "the second begins in the end of the first, and every other sample is as it was", arguments: [100, 5_000])
  func mixes(room: Int) {
    let line = ProductionLine()
    line.apply(.play(Self.request(1, 5_000)), .follow(1, with: Self.request(2, 4_000)))
    var heard: [Float] = []
    repeat {
      line.work()
      heard += line.takeSamples(room)
    } while heard.count < 5_000 + 4_000 - Self.frames
    let first = Self.samples(1, 0..<5_000)
    let second = Self.samples(2, 0..<4_000)
    #expect(heard.count == 5_000 + 4_000 - Self.frames)
    #expect(Array(heard[..<4_200]) == Array(first[..<4_200]))
    #expect(Array(heard[4_200..<5_000]) == Self.mixed(Array(first[4_200...]), Array(second[..<800])))
    #expect(Array(heard[5_000...]) == Array(second[800...]))
    #expect(line.log == ["began 1 at 0:0", "began 2 at 0:4200", "exhausted 2"])
    #expect(line.segments[0].part(at: 4_199)?.play == 1)
    #expect(line.segments[0].part(at: 4_200)?.play == 2)
  }

  @Test("without a follower the first is heard to its end")
  func alone() {
    let line = ProductionLine()
    line.apply(.play(Self.request(1, 3_000)))
    line.work()
    #expect(line.takeSamples(9_999) == Self.samples(1, 0..<3_000))
    #expect(line.log == ["began 1 at 0:0", "exhausted 1"])
    line.apply(.follow(1, with: Self.request(2, 50)))
    line.work()
    #expect(line.takeSamples(9_999) == Self.samples(2, 0..<50))
  }

  @Test("what is not to be mixed, cannot be opened or has another format follows when the first is over")
  func follows() {
    let beside = Crossfade(ending: .milliseconds(100))
    let stereo = AudioFormat(rate: 16_000, channels: 2)
    for second in [
      Self.request(2, 500, crossfade: beside), Self.neighbour, Self.request(2, 500, format: stereo),
      .failing(2),
    ] {
      let line = ProductionLine()
      line.apply(.play(Self.request(1, 3_000)), .follow(1, with: second))
      line.work()
      #expect(Array(line.takeSamples(9_999).prefix(3_000)) == Self.samples(1, 0..<3_000))
      #expect(line.log.first == "began 1 at 0:0")
      #expect(
        line.log.dropFirst() == ["began 2 at 0:3000", "exhausted 2"]
          || line.log.dropFirst() == ["began 2 at 1:0", "exhausted 2"]
          || line.log.dropFirst() == ["failed 2", "exhausted 1"])
    }
  }

  @Test("of a short track half is mixed at most, at its end and at its beginning")
  func halves() {
    let line = ProductionLine()
    line.apply(.play(Self.request(1, 1_000)), .follow(1, with: Self.request(2, 600)))
    line.work(untilBegun: 2)
    line.apply(.follow(2, with: Self.request(3, 5_000)))
    line.work()
    // Of the first, 500 frames were kept back, of which 300 are mixed. Of the second, 300 were kept back and are mixed.
    let heard = line.takeSamples(99_999)
    let (first, second) = (Self.samples(1, 0..<1_000), Self.samples(2, 0..<600))
    #expect(Array(heard[..<700]) == Array(first[..<700]))
    #expect(Array(heard[700..<1_000]) == Self.mixed(Array(first[700...]), Array(second[..<300])))
    #expect(Array(heard[1_000..<1_300]) == Self.mixed(Array(second[300...]), Self.samples(3, 0..<300)))
    #expect(Array(heard[1_300...]) == Self.samples(3, 300..<5_000))
    #expect(line.log == ["began 1 at 0:0", "began 2 at 0:700", "began 3 at 0:1000", "exhausted 3"])
  }

  /// A track of 500 ms (4,000 frames) in a file of 20,000 frames, which begins at this time.
  private static func part(_ id: Int, from start: Int, lasting length: Int = 500) -> SoundRequest {
    SoundRequest(
      play: PlayID(rawValue: UInt64(id)), range: .milliseconds(start) ..< .milliseconds(start + length),
      crossfade: short, isNeighbour: { id == 2 }
    ) { CountingDecoder(track: 1, frames: 20_000) }
  }

  @Test("of tracks that are parts of one file every frame is heard once, however short they are")
  func parts() {
    let line = ProductionLine()
    line.apply(.play(Self.part(1, from: 0)), .follow(1, with: Self.part(2, from: 500)))
    line.work()
    #expect(line.takeSamples(99_999) == Self.samples(1, 0..<8_000))
    #expect(line.log == ["began 1 at 0:0", "began 2 at 0:4000", "exhausted 2"])
  }

  @Test("into a part of a file at most half of that part is mixed")
  func shortPart() {
    let line = ProductionLine()
    line.apply(.play(Self.request(5, 5_000)), .follow(5, with: Self.part(3, from: 500, lasting: 50)))
    line.work()
    let heard = line.takeSamples(99_999)
    #expect(Array(heard[..<4_800]) == Self.samples(5, 0..<4_800))
    #expect(
      Array(heard[4_800...]) == Self.mixed(Self.samples(5, 4_800..<5_000), Self.samples(1, 4_000..<4_200))
        + Self.samples(1, 4_200..<4_400))
  }

  @Test("a track of unknown length that ends while it is mixed in ends before what it is mixed into")
  func unknownLength() {
    let second = SoundRequest(play: 2, crossfade: Self.short) {
      CountingDecoder(track: 2, frames: 300, tellsLength: false)
    }
    let line = ProductionLine()
    line.apply(.play(Self.request(1, 5_000)), .follow(1, with: second))
    line.work()
    let silent = [Float](repeating: 0, count: 500)
    #expect(
      line.takeSamples(99_999) == Self.samples(1, 0..<4_200)
        + Self.mixed(Self.samples(1, 4_200..<5_000), Self.samples(2, 0..<300) + silent))
  }

  @Test("another follower begins in the same end; with none, the end is heard after all")
  func changed() {
    let line = ProductionLine()
    line.apply(.play(Self.request(1, 5_000)), .follow(1, with: Self.request(2, 4_000)))
    line.work()
    line.apply(.follow(1, with: Self.request(3, 2_000)))
    line.work()
    #expect(
      line.takeSamples(800, from: 1) == Self.mixed(Self.samples(1, 4_200..<5_000), Self.samples(3, 0..<800)))
    line.apply(.follow(1, with: nil))
    line.work()
    #expect(line.takeSamples(9_999, from: 2) == Self.samples(1, 4_200..<5_000))
    #expect(
      line.segments[2].part(at: 0) == .init(play: 1, start: 0, trackFrame: 4_200, length: .exact(5_000)))
    #expect(
      line.log == [
        "began 1 at 0:0", "began 2 at 0:4200", "exhausted 2", "cut 0:4200", "began 3 at 1:0", "exhausted 3",
        "cut 0:4200", "began 1 at 2:0", "exhausted 1",
      ])
  }

  @Test("a follower that breaks at once leaves the whole end to the first")
  func breaks() {
    let line = ProductionLine()
    line.apply(.play(Self.request(1, 3_000)), .follow(1, with: Self.request(2, 4_000, failsAt: 0)))
    line.work()
    #expect(
      line.log == [
        "began 1 at 0:0", "began 2 at 0:2200", "cut 0:2200", "failed 2", "began 1 at 1:0", "exhausted 1",
      ])
    #expect(line.takeSamples(9_999, from: 1) == Self.samples(1, 2_200..<3_000))
  }

  @Test("under a follower that breaks while it is mixed in, the first fades to its end; then that is told")
  func breaksLater() {
    let line = ProductionLine()
    let last = Crossfade(ending: .zero, mixesIn: true)
    line.apply(
      .play(Self.request(1, 3_000)),
      .follow(1, with: Self.request(2, 4_000, crossfade: last, failsAt: 300)))
    line.work()
    #expect(line.log == ["began 1 at 0:0", "began 2 at 0:2200", "broke 2", "exhausted 2"])
    let second = Self.samples(2, 0..<300) + [Float](repeating: 0, count: 500)
    #expect(
      line.takeSamples(9_999)
        == Self.samples(1, 0..<2_200) + Self.mixed(Self.samples(1, 2_200..<3_000), second))
  }

  @Test("what follows a beginning that was made ahead is mixed in too")
  func prepared() throws {
    let request = SoundRequest(play: 1, key: SoundKey("one"), crossfade: Self.short) {
      CountingDecoder(track: 1, frames: 5_000)
    }
    let prepared = try #require(PreparedSound(request, length: .milliseconds(100)))
    let line = ProductionLine()
    line.note(prepared.segment)
    line.apply(.play(request, prepared), .follow(1, with: Self.request(2, 4_000)))
    line.work()
    let heard = line.takeSamples(99_999)
    #expect(Array(heard[..<4_200]) == Self.samples(1, 0..<4_200))
    #expect(heard.count == 8_200 && Array(heard[5_000...]) == Self.samples(2, 800..<4_000))
  }

  @Test("nothing grows while a long track plays, or while thousands of short ones follow each other")
  func bounded() {
    let held = HeldEnd(longest: 800, channels: 1)
    var piece = [Float](repeating: 1, count: 4_096)
    var (given, taken) = (0, 0)
    for round in 0..<2_000 {
      let count = 1 + round % 4_096
      var span = piece.mutableSpan
      given += held.exchange(count, of: &span)
      taken += count
    }
    #expect(taken - given == 800 && held.takeAll().count == 800)
  }
}
