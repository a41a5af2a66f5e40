// SPDX-License-Identifier: MIT
import FaceModel
import Testing

@Suite("Where clients take the playhead to be")
struct ToldPlaceTests {
  private func isOff(_ told: ToldPlace, _ place: Duration, at now: Duration) -> Bool {
    var told = told
    return told.needsCorrection(to: place, at: now)
  }

  @Test("they count on while music plays and stand still while it is paused")
  func counting() {
    var told = ToldPlace(.seconds(70), isPlaying: false, at: .zero)
    #expect(!isOff(told, .seconds(70), at: .seconds(1_000)))
    told.follow(isPlaying: true, at: .seconds(1_000))
    #expect(!isOff(told, .seconds(80), at: .seconds(1_010)))
    told.follow(isPlaying: false, at: .seconds(1_010))
    #expect(!isOff(told, .seconds(80), at: .seconds(2_000)))
    told.set(.seconds(5), at: .seconds(2_000))
    told.follow(isPlaying: true, at: .seconds(2_000))
    told.begin(at: .seconds(2_100))
    #expect(!isOff(told, .seconds(1), at: .seconds(2_101)))
    #expect(!isOff(ToldPlace(.zero, isPlaying: true, at: .seconds(1)), .seconds(9), at: .seconds(10)))
  }

  @Test("sound that begins late, or runs dry, leaves them ahead; sound that was not told of, behind")
  func beingOff() {
    let told = ToldPlace(.zero, isPlaying: true, at: .zero)
    #expect(!isOff(told, .zero, at: .seconds(1)) && isOff(told, .zero, at: .milliseconds(1_001)))
    #expect(!isOff(told, .seconds(2), at: .seconds(1)) && isOff(told, .seconds(3), at: .seconds(1)))
  }

  @Test("while the playhead stands still they are told once, and again when it has moved")
  func standstill() {
    var told = ToldPlace(.zero, isPlaying: true, at: .zero)
    var answers: [Bool] = []
    for (place, second) in [(0, 2), (0, 4), (0, 9), (1, 10), (5_001, 15), (5_001, 20)] {
      let (place, now) = (Duration.milliseconds(place), Duration.seconds(second))
      answers.append(told.needsCorrection(to: place, at: now))
      if answers.last == true { told.set(place, at: now) }
    }
    #expect(answers == [true, false, false, true, false, true])
    // Who pauses while nothing moves yet is told, because clients then stay where they are.
    told = ToldPlace(.zero, isPlaying: true, at: .zero)
    _ = told.needsCorrection(to: .zero, at: .seconds(2))
    told.set(.zero, at: .seconds(2))
    told.follow(isPlaying: false, at: .seconds(6))
    let isTold = told.needsCorrection(to: .zero, at: .seconds(6))
    #expect(isTold)
  }
}
