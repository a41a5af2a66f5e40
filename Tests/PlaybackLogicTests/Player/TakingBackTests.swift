// SPDX-License-Identifier: MIT
@testable import PlaybackLogic
import Testing

@Suite("Edits that are taken back because they could not be stored")
struct TakingBackTests {
  private typealias Edit = @Sendable (inout PlayQueue) -> QueueChange

  /// Makes edits and takes them back: the player before them, and after.
  private func takeBack(
    from deck: inout Deck, then others: [QueueCommand] = [], _ edits: (inout Deck) -> Void
  ) {
    var former = deck.player.queue
    let moment = deck.player.moment(at: deck.now)
    edits(&deck)
    for command in others { _ = former.replay(command) }
    deck.clearLog()
    deck.obey(deck.player.takeBack(to: former, moment: moment, at: deck.now))
  }

  private func playing(_ count: Int = 3, row: Int = 0) -> Deck {
    var deck = Deck(count)
    deck.order(.jump(to: deck.player.queue[row].id))
    deck.hear()
    deck.wait(.seconds(7))
    return deck
  }

  @Test(
    "edits beside what plays: the queue is as before, and no sound changes",
    arguments: [
      { $0.append([EntrySource("/new")]) }, { $0.insertNext([EntrySource("/new")]) },
      { $0.remove(at: RangeSet(1..<2)) }, { $0.move(1..<3, to: 0) }, { $0.undo() ?? QueueChange() },
      { $0.setRepeat(.chosen(.all)) }, { $0.setShuffle(.chosen(.songs)) },
    ] as [Edit])
  private func beside(edit: Edit) {
    var deck = playing(4, row: 3)
    deck.edit { $0.move(2..<3, to: 1) }
    let before = deck.player.queue.state
    let (loaded, position) = (deck.loaded, deck.position)
    takeBack(from: &deck) { $0.edit(edit) }
    #expect(deck.player.queue.state == before)
    #expect(deck.loaded == loaded && deck.isSounding && deck.position == position)
    #expect(deck.follower?.entry.id == deck.player.queue.following)
    #expect(deck.faults.isEmpty && deck.log.isEmpty)
  }

  @Test("where another entry had become current, the one before goes on at its place, as it was wanted")
  func current() {
    let edits: [@Sendable (inout Deck) -> Void] = [
      { $0.edit { $0.remove(at: RangeSet(0..<1)) } }, { $0.edit { $0.clear() } },
      { deck in
        deck.edit { $0.replace(with: [EntrySource("/other")]) }
        deck.order(.play)
        deck.hear()
        deck.wait(.seconds(3))
      },
    ]
    for edit in edits {
      var deck = playing()
      takeBack(from: &deck, edit)
      #expect(deck.row == 0 && deck.position == .seconds(7) && deck.isSounding)
      #expect(deck.loaded?.start == .seconds(7) && deck.faults.isEmpty)
      var paused = playing()
      paused.order(.pause)
      takeBack(from: &paused, edit)
      #expect(paused.row == 0 && paused.position == .seconds(7) && !paused.isSounding)
      #expect(paused.player.state == .paused)
    }
  }

  @Test(
    "whoever has paused or stopped meanwhile wants that still",
    arguments: [(PlayerOrder.pause, PlaybackState.paused), (.stop, .stopped)])
  func silencedSince(order: PlayerOrder, state: PlaybackState) {
    var deck = playing()
    takeBack(from: &deck) { deck in
      deck.edit { $0.replace(with: [EntrySource("/other")]) }
      deck.order(.play)
      deck.order(order)
    }
    #expect(deck.row == 0 && deck.player.state == state && !deck.isSounding)
  }

  @Test("a queue that ran empty is no stop that somebody wants")
  func ranEmpty() {
    var deck = playing()
    takeBack(from: &deck) { deck in deck.edit { $0.clear() } }
    #expect(deck.row == 0 && deck.isSounding)
  }

  @Test("from an empty queue nothing is left, and nothing plays")
  func empty() {
    var deck = Deck(0)
    takeBack(from: &deck) { deck in
      deck.edit { $0.append([EntrySource("/new")]) }
      deck.order(.play)
      deck.hear()
    }
    #expect(deck.player.queue.isEmpty && !deck.isSounding && deck.player.state == .stopped)
  }

  @Test("a skip after the edit holds")
  func skipped() {
    var deck = playing()
    takeBack(from: &deck, then: [.skipToNext]) { deck in
      deck.edit { $0.append([EntrySource("/new")]) }
      deck.order(.next)
      deck.hear()
      deck.wait(.seconds(2))
    }
    #expect(deck.row == 1 && deck.player.queue.count == 3 && deck.isSounding)
    #expect(deck.position == .seconds(2))
  }

  @Test("what is told of it makes the queue of before in a copy, and files that are gone stay marked")
  func told() throws {
    var deck = playing(6)
    var changed: [EntryID] = []
    _ = deck.player.setMissing(true, of: [deck.player.queue[4].id], at: deck.now, changed: &changed)
    var former = deck.player.queue
    _ = former.setMissing(false, of: former[4].id)
    deck.edit { $0.move(1..<3, to: 3) }
    deck.edit { $0.append([EntrySource("/new")]) }
    var copy = deck.player.queue.entries(at: 0..<7)
    for case .tell(.queue(let change)) in deck.player.takeBack(to: former, moment: nil, at: deck.now) {
      change.apply(to: &copy)
    }
    #expect(copy.map(\.id) == former.entries(at: 0..<6).map(\.id))
    #expect(deck.player.queue[4].isMissing)
  }
}
