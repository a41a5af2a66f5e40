// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@testable import DecodeIO

@Suite("What is prepared before it is wanted")
struct PreparedSoundTests {
  private func request(
    _ id: PlayID, _ name: String? = "a", frames: Int = 20_000, range: Range<Duration>? = nil,
    start: Duration = .zero, crossfade: Crossfade = .none, failsAt: Int? = nil
  ) -> SoundRequest {
    SoundRequest(
      play: id, key: name.map { SoundKey($0) }, range: range, start: start, crossfade: crossfade,
      gain: { 0.5 }
    ) {
      CountingDecoder(track: 1, frames: frames, failsAt: failsAt)
    }
  }

  /// What a producer's thread would make of it, to the end.
  private func frames(of prepared: PreparedSound, as request: SoundRequest) -> (log: [PlayID], frames: [Int])
  {
    var log: [PlayID] = []
    let production = Production(buffer: .seconds(4)) { event in
      if case .began(let part, _) = event { log.append(part.play) }
      if case .exhausted(let track) = event { log.append(track) }
    }
    // As a producer does it, without its thread, which would begin as well.
    let segment = prepared.segment
    segment.append(SoundSource(prepared.source, as: request).part(behind: 0))
    let first = take(segment)
    production.apply(.play(request, prepared))
    var rest: [Int] = []
    repeat {
      while production.step() == .progress {}
      rest += take(segment)
    } while log.count < 2
    return (log, first + rest + take(segment))
  }

  private func take(_ segment: SoundSegment) -> [Int] {
    [Float](capacity: 30_000) { _ = segment.take(upTo: 30_000, into: &$0) }.map { Int($0 * 2) }
  }

  @Test(
    "its beginning is there at once, and the rest goes on behind it, under the number that it is played as")
  func goesOn() throws {
    let prepared = try #require(PreparedSound(request(1), length: .milliseconds(200)))
    #expect(prepared.segment.made == 1_600)
    let (log, frames) = frames(of: prepared, as: request(7))
    #expect(log == [7, 7])
    #expect(frames == Array(1_000_000..<1_020_000))
  }

  @Test("a track that is shorter than its beginning is whole, and a part of a file is that part")
  func short() throws {
    let short = try #require(PreparedSound(request(1, frames: 700), length: .milliseconds(200)))
    #expect(frames(of: short, as: request(2, frames: 700)).frames == Array(1_000_000..<1_000_700))
    let range = Duration.milliseconds(500)..<Duration.milliseconds(600)
    let part = try #require(PreparedSound(request(1, range: range), length: .milliseconds(200)))
    #expect(part.segment.made == 800)
    #expect(frames(of: part, as: request(2, range: range)).frames == Array(1_004_000..<1_004_800))
  }

  @Test("it fits what has the same name, part, beginning and crossfade, and nothing that has no name")
  func fits() throws {
    let prepared = try #require(PreparedSound(request(1), length: .zero))
    #expect(prepared.fits(request(2)))
    #expect(!prepared.fits(request(1, "b")))
    #expect(!prepared.fits(request(1, start: .seconds(1))))
    #expect(!prepared.fits(request(1, range: .zero..<Duration.seconds(1))))
    #expect(!prepared.fits(request(1, crossfade: Crossfade(ending: .seconds(5)))), "the setting is new")
    #expect(prepared.fits(request(1, crossfade: Crossfade(mixesIn: true))))
    let nameless = try #require(PreparedSound(request(1, nil), length: .zero))
    #expect(!nameless.fits(request(1, nil)))
  }

  @Test("what cannot be opened or decoded is not prepared")
  func failures() {
    #expect(PreparedSound(.failing(1), length: .milliseconds(200)) == nil)
    #expect(PreparedSound(request(1, failsAt: 100), length: .milliseconds(200)) == nil)
  }
}
