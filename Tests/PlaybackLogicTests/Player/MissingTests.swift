// SPDX-License-Identifier: MIT
@testable import PlaybackLogic
import AudioModel
import Testing

@Suite("Entries whose files are gone")
struct MissingTests {
  private func mark(_ deck: inout Deck, _ isMissing: Bool, row: Int) -> [EntryID] {
    var changed: [EntryID] = []
    let entry = deck.player.queue[row].id
    let effects = deck.player.setMissing(isMissing, of: [entry], at: deck.now, changed: &changed)
    deck.obey(effects)
    return changed
  }

  @Test("a mark is news once, and nothing that can be undone")
  func marks() {
    var deck = playing()
    let canUndo = deck.player.queue.canUndo
    #expect(mark(&deck, true, row: 1).count == 1 && mark(&deck, true, row: 1).isEmpty)
    #expect(deck.player.queue[1].isMissing && deck.player.queue.canUndo == canUndo)
    #expect(deck.isSounding && deck.row == 0)
  }

  @Test("one that is marked is tried when its turn comes: there again, it plays")
  func triedAgain() {
    var deck = playing()
    _ = mark(&deck, true, row: 1)
    #expect(deck.follower?.entry.location == "/music/1.flac")
    deck.playToEnd()
    #expect(deck.row == 1 && deck.isSounding && deck.skips == 0)
  }

  @Test("one that is heard is not missing, whatever was found before")
  func heard() {
    var deck = playing()
    _ = mark(&deck, true, row: 0)
    _ = mark(&deck, true, row: 1)
    deck.order(.seekTo(.seconds(1)))
    deck.hear()
    #expect(!deck.player.queue[0].isMissing && deck.player.queue[1].isMissing)
  }

  @Test(
    "a track whose file is renamed plays on; what follows is opened by its new name unless it is open already"
  )
  func renamed() {
    for isOpened in [false, true] {
      var deck = playing()
      if isOpened, let follower = deck.follower {
        deck.sound(
          .opened(
            play: follower.play, length: .seconds(9),
            coding: SoundCoding("FLAC", rate: 44_100, channels: 2, bits: 16)))
      }
      let (loaded, follower) = (deck.loaded, deck.follower)
      deck.rename("/music/0.flac", "/music/1.flac", "/music/2.flac", to: "/new")
      #expect(deck.isSounding && deck.loaded == loaded && (deck.follower == follower) == isOpened)
      #expect(deck.follower?.entry.location == (isOpened ? "/music/1.flac" : "/new/music/1.flac"))
      deck.order(.seekTo(.seconds(1)))
      #expect(deck.loaded?.entry.location == "/new/music/0.flac")
      deck.order(.next)
      #expect(deck.loaded?.entry.location == "/new/music/1.flac")
      #expect(deck.follower?.entry.location == "/new/music/2.flac")
    }
  }

  @Test("one that failed because its file was gone is tried again once the file is found elsewhere")
  func foundElsewhere() {
    var deck = playing()
    deck.failFollower()
    #expect(deck.follower?.entry.location == "/music/2.flac")
    _ = mark(&deck, true, row: 1)
    deck.rename("/music/1.flac", to: "/new")
    #expect(!deck.player.queue[1].isMissing && deck.follower?.entry.location == "/new/music/1.flac")
  }

  @Test("why playing has ended is true of what was current then, and not of what is chosen afterwards")
  func endingForgotten() {
    var deck = playing(2)
    deck.order(.next)
    deck.fail()
    #expect(deck.player.session.ending == .unplayable)
    deck.order(.previous)
    #expect(deck.row == 0 && !deck.isSounding && deck.player.session.ending == nil)
  }

  @Test("one that failed while it waited and plays after all is repeated like any other")
  func failedOnce() {
    var deck = playing(2, repeat: .all)
    deck.failFollower()
    deck.order(.next)
    deck.hear()
    #expect(deck.row == 1 && deck.isSounding)
    #expect(deck.follower?.entry.location == "/music/0.flac")
    deck.playToEnd()
    #expect(deck.follower?.entry.location == "/music/1.flac")
  }

  @Test("a jump to one that is marked is refused, and what sounds goes on")
  func jump() {
    var deck = playing()
    _ = mark(&deck, true, row: 2)
    let (loaded, gone) = (deck.loaded, deck.player.queue[2].id)
    deck.wait(.seconds(7))
    deck.order(.jump(to: gone))
    #expect(deck.log.last == Refusal.missing.rawValue)
    #expect(deck.loaded == loaded && deck.isSounding && deck.row == 0 && deck.position == .seconds(7))
    _ = mark(&deck, false, row: 2)
    deck.order(.jump(to: gone))
    #expect(deck.row == 2 && deck.isSounding)
  }

  @Test("one that is sought past the place where its file breaks off has ended early, and plays again")
  func soughtPastTheBreak() {
    var deck = playing()
    deck.playToEnd()
    deck.wait(.seconds(2))
    deck.order(.seekTo(.seconds(80)))
    deck.fail()
    #expect(deck.row == 2 && deck.skips == 0 && deck.log.contains("broke at 2"), "\(deck.log)")
    deck.hear()
    deck.order(.previous)
    #expect(deck.row == 1 && deck.isSounding)
    deck.hear()
    // One that was never heard has failed, wherever it was to begin.
    deck.order(.next)
    deck.order(.seekTo(.seconds(80)))
    deck.fail()
    #expect(deck.skips == 1)
  }

  @Test(
    "one that was sought past its break begins anew in its turn, also if no other plays", arguments: [1, 2])
  func brokenAlone(count: Int) {
    var deck = playing(count, repeat: .all)
    deck.wait(.seconds(7))
    deck.order(.seekTo(.seconds(80)))
    for _ in 0..<count { deck.fail() }
    #expect(deck.row == 0 && deck.loaded?.start == .zero && deck.player.state == .playing)
    for _ in 0..<count { deck.fail() }
    #expect(deck.row == 0 && deck.player.state == .stopped)
  }

  @Test("one that is loaded again at its place and fails is passed over like any other that is gone")
  func goneInItsMiddle() {
    var deck = playing(1)
    deck.edit { $0.setConsume(true) }
    deck.wait(.seconds(7))
    deck.order(.seekTo(.seconds(7)))
    deck.fail()
    #expect(deck.skips == 1 && deck.row == 0 && deck.player.queue.count == 1)
  }

  @Test("after a disk was gone for a moment, Play goes on where it went", arguments: [false, true])
  func diskGone(shuffles: Bool) {
    var deck = playing(5)
    if shuffles { deck.edit { $0.setShuffle(.chosen(.songs)) } }
    deck.order(.next)
    deck.hear()
    deck.order(.next)
    let order = deck.player.queue.comingUp(2)
    let first = deck.row
    for _ in 0..<3 { deck.fail() }
    #expect(deck.player.state == .stopped && deck.row == first && deck.skips == 3)
    deck.order(.play)
    deck.hear()
    #expect(deck.row == first && deck.isSounding && deck.player.queue.comingUp(2) == order)
  }

  @Test("a place in the track is kept where its disk is gone for a moment")
  func placeIsKept() {
    var deck = playing(3)
    deck.order(.pause)
    // Another agent goes on with what this one had.
    deck.player = Player(queue: deck.player.queue, session: deck.player.session, position: .seconds(20))
    deck.order(.play)
    for _ in 0..<3 { deck.fail() }
    #expect(deck.player.state == .stopped && deck.row == 0)
    #expect(deck.player.position(at: deck.now) == .seconds(20))
    deck.order(.play)
    #expect(deck.loaded?.start == .seconds(20), "\(String(describing: deck.loaded))")
  }

  @Test("while paused, next passes over what can't be played, as previous does")
  func nextWhilePaused() {
    var deck = playing(4)
    deck.failFollower()
    deck.playToEnd()
    deck.hear()
    #expect(deck.row == 2)
    deck.order(.jump(to: deck.player.queue.entries(at: 0..<1)[0].id))
    deck.hear()
    deck.order(.pause)
    deck.order(.next)
    #expect(deck.row == 2)
  }

  @Test("one that cannot be opened is told once in each pass")
  func toldOnce() {
    var deck = playing(2, repeat: .all)
    for pass in 1...3 {
      deck.failFollower()
      deck.playToEnd()
      // At the end of the list nothing but itself follows: it is tried, in vain, and the list begins anew.
      deck.fail()
      deck.hear()
      #expect(deck.row == 0 && deck.isSounding)
      #expect(deck.skips == pass)
    }
  }

  @Test("one that has failed and is there again plays in its turn")
  func backInTime() {
    var deck = playing()
    deck.failFollower()
    _ = mark(&deck, true, row: 1)
    #expect(deck.follower?.entry.location == "/music/2.flac")
    _ = mark(&deck, false, row: 1)
    #expect(deck.follower?.entry.location == "/music/1.flac")
    #expect(deck.faults.isEmpty)
  }
}
