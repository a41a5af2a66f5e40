// SPDX-License-Identifier: MIT
import FermataTestKit
import LibraryModel
import MediaModel
import Testing

@Suite("What counts as played and as skipped")
struct ListeningMeterTests {
  fileprivate typealias Meter = ListeningMeter<Int>

  /// A moment of a track of 100 s.
  private func moment(_ track: Int?, at place: Int = 0, sounds: Bool = true, advanced: Bool = false)
    -> Meter.Moment
  {
    Meter.Moment(track, length: .seconds(100), place: .seconds(place), sounds: sounds, hasAdvanced: advanced)
  }

  @Test("half of a track is a play, once, and it is known when that will be")
  func half() {
    var meter = Meter()
    #expect(meter.see(moment(1), at: .seconds(1_000)) == [])
    #expect(meter.due == .seconds(1_050))
    #expect(meter.see(moment(1, at: 49), at: .seconds(1_049)) == [])
    #expect(meter.due == .seconds(1_050))
    #expect(meter.see(moment(1, at: 50), at: .seconds(1_050)) == [.played(1)])
    #expect(meter.due == nil)
    #expect(meter.see(moment(2), at: .seconds(1_100)) == [])
  }

  @Test("four minutes of a long track are a play, and of one whose length nobody knows")
  func long() {
    for length in [Duration.seconds(3_600), nil] {
      var meter = Meter()
      _ = meter.see(Meter.Moment(1, length: length, sounds: true), at: .zero)
      #expect(meter.due == .seconds(240))
      #expect(
        meter.see(Meter.Moment(1, length: length, place: .seconds(239), sounds: true), at: .seconds(239))
          == [])
      let last = Meter.Moment(1, length: length, place: .seconds(240), sounds: true)
      #expect(meter.see(last, at: .seconds(240)) == [.played(1)])
    }
  }

  @Test("silence does not count, and neither does what a listener jumps over")
  func silence() {
    var meter = Meter()
    _ = meter.see(moment(1), at: .zero)
    #expect(meter.see(moment(1, at: 30, sounds: false), at: .seconds(30)) == [])
    #expect(meter.due == nil)
    #expect(meter.see(moment(1, at: 30), at: .seconds(900)) == [])
    #expect(meter.due == .seconds(920))
    #expect(meter.see(moment(1, at: 95), at: .seconds(901)) == [])
    // It was heard for 36 s in all, and to its end: neither a play nor a skip.
    #expect(meter.see(moment(2), at: .seconds(906)) == [])
  }

  @Test(
    "a track that is left early for another one is skipped",
    arguments: [
      (2, [] as [Meter.Count]), (3, [.skipped(1)]), (49, [.skipped(1)]), (50, [.played(1)]),
    ])
  fileprivate func skip(seconds: Int, counts: [Meter.Count]) {
    var meter = Meter()
    _ = meter.see(moment(1), at: .zero)
    #expect(meter.see(moment(2), at: .seconds(seconds)) == counts)
    #expect(meter.due == .seconds(seconds + 50))
  }

  @Test("a track that another one follows by itself is not skipped, however early it ended")
  func ending() {
    var meter = Meter()
    _ = meter.see(moment(1, at: 60), at: .zero)
    // Ten seconds before its length, with a crossfade of as many.
    #expect(meter.see(moment(2, advanced: true), at: .seconds(30)) == [])
    #expect(meter.see(moment(3, advanced: true), at: .seconds(70)) == [], "a file that is cut off")
    #expect(meter.see(moment(4), at: .seconds(80)) == [.skipped(3)])
  }

  @Test("stopping and pausing are no skips")
  func stopping() {
    var meter = Meter()
    _ = meter.see(moment(1), at: .zero)
    #expect(meter.see(moment(1, at: 20, sounds: false), at: .seconds(20)) == [])
    #expect(meter.see(moment(nil), at: .seconds(30)) == [])
    #expect(meter.see(moment(2), at: .seconds(40)) == [])
  }

  @Test("a track that is repeated counts each time; a jump back to its beginning is no repetition")
  func repetition() {
    var meter = Meter()
    _ = meter.see(moment(1), at: .zero)
    #expect(meter.see(moment(1, at: 60), at: .seconds(60)) == [.played(1)])
    #expect(meter.see(moment(1, at: 0), at: .seconds(99)) == [])
    #expect(meter.see(moment(1, at: 98), at: .seconds(197)) == [])
    #expect(meter.see(moment(1, at: 0, advanced: true), at: .seconds(199)) == [])
    #expect(meter.see(moment(1, at: 51), at: .seconds(250)) == [.played(1)])
  }

  @Test("a moment that comes late counts no more than the track's length")
  func late() {
    var meter = Meter()
    _ = meter.see(moment(1, at: 70), at: .zero)
    #expect(meter.see(moment(nil), at: .seconds(500)) == [])
  }

  @Test(
    "no random evening counts a track twice in one playing, or more than it was heard",
    arguments: 0..<30 as Range<UInt64>)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (meter, now, heard) = (Meter(), Duration.zero, [Int: Duration]())
    var (track, place, sounds) = (0, Duration.zero, false)
    var counted: Set<Int> = []
    for _ in 0..<400 {
      let step = Duration.seconds(Int.random(in: 0...9, using: &random))
      now += step
      if sounds {
        place += step
        heard[track, default: .zero] += step
      }
      var advanced = false
      switch Int.random(in: 0..<8, using: &random) {
      case 0: (track, place) = (track + 1, .zero)
      case 1: sounds.toggle()
      case 2: place = .seconds(Int.random(in: 0...90, using: &random))
      default: if place > .seconds(100) { (track, place, advanced) = (track + 1, .zero, true) }
      }
      let shown = Meter.Moment(
        track, length: .seconds(100), place: place, sounds: sounds, hasAdvanced: advanced)
      for count in meter.see(shown, at: now) {
        switch count {
        case .played(let played):
          #expect(
            counted.insert(played).inserted && heard[played, default: .zero] >= .seconds(50), "seed \(seed)")
        case .skipped(let skipped):
          #expect(!counted.contains(skipped) && heard[skipped, default: .zero] < .seconds(50), "seed \(seed)")
        }
      }
    }
  }
}
