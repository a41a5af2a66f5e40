// SPDX-License-Identifier: MIT
import FaceModel
import PlaybackLogic
import Testing

@Suite("Where clients take the playhead to be")
struct ToldPlaceTests {
  /// What they are told if the playhead is at this place.
  private func told(
    _ told: inout ToldPlace, _ present: Duration, at now: Duration, _ state: PlaybackState = .playing,
    isTrackTold: Bool = true
  ) -> Duration? {
    told.placeToTell(
      state, isPlaying: state == .playing, isTrackTold: isTrackTold, present: present, at: now)
  }

  private func isOff(
    _ place: ToldPlace, _ present: Duration, at now: Duration, _ state: PlaybackState = .playing
  ) -> Bool {
    var place = place
    return told(&place, present, at: now, state) != nil
  }

  @Test("they count on while music plays and stand still while it is paused")
  func counting() {
    var place = ToldPlace(.seconds(70), isPlaying: false, at: .zero)
    #expect(!isOff(place, .seconds(70), at: .seconds(1_000), .paused))
    #expect(told(&place, .seconds(70), at: .seconds(1_000)) == nil)
    #expect(!isOff(place, .seconds(80), at: .seconds(1_010)))
    #expect(told(&place, .seconds(80), at: .seconds(1_010), .paused) == nil)
    #expect(!isOff(place, .seconds(80), at: .seconds(2_000), .paused))
    place.jump(to: .seconds(5))
    #expect(told(&place, .seconds(5), at: .seconds(2_000)) == .seconds(5))
    place.begin(at: .seconds(2_100))
    #expect(!isOff(place, .seconds(1), at: .seconds(2_101)))
    #expect(!isOff(ToldPlace(.zero, isPlaying: true, at: .seconds(1)), .seconds(9), at: .seconds(10)))
  }

  @Test("sound that begins late, or runs dry, leaves them ahead; sound that was not told of, behind")
  func beingOff() {
    let place = ToldPlace(.zero, isPlaying: true, at: .zero)
    #expect(!isOff(place, .zero, at: .seconds(1)) && isOff(place, .zero, at: .milliseconds(1_001)))
    #expect(!isOff(place, .seconds(2), at: .seconds(1)) && isOff(place, .seconds(3), at: .seconds(1)))
    #expect(!isOff(place, .seconds(3), at: .seconds(1), .seekingForward), "the place jumps on its own then")
  }

  @Test("while the playhead stands still they are told once, and again when it has moved")
  func standstill() {
    var place = ToldPlace(.zero, isPlaying: true, at: .zero)
    let answers = [(0, 2), (0, 4), (0, 9), (1, 10), (5_001, 15), (5_001, 20)].map { present, second in
      told(&place, .milliseconds(present), at: .seconds(second)) != nil
    }
    #expect(answers == [true, false, false, true, false, true])
    // Who pauses while nothing moves yet is told, because clients then stay where they are.
    place = ToldPlace(.zero, isPlaying: true, at: .zero)
    #expect(told(&place, .zero, at: .seconds(2)) == .zero)
    #expect(told(&place, .zero, at: .seconds(6), .paused) == .zero)
  }

  @Test("a jump is told after its track, and as the place where the playhead is by then")
  func jumps() {
    var place = ToldPlace(.zero, isPlaying: true, at: .zero)
    place.jump(to: .seconds(60))
    var waiting = place
    #expect(told(&place, .seconds(61), at: .seconds(1)) == .seconds(60))
    #expect(told(&place, .seconds(62), at: .seconds(3)) == nil, "once")
    #expect(told(&waiting, .seconds(61), at: .seconds(1), isTrackTold: false) == nil)
    waiting.begin(at: .seconds(2))
    #expect(told(&waiting, .seconds(62), at: .seconds(2)) == .seconds(62))
  }
}
