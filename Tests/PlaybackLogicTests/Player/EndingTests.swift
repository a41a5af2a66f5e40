// SPDX-License-Identifier: MIT
import Testing

@testable import PlaybackLogic

@Suite("The end of the music, and why")
struct EndingTests {
  @Test("stop after the last track is the end of the queue, and one that can't be played is the last as well")
  func stopAfterLast() {
    var deck = playing(1)
    deck.order(.stopAfterCurrent)
    deck.playToEnd()
    #expect(deck.player.state == .stopped && deck.player.session.why == .stopped(.finished))
    deck = Deck(3)
    deck.order(.play)
    deck.order(.stopAfterCurrent)
    deck.fail()
    #expect(deck.player.state == .stopped && deck.row == 1 && deck.faults.isEmpty)
    #expect(deck.player.session.why == .stopped(.afterCurrent))
  }

  @Test("where nothing can be played the music stops, and says so until somebody does something about it")
  func allUnplayable() {
    var deck = Deck(3)
    deck.order(.play)
    #expect(deck.player.isOpening)
    for _ in 0..<3 { deck.fail() }
    #expect(deck.player.state == .stopped && deck.player.session.why == .stopped(.unplayable))
    #expect(!deck.player.isOpening && deck.row == 0)
    deck.order(.stop)
    #expect(deck.player.session.why == .stopped(.ordered(by: .user)))
    deck.order(.next)
    #expect(deck.player.session.why == .stopped(.ordered(by: .user)), "true of another row as well")
  }

  @Test("where what plays is taken out and nothing comes after it, the music has stopped for that")
  func takenOut() {
    var deck = playing(2)
    deck.order(.next)
    deck.edit { $0.remove([EntryID(rawValue: 2)]) }
    #expect(deck.player.state == .stopped && deck.player.session.why == .stopped(.removed))
    deck = playing(2)
    deck.order(.next)
    deck.order(.stop)
    deck.edit { $0.remove([EntryID(rawValue: 2)]) }
    #expect(deck.player.session.why == .stopped(.ordered(by: .user)), "it had stopped before")
  }

  @Test("the undo of a shuffle leaves the current row alone, also if that is another one since")
  func shuffleTakenBack() {
    var deck = playing(3)
    deck.edit { $0.shuffleNow() }
    deck.order(.next)
    let current = deck.player.queue.current
    deck.edit { $0.undo() ?? QueueChange() }
    #expect(current != nil && deck.player.queue.current == current && deck.isSounding)
    #expect(deck.player.queue.entries(at: 0..<3).map(\.id.rawValue) == [1, 2, 3])
  }
}
