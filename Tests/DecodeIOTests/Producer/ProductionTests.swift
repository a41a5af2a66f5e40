// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

@testable import DecodeIO

@Suite("What the producer makes")
struct ProductionTests {
  @Test("one track is made whole, and then nothing follows")
  func oneTrack() {
    let line = ProductionLine()
    line.apply(.play(.counting(1, frames: 5_000)))
    line.work()
    #expect(line.log == ["began 1 at 0:0", "exhausted 1"])
    #expect(line.take(9_999) == Array(1_000_000..<1_005_000))
  }

  @Test("what follows is joined without a gap, also when it is told after the end")
  func following() {
    let line = ProductionLine()
    line.apply(.play(.counting(1, frames: 1_000)), .follow(1, with: .counting(2, frames: 500)))
    line.work()
    line.apply(.follow(2, with: .counting(3, frames: 200)))
    line.work()
    #expect(
      line.log == ["began 1 at 0:0", "began 2 at 0:1000", "exhausted 2", "began 3 at 0:1500", "exhausted 3"])
    #expect(
      line.take(9_999) == Array(1_000_000..<1_001_000) + Array(2_000_000..<2_000_500)
        + Array(3_000_000..<3_000_200))
    #expect(line.segments[0].part(at: 999)?.play == 1)
    #expect(line.segments[0].part(at: 1_000)?.play == 2)
    #expect(line.segments[0].part(at: 99_999)?.play == 3)
  }

  @Test("another format begins another segment")
  func anotherFormat() {
    let line = ProductionLine()
    let stereo = AudioFormat(rate: 16_000, channels: 2)
    line.apply(.play(.counting(1, frames: 10)), .follow(1, with: .counting(2, frames: 10, format: stereo)))
    line.work()
    #expect(line.log == ["began 1 at 0:0", "began 2 at 1:0", "exhausted 2"])
    #expect(line.segments.map(\.format) == [.counting, stereo])
  }

  @Test("a full buffer waits for the reader, and nothing is lost")
  func fullBuffer() {
    let line = ProductionLine()
    line.apply(.play(.counting(1, frames: 200_000)))
    var seen: [Int] = []
    while seen.count < 200_000 {
      line.work()
      let ring = line.segments[0].ring
      #expect(ring.written == 200_000 || ring.room < ring.capacity / 2)
      seen += line.take(12_345)
    }
    #expect(seen == Array(1_000_000..<1_200_000))
  }

  @Test("a follower that was begun is cut out again when another is wanted, or none")
  func changedFollower() {
    let line = ProductionLine()
    line.apply(.play(.counting(1, frames: 1_000)), .follow(1, with: .counting(2, frames: 500)))
    line.work()
    line.apply(.follow(1, with: .counting(3, frames: 300)))
    line.work()
    line.apply(.follow(1, with: .counting(3, frames: 300)))
    line.work()
    line.apply(.follow(1, with: nil))
    line.work()
    line.apply(.follow(1, with: .counting(4, frames: 10)))
    line.work()
    #expect(
      line.log == [
        "began 1 at 0:0", "began 2 at 0:1000", "exhausted 2", "cut 0:1000", "began 3 at 1:0", "exhausted 3",
        "cut 0:1000", "exhausted 1", "began 4 at 2:0", "exhausted 4",
      ])
    #expect(line.take(99, from: 2) == Array(4_000_000..<4_000_010))
  }

  @Test("what follows can be changed behind a track that lies several short ones back")
  func changedFarBack() {
    let line = ProductionLine()
    line.apply(.play(.counting(1, frames: 100)))
    for track in 2...5 {
      line.apply(.follow(PlayID(rawValue: UInt64(track - 1)), with: .counting(track, frames: 10)));
      line.work()
    }
    line.apply(.follow(2, with: .counting(9, frames: 10)))
    line.work()
    #expect(line.log.suffix(3) == ["cut 0:110", "began 9 at 1:0", "exhausted 9"])
  }

  @Test("a track's decoder, and with it its file, is let go when the end of the track was heard long ago")
  func letsGo() {
    let line = ProductionLine()
    let (first, second) = (Counter(), Counter())
    let request = { (track: Int, frames: Int, gone: Counter) in
      SoundRequest(play: PlayID(rawValue: UInt64(track)), gain: { 1 }) {
        CountingDecoder(track: track, frames: frames, gone: gone)
      }
    }
    line.apply(.play(request(1, 1_000, first)), .follow(1, with: request(2, 200_000, second)))
    line.work()
    #expect(first.count == 0, "another track may still follow it")
    for _ in 0..<8 {
      _ = line.take(16_000)
      line.work()
    }
    #expect(first.count == 1 && second.count == 0)
    for _ in 0..<8 {
      _ = line.take(16_000)
      line.work()
    }
    line.apply(.follow(2, with: .counting(3, frames: 10)))
    line.work()
    #expect(
      line.log.suffix(2) == ["began 3 at 0:201000", "exhausted 3"], "what follows the last one is still open")
  }

  @Test("so it is where each track has another format than the one before, and none is long")
  func letsGoOfOtherFormats() {
    let line = ProductionLine()
    let formats = [AudioFormat.counting, AudioFormat(rate: 16_000, channels: 1)]
    let gone = Counter()
    let request = { (track: Int) in
      SoundRequest(play: PlayID(rawValue: UInt64(track)), gain: { 1 }) {
        let format = formats[track % 2]
        return CountingDecoder(track: track, frames: format.rate, format: format, gone: gone)
      }
    }
    line.apply(.play(request(1)))
    for track in 2...40 {
      line.apply(.follow(PlayID(rawValue: UInt64(track - 1)), with: request(track)))
      line.work()
      _ = line.take(16_000, from: track - 2)
      line.work()
    }
    // Of forty seconds in all, the last ten stay.
    #expect(25...32 ~= gone.count, "\(gone.count)")
  }

  @Test("a follower that is changed before it was begun leaves no trace")
  func changedInTime() {
    let line = ProductionLine()
    line.apply(
      .play(.counting(1, frames: 100)), .follow(1, with: .counting(2, frames: 100)), .follow(1, with: nil),
      .follow(1, with: .counting(3, frames: 100)))
    line.work()
    #expect(line.log == ["began 1 at 0:0", "began 3 at 0:100", "exhausted 3"])
  }

  @Test("a track that cannot be opened is told, and the next one takes its place")
  func cannotOpen() {
    let line = ProductionLine()
    line.apply(.play(.counting(1, frames: 100)), .follow(1, with: .failing(2)))
    line.work()
    line.apply(.follow(1, with: .counting(3, frames: 50)))
    line.work()
    #expect(line.log == ["began 1 at 0:0", "failed 2", "exhausted 1", "began 3 at 0:100", "exhausted 3"])
    line.apply(.play(.failing(4)))
    line.work()
    #expect(line.log.last == "failed 4")
  }

  @Test("a track that breaks keeps what it had made, and the follower comes at once")
  func breaks() {
    let line = ProductionLine()
    line.apply(.play(.counting(1, frames: 100, failsAt: 60)), .follow(1, with: .counting(2, frames: 5)))
    line.work()
    #expect(line.log == ["began 1 at 0:0", "broke 1", "began 2 at 0:60", "exhausted 2"])
    #expect(line.take(99) == Array(1_000_000..<1_000_060) + Array(2_000_000..<2_000_005))
  }

  @Test("a track without a frame fails and leaves no trace, whether it breaks or ends", arguments: [0, nil])
  func withoutSound(failsAt: Int?) {
    let line = ProductionLine()
    let empty = SoundRequest.counting(2, frames: failsAt == nil ? 0 : 50, failsAt: failsAt)
    line.apply(.play(.counting(1, frames: 100)), .follow(1, with: empty))
    line.work()
    line.apply(.follow(1, with: .counting(3, frames: 5)))
    line.work()
    #expect(
      line.log == [
        "began 1 at 0:0", "began 2 at 0:100", "cut 0:100", "failed 2", "exhausted 1", "began 3 at 1:0",
        "exhausted 3",
      ])
    line.apply(.play(empty), .follow(2, with: .counting(4, frames: 5)))
    line.work()
    #expect(line.log.suffix(2) == ["began 2 at 2:0", "failed 2"])
  }

  @Test("a start at the end of a track makes no frame, and nothing is wrong with that")
  func startAtTheEnd() {
    let line = ProductionLine()
    line.apply(.play(.counting(1, frames: 800, start: .seconds(1))))
    line.work()
    #expect(line.log == ["began 1 at 0:0", "exhausted 1"])
  }

  @Test("a start inside a track and a track inside a file are found to the frame")
  func ranges() {
    let line = ProductionLine()
    let range = Duration.seconds(1)..<Duration.seconds(2)
    line.apply(.play(.counting(1, frames: 80_000, range: range, start: .milliseconds(500))))
    line.work()
    #expect(line.take(99_999) == Array(1_012_000..<1_016_000))
    let part = line.segments[0].part(of: 1)
    #expect(part?.trackFrame == 4_000)
    #expect(part?.length == .exact(8_000))
  }

  @Test("a track within a file ends where the file does")
  func rangeBeyondTheEnd() {
    let line = ProductionLine()
    line.apply(.play(.counting(1, frames: 10_000, range: .seconds(1)..<Duration.seconds(9))))
    line.work()
    #expect(line.take(99_999) == Array(1_008_000..<1_010_000))
    #expect(line.segments[0].part(of: 1)?.length == .exact(2_000))
  }

  @Test("the gain is in every sample")
  func gain() {
    let line = ProductionLine()
    line.apply(.play(.counting(1, frames: 100, gain: 0.5)))
    line.work()
    #expect(line.take(99) == (1_000_000..<1_000_099).map { $0 / 2 })
  }

  @Test("an order about a track that is gone changes nothing")
  func staleOrder() {
    let line = ProductionLine()
    line.apply(.play(.counting(1, frames: 10)), .follow(7, with: .counting(8, frames: 10)))
    line.work()
    line.apply(.stop, .follow(1, with: .counting(2, frames: 10)))
    line.work()
    #expect(line.log == ["began 1 at 0:0", "exhausted 1"])
  }
}
