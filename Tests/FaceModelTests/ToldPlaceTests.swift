// SPDX-License-Identifier: MIT
import FaceModel
import Testing

@Suite("Where clients take the playhead to be")
struct ToldPlaceTests {
  @Test("they count on while music plays and stand still while it is paused")
  func counting() {
    var told = ToldPlace(.seconds(70))
    #expect(!told.isOff(from: .seconds(70), at: .seconds(1_000)))
    told.follow(isPlaying: true, at: .seconds(1_000))
    #expect(!told.isOff(from: .seconds(80), at: .seconds(1_010)))
    told.follow(isPlaying: false, at: .seconds(1_010))
    #expect(!told.isOff(from: .seconds(80), at: .seconds(2_000)))
    told.set(.seconds(5), at: .seconds(2_000))
    told.follow(isPlaying: true, at: .seconds(2_000))
    told.beginTrack(at: .seconds(2_100))
    #expect(!told.isOff(from: .seconds(1), at: .seconds(2_101)))
  }

  @Test("sound that begins late, or runs dry, leaves them ahead; sound that was not told of, behind")
  func beingOff() {
    var told = ToldPlace(.zero)
    told.follow(isPlaying: true, at: .zero)
    #expect(!told.isOff(from: .zero, at: ToldPlace.tolerance))
    #expect(told.isOff(from: .zero, at: .milliseconds(501)))
    #expect(told.isOff(from: .seconds(2), at: .seconds(1)))
    told.set(.zero, at: .seconds(1))
    #expect(!told.isOff(from: .seconds(2), at: .seconds(3)))
  }
}
