// SPDX-License-Identifier: MIT
@testable import PlaybackLogic
import AudioModel
import Testing

@Suite("How long a track is, and seeks in one that is not open")
struct LengthTests {
  /// The second of three is current and not open, at 10 s, as after Pause and Next.
  private func closed(_ count: Int = 3, at place: Int = 10, repeat: RepeatMode = .none) -> Deck {
    var deck = Deck(count, repeat: `repeat`)
    deck.order(.play)
    deck.hear()
    deck.order(.pause)
    deck.order(.next)
    deck.order(.seekTo(.seconds(place)))
    deck.clearLog()
    return deck
  }

  /// What is ordered, where it leads, and whether that is a jump within the track.
  private static let seeks: [(PlayerOrder, row: Int?, place: Int, isJump: Bool)] = [
    (.seek(.seconds(9)), 1, 19, true), (.seek(.seconds(10)), 2, 0, false),
    (.seek(.seconds(500)), 2, 0, false),
    (.seek(.seconds(-4)), 1, 6, true), (.seek(.seconds(-11)), 1, 0, true),
    (.seekTo(.seconds(19)), 1, 19, true), (.seekTo(.seconds(20)), 2, 0, false),
    (.seekTo(.seconds(300)), 2, 0, false), (.seekTo(.seconds(-1)), 1, 0, true), (.seekTo(.zero), 1, 0, true),
  ]

  @Test("of a track whose tags say 20 s a seek past the end is the next one, still paused", arguments: seeks)
  func seek(_ order: PlayerOrder, row: Int?, place: Int, isJump: Bool) {
    var deck = closed()
    deck.tag(1, length: .seconds(20))
    deck.order(order)
    #expect(deck.row == row && deck.position == .seconds(place))
    #expect(deck.log.contains { $0.hasPrefix("seeked") } == isJump)
    #expect(deck.player.state == .paused && deck.loaded == nil)
  }

  @Test("past the end of the last track is the end, open or not; of one that repeats, the beginning")
  func last() {
    var deck = closed(2)
    deck.tag(1, length: .seconds(20))
    deck.order(.seekTo(.seconds(300)))
    #expect(deck.player.state == .stopped && deck.row == nil)
    var repeated = closed(1, repeat: .one)
    repeated.tag(0, length: .seconds(20))
    repeated.order(.seekTo(.seconds(300)))
    #expect(repeated.row == 0 && repeated.position == .zero && repeated.log.last == "seeked 0")
  }

  @Test("stopped, a seek past the end goes on to the next track as well, and stays stopped")
  func stopped() {
    var deck = closed()
    deck.tag(1, length: .seconds(20))
    deck.order(.stop)
    deck.order(.seekTo(.seconds(20)))
    #expect(deck.row == 2 && deck.player.state == .stopped && deck.position == .zero)
  }

  @Test("a run ends where the tags say that the track does")
  func held() {
    var deck = Deck(3)
    deck.session(.began(.call))
    deck.order(.play)
    deck.tag(0, length: .seconds(5))
    deck.order(.beginSeek(.forward))
    deck.wait(.seconds(1))
    #expect(deck.row == 0 && deck.position == .milliseconds(4_850) && deck.timers[.cue] == nil)
  }

  @Test("as long as nobody knows the length, any place can be gone to")
  func unknown() {
    var deck = closed()
    deck.order(.seekTo(.seconds(300)))
    #expect(deck.row == 1 && deck.position == .seconds(300) && deck.player.length == nil)
  }

  @Test(
    "a length of another entry, or of nothing, is ignored",
    arguments: [(0, 5), (2, 5), (nil, 5), (1, 0)] as [(Int?, Int)]
  )
  func ignored(row: Int?, seconds: Int) {
    var deck = closed()
    deck.tag(row, length: .seconds(seconds))
    #expect(deck.player.length == nil)
    deck.tag(1, length: .seconds(20))
    deck.tag(row, length: .seconds(seconds))
    #expect(deck.player.length == .seconds(20))
  }

  /// Ways in which another entry comes to be current, or none.
  private static let departures: [(String, @Sendable (inout Deck) -> Void)] = [
    ("next", { $0.order(.next) }),
    (
      "previous",
      {
        $0.order(.seekTo(.zero)); $0.order(.previous)
      }
    ),
    ("past the end", { $0.order(.seekTo(.seconds(20))) }),
    ("a jump", { $0.order(.jump(to: $0.player.queue[0].id)) }),
    ("removed", { $0.edit { $0.remove(at: RangeSet(1..<2)) } }),
    ("cleared", { $0.edit { $0.clear() } }),
    (
      "heard to its end",
      {
        $0.order(.play); $0.playToEnd(); $0.sound(.opened(play: $0.loaded!.play, length: nil))
      }
    ),
    (
      "not to be opened",
      {
        $0.order(.play); $0.fail()
      }
    ),
  ]

  @Test("a length goes with its entry, and is not there when that comes back", arguments: departures.indices)
  func outlived(departure: Int) {
    var deck = closed()
    let entry = deck.player.queue[1].id
    deck.tag(1, length: .seconds(20))
    Self.departures[departure].1(&deck)
    #expect(deck.player.length == nil, "\(Self.departures[departure].0)")
    #expect(deck.player.queue.current != entry)
    deck.order(.jump(to: entry))
    #expect(deck.player.length == nil, "\(Self.departures[departure].0), and back")
  }

  @Test("a repetition is as long as before, edits and Stop change nothing")
  func kept() {
    var deck = Deck(2, repeat: .one)
    deck.order(.play)
    deck.tag(0, length: .seconds(20))
    deck.hear(length: nil)
    deck.sound(.ended(play: deck.loaded!.play))
    #expect(deck.row == 0 && deck.player.length == .seconds(20))
    deck.edit { $0.insert([EntrySource("/music/new.flac")], at: 0) }
    deck.order(.stop)
    #expect(deck.row == 1 && deck.player.length == .seconds(20))
  }

  @Test("who has opened the track knows better, whoever speaks first; who opens it and cannot tell does not")
  func exact() {
    for tagsFirst in [true, false] {
      var deck = Deck(3)
      deck.order(.play)
      if tagsFirst { deck.tag(0, length: .seconds(20)) }
      deck.hear(length: .seconds(100))
      if !tagsFirst { deck.tag(0, length: .seconds(20)) }
      #expect(deck.player.length == .seconds(100))
      deck.order(.seekTo(.seconds(50)))
      #expect(deck.row == 0 && deck.position == .seconds(50) && deck.player.length == .seconds(100))
    }
    var deck = Deck(3)
    deck.order(.play)
    deck.tag(0, length: .seconds(20))
    deck.hear(length: nil)
    #expect(deck.player.length == .seconds(20))
  }

  @Test("a place past the end by the tags is shown as the end, and is not lost where the tags are wrong")
  func beyond() {
    var deck = closed(at: 50)
    deck.tag(1, length: .seconds(20))
    #expect(deck.position == .seconds(20) && deck.player.place(at: deck.now) == .seconds(50))
    deck.order(.play)
    #expect(deck.row == 1 && deck.loaded?.start == .seconds(50))
    deck.hear(length: .seconds(100))
    #expect(deck.position == .seconds(50))
  }

  @Test("a length that becomes known does nothing else")
  func nothingElse() {
    var deck = closed()
    for length in [5, 20] {
      let effects = deck.player.handle(
        .tagged(deck.player.queue[1].id, length: .seconds(length)), at: deck.now)
      #expect(effects.isEmpty)
    }
    deck.order(.play)
    #expect(deck.player.handle(.tagged(deck.player.queue[1].id, length: .seconds(9)), at: deck.now).isEmpty)
  }
}
