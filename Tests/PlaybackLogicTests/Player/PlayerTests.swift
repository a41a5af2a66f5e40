// SPDX-License-Identifier: MIT
@testable import PlaybackLogic
import AudioModel
import Testing

@Suite("The player")
struct PlayerTests {
  @Test("Play begins at the top and primes what follows")
  func play() {
    let deck = playing()
    #expect(deck.isSounding && deck.row == 0 && deck.player.state == .playing)
    #expect(deck.follower?.entry.id == deck.player.queue.next)
  }

  @Test("Play while playing changes nothing")
  func playAgain() {
    var deck = playing()
    deck.wait(.seconds(5))
    let before = deck.loaded
    deck.order(.play)
    #expect(deck.loaded == before && deck.position == .seconds(5))
  }

  @Test("Pause keeps the place, and Play goes on there with what was loaded")
  func pause() {
    var deck = playing()
    let loaded = deck.loaded
    deck.wait(.seconds(7))
    deck.order(.toggle)
    #expect(!deck.isSounding && deck.player.state == .paused)
    deck.wait(.seconds(60))
    #expect(deck.position == .seconds(7))
    deck.order(.toggle)
    #expect(deck.isSounding && deck.loaded == loaded)
  }

  @Test("Stop lets go of the sound and goes back to the beginning of the track")
  func stop() {
    var deck = playing()
    deck.wait(.seconds(7))
    deck.order(.next)
    deck.order(.stop)
    #expect(deck.loaded == nil && deck.player.state == .stopped && deck.position == .zero && deck.row == 1)
    // Where the state says nothing, the jump is told.
    deck.order(.seekTo(.seconds(30)))
    deck.clearLog()
    deck.order(.stop)
    deck.order(.stop)
    #expect(deck.position == .zero && deck.log == ["seeked 0"])
    deck.order(.play)
    #expect(deck.loaded?.start == .zero && deck.row == 1)
  }

  @Test(
    "stop after this track: its end is the end, Play goes on with the next, and another track takes it back")
  func stopAfterCurrent() {
    var deck = playing()
    deck.order(.stopAfterCurrent)
    #expect(deck.isSounding && deck.follower == nil && deck.player.stopsAfterCurrent)
    deck.order(.toggle)
    deck.order(.toggle)
    deck.playToEnd()
    #expect(!deck.isSounding && deck.loaded == nil && deck.player.state == .stopped && deck.row == 1)
    #expect(!deck.player.stopsAfterCurrent && deck.position == .zero)
    deck.order(.play)
    #expect(deck.isSounding && deck.follower != nil && deck.loaded?.entry.id == deck.player.queue[1].id)
    for order in [PlayerOrder.next, .play, .jump(to: deck.player.queue[0].id)] {
      deck.order(.stopAfterCurrent)
      deck.order(order)
      #expect(!deck.player.stopsAfterCurrent && deck.isSounding, "\(order)")
    }
    // Who takes back a Pause of its own takes back nothing else, and a Play in a call is for the music after it.
    deck.order(.stopAfterCurrent)
    deck.order(.pause, by: .tool("link"))
    deck.order(.play, by: .tool("link"))
    #expect(deck.player.stopsAfterCurrent && deck.isSounding)
    deck.order(.stop)
    deck.clearLog()
    deck.order(.stopAfterCurrent)
    #expect(deck.log == [Refusal.nothingCurrent.rawValue] && !deck.player.stopsAfterCurrent)
  }

  @Test(
    "a phone link that takes back its pause makes nothing current, whichever way it says so",
    arguments: [PlayerOrder.play, .toggle])
  func linkStartsNothing(order: PlayerOrder) {
    var deck = playing()
    deck.order(.pause, by: .tool("link"))
    deck.order(.stop)
    deck.edit { $0.replace(with: $0.entries(at: 0..<2).map { EntrySource($0.location) }) }
    #expect(deck.player.queue.current == nil && deck.player.state == .stopped)
    deck.order(order, by: .tool("link"))
    #expect(deck.player.queue.current == nil && deck.player.state == .stopped && !deck.isSounding)
  }

  @Test(
    "consume: what was heard to its end leaves the queue, and so does what Next leaves; undo brings it back")
  func consume() {
    var deck = playing(4)
    let ids = (0..<4).map { deck.player.queue[$0].id }
    deck.edit { $0.setConsume(true) }
    #expect(deck.follower?.entry.id == ids[1])
    deck.playToEnd()
    #expect(deck.player.queue.count == 3 && deck.player.queue.current == ids[1] && deck.row == 0)
    #expect(deck.isSounding && deck.follower?.entry.id == ids[2])
    deck.order(.next)
    deck.hear()
    #expect(deck.player.queue.count == 2 && deck.player.queue.current == ids[2] && deck.isSounding)
    deck.order(.jump(to: ids[3]))
    #expect(deck.player.queue.count == 2, "who jumps has not heard it")
    deck.order(.previous)
    #expect(deck.player.queue.count == 2 && deck.player.queue.current == ids[2])
    deck.fail()
    #expect(deck.player.queue.count == 2, "what can't be played was not played")
    deck.edit { $0.undo() ?? QueueChange() }
    #expect(deck.player.queue.entry(ids[1]) != nil && deck.player.queue.current == ids[3])
    deck.edit { $0.undo() ?? QueueChange() }
    #expect((0..<4).map { deck.player.queue[$0].id } == ids)
  }

  @Test(
    "consume at the end: the last one leaves, nothing begins again, and one that is repeated stays",
    arguments: RepeatMode.allCases)
  func consumeLast(mode: RepeatMode) {
    var deck = playing(1, repeat: mode)
    deck.edit { $0.setConsume(true) }
    #expect((deck.follower != nil) == (mode == .one))
    // Where nothing comes, a Next that is pressed too often must not end the music.
    #expect(deck.player.queue.next == nil)
    deck.order(.next)
    #expect(deck.isSounding && deck.player.queue.count == 1)
    deck.playToEnd()
    #expect(deck.player.queue.count == (mode == .one ? 1 : 0))
    #expect(deck.isSounding == (mode == .one))
    guard mode != .one else { return }
    #expect(deck.player.state == .stopped && deck.player.session.ending == .finished)
    #expect(!deck.log.contains { $0.hasPrefix("seeked") })
  }

  @Test("a part of the track is a place in it, its end is the next track, and without a length there is none")
  func partOfTrack() {
    var deck = playing()
    deck.order(.seekToPart(0.25))
    #expect(deck.position == .seconds(25) && deck.row == 0)
    deck.order(.seekToPart(1))
    #expect(deck.row == 1)
    deck.hear(length: nil)
    deck.clearLog()
    deck.order(.seekToPart(0.5))
    #expect(deck.log == [Refusal.noLength.rawValue] && deck.row == 1)
  }

  @Test("Next while playing plays the next, while paused it stays paused, at the end it is refused")
  func next() {
    var deck = playing()
    deck.order(.next)
    #expect(deck.isSounding && deck.row == 1)
    deck.order(.pause)
    deck.order(.next)
    #expect(!deck.isSounding && deck.row == 2 && deck.player.state == .paused && deck.loaded == nil)
    deck.order(.next)
    #expect(deck.row == 2 && deck.log.last == Refusal.noNext.rawValue)
  }

  @Test("Previous goes back, and after three seconds to the beginning of the track")
  func previous() {
    var deck = playing()
    deck.order(.next)
    deck.hear()
    deck.wait(.seconds(4))
    deck.order(.previous)
    #expect(deck.row == 1 && deck.position == .zero && deck.log.last == "seeked 0")
    deck.order(.previous)
    #expect(deck.row == 0)
    deck.order(.previous)
    #expect(deck.row == 0 && deck.log.last == "seeked 0")
  }

  @Test(
    "a seek goes where it is told, before the start to the start, and past the end to the next track",
    arguments: [(30, 0, 40), (-30, 0, 0), (89, 0, 99), (90, 1, 0), (5_000, 1, 0)])
  func seek(by seconds: Int, row: Int, place: Int) {
    var deck = playing()
    deck.wait(.seconds(10))
    deck.order(.seek(.seconds(seconds)))
    #expect(deck.row == row && deck.position == .seconds(place))
    #expect(deck.loaded?.start == .seconds(place) && deck.isSounding)
    #expect(deck.log.contains { $0.hasPrefix("seeked") } == (row == 0))
  }

  @Test("seeks that come at once add up")
  func seeksTogether() {
    var deck = playing()
    deck.wait(.seconds(10))
    for _ in 0..<10 { deck.order(.seek(.seconds(5))) }
    for _ in 0..<4 { deck.order(.seek(.seconds(-5))) }
    #expect(deck.position == .seconds(40) && deck.loaded?.start == .seconds(40))
  }

  @Test("a seek past the end of the last track is its end")
  func seekPastAll() {
    var deck = playing(1)
    deck.order(.seekTo(.seconds(500)))
    #expect(deck.player.state == .stopped && deck.loaded == nil && deck.row == nil)
  }

  @Test("a seek while paused is heard when playing goes on")
  func seekPaused() {
    var deck = playing()
    deck.order(.pause)
    deck.order(.seekTo(.seconds(42)))
    #expect(deck.position == .seconds(42) && !deck.isSounding)
    deck.order(.play)
    #expect(deck.loaded?.start == .seconds(42))
  }

  @Test("a track's end leads to the primed one without another load, and the last one's to a stop")
  func toTheEnd() {
    var deck = playing()
    deck.clearLog()
    let next = deck.follower
    deck.playToEnd()
    #expect(deck.row == 1 && deck.loaded == next && deck.position == .zero && deck.log == ["advanced"])
    deck.playToEnd()
    deck.playToEnd()
    #expect(deck.player.state == .stopped && deck.row == nil && deck.loaded == nil)
    deck.order(.play)
    #expect(deck.row == 0 && deck.isSounding)
  }

  @Test("repeat one plays the same again and says that the place jumped; Next leads on all the same")
  func repeatOne() {
    var deck = playing(repeat: .one)
    #expect(deck.follower?.entry.id == deck.player.queue.current)
    deck.wait(.seconds(50))
    deck.clearLog()
    deck.playToEnd()
    #expect(deck.row == 0 && deck.position == .zero && deck.log == ["advanced", "seeked 0"])
    #expect(deck.follower != nil && deck.follower?.play != deck.loaded?.play)
    deck.order(.next)
    #expect(deck.row == 1)
  }

  @Test("an edit that does not remove the current entry leaves the sound alone")
  func edits() {
    var deck = playing()
    let loaded = deck.loaded
    deck.edit { $0.append([EntrySource("/music/new.flac")]) }
    deck.edit { $0.move(0..<1, to: 2) }
    deck.edit { $0.insertNext([EntrySource("/music/soon.flac")]) }
    #expect(deck.loaded == loaded && deck.isSounding)
    #expect(deck.follower?.entry.location == "/music/soon.flac")
    deck.edit { $0.remove(at: RangeSet(0..<1)) }
    #expect(deck.loaded == loaded)
  }

  @Test("the removal of the current entry plays the next, and of the last one stops")
  func removal() {
    var deck = playing(2)
    deck.edit { $0.remove(at: RangeSet(0..<1)) }
    #expect(deck.isSounding && deck.row == 0 && deck.loaded?.entry.location == "/music/1.flac")
    deck.edit { $0.clear() }
    #expect(deck.player.state == .stopped && deck.loaded == nil)
    deck.edit { $0.undo() ?? $0.clear() }
    #expect(deck.player.state == .stopped && deck.loaded == nil && deck.row == 0)
  }

  @Test("what another list had taken the place of comes back with the place in the track, and sounds on")
  func undoOfPlay() {
    var deck = playing()
    deck.wait(.seconds(30))
    deck.edit { $0.replace(with: [EntrySource("/music/x.flac")]) }
    deck.order(.play)
    deck.hear()
    deck.wait(.seconds(5))
    deck.edit { $0.undo() ?? $0.clear() }
    #expect(deck.row == 0 && deck.player.queue.count == 3 && deck.isSounding)
    #expect(
      deck.position == .seconds(30) && deck.loaded?.start == .seconds(30) && deck.log.last == "seeked 30")
    deck.hear()
    deck.wait(.seconds(1))
    deck.edit { $0.redo() ?? $0.clear() }
    #expect(deck.player.queue.count == 1 && deck.loaded?.start == .seconds(5) && deck.isSounding)
    deck.edit { $0.undo() ?? $0.clear() }
    #expect(deck.position == .seconds(31))
  }

  @Test("a cleared list comes back silent, at its place, from where Play goes on")
  func undoOfClear() {
    var deck = playing()
    deck.wait(.seconds(30))
    deck.edit { $0.clear() }
    deck.edit { $0.undo() ?? $0.clear() }
    #expect(deck.player.state == .stopped && deck.loaded == nil && deck.position == .seconds(30))
    deck.order(.play)
    #expect(deck.loaded?.start == .seconds(30))
  }

  @Test("what cannot be opened is skipped; where nothing can be, playing stops instead of spinning")
  func unplayable() {
    var deck = Deck(3)
    deck.order(.play)
    deck.fail()
    #expect(deck.row == 1 && deck.log.contains("skipped"))
    deck.fail()
    deck.fail()
    #expect(deck.player.state == .stopped && deck.loaded == nil && deck.row == 0)
    var endless = Deck(3, repeat: .all)
    endless.order(.play)
    for _ in 0..<10 { endless.fail() }
    #expect(endless.player.state == .stopped)
  }

  @Test("Previous passes over what could not be played", arguments: [false, true])
  func previousOfUnplayable(shuffles: Bool) {
    var deck = Deck(3)
    deck.order(.play)
    deck.hear()
    deck.order(.next)
    deck.fail()
    deck.hear()
    #expect(deck.row == 2)
    if shuffles { deck.edit { $0.setShuffle(.chosen(.songs)) } }
    deck.order(.previous)
    deck.hear()
    #expect(deck.row == 0 && deck.isSounding && deck.player.state == .playing)
    // Before the first nothing is left that could be played.
    var first = Deck(2)
    first.order(.play)
    first.fail()
    first.hear()
    first.order(.previous)
    first.fail()
    first.hear()
    #expect(first.row == 1 && first.isSounding)
  }

  @Test("a follower that cannot be opened is passed over without a gap")
  func unplayableFollower() {
    var deck = playing()
    deck.failFollower()
    #expect(deck.follower?.entry.location == "/music/2.flac")
    deck.playToEnd()
    #expect(deck.row == 2 && deck.isSounding)
    #expect(deck.log.suffix(2) == ["advanced", "skipped"], "the track before it has ended by itself")
  }

  @Test("why an entry was not played is known until it is heard or removed")
  func whyUnplayable() {
    var deck = Deck(3, repeat: .all)
    deck.order(.play)
    #expect(deck.player.awaitsSound)
    deck.fail()
    let first = deck.player.queue[0].id
    #expect(deck.player.whyUnplayable == [first: "torn"] && deck.player.awaitsSound)
    deck.hear()
    #expect(!deck.player.awaitsSound)
    deck.order(.jump(to: first))
    deck.hear()
    #expect(deck.player.whyUnplayable.isEmpty)
    deck.failFollower()
    let second = deck.player.queue[1].id
    #expect(deck.player.whyUnplayable == [second: "torn"])
    deck.edit { $0.remove([second]) }
    #expect(deck.player.whyUnplayable.isEmpty)
    deck.order(.next)
    deck.order(.pause)
    #expect(!deck.player.awaitsSound)
  }

  @Test("a track that breaks in the middle is heard as far as it goes")
  func breaks() {
    var deck = playing()
    deck.wait(.seconds(3))
    deck.fail()
    #expect(deck.row == 0 && deck.log.last == "broke at 3")
    deck.playToEnd()
    #expect(deck.row == 1)
  }

  @Test("a seek button that is tapped means Next or Previous")
  func tap() {
    var deck = playing()
    deck.order(.beginSeek(.forward))
    deck.wait(.milliseconds(90))
    deck.order(.endSeek)
    #expect(deck.row == 1 && deck.player.state == .playing)
    deck.order(.beginSeek(.backward))
    deck.order(.endSeek)
    #expect(deck.row == 0)
  }

  @Test(
    "a seek button that is held lets pieces be heard at growing distances, and playing goes on from there")
  func held() {
    var deck = playing()
    deck.wait(.seconds(10))
    deck.clearLog()
    deck.order(.beginSeek(.forward))
    deck.wait(.milliseconds(1_000))
    #expect(deck.player.state == .seekingForward)
    #expect(deck.log.filter { $0.hasPrefix("seeked") }.count == 7)
    deck.order(.endSeek)
    #expect(deck.player.state == .playing && deck.isSounding && deck.position >= .seconds(16))
  }

  @Test("a seek button that is held in a pause or a call says that nothing is heard")
  func heldInSilence() {
    for isCall in [false, true] {
      var deck = playing()
      if isCall { deck.session(.began(.call)) } else { deck.order(.toggle) }
      let state = deck.player.state
      deck.order(.beginSeek(.forward))
      deck.wait(.milliseconds(1_000))
      #expect(deck.player.state == state && state != .playing)
      deck.order(.endSeek)
    }
  }

  @Test("a place that no track can have is cut where it can still be counted")
  func farAway() {
    var deck = Deck(1)
    deck.order(.play)
    for _ in 0..<30 { deck.order(.seek(.microseconds(Int64.max))) }
    #expect(deck.position < .seconds(2_000_000_000))
    let start = deck.loaded?.start ?? .zero
    #expect(AudioFormat(rate: 192_000, channels: 2).frames(in: start) > 0)
  }

  @Test(
    "a run ends at the beginning of its track, which then plays from there; the button's coming up is nothing more"
  )
  func runToTheBeginning() {
    var deck = playing()
    deck.order(.next)
    deck.hear()
    deck.wait(.seconds(10))
    deck.order(.beginSeek(.backward))
    deck.wait(.seconds(2))
    #expect(deck.player.state == .playing && deck.row == 1 && deck.isSounding)
    #expect(deck.position < .seconds(2) && deck.log.last == "seeked 0")
    deck.order(.endSeek)
    #expect(deck.row == 1 && deck.timers[.run] == nil && deck.timers[.cue] == nil)
  }

  @Test("a run ends with the last piece of its track, and what follows comes by itself")
  func runToTheEnd() {
    var deck = playing(2)
    deck.wait(.seconds(95))
    deck.order(.beginSeek(.forward))
    deck.wait(.milliseconds(500))
    #expect(deck.player.state == .seekingForward && deck.row == 0)
    deck.wait(.seconds(1))
    #expect(deck.player.state == .playing && deck.row == 0 && deck.loaded?.start == .milliseconds(99_850))
    deck.order(.endSeek)
    #expect(deck.row == 0)
    deck.playToEnd()
    #expect(deck.row == 1 && deck.position == .zero)
  }

  @Test("a run of which nobody says that it goes on ends after ten seconds")
  func runWithoutEnd() {
    var deck = playing()
    deck.hear(length: .seconds(10_000))
    deck.order(.beginSeek(.forward))
    for _ in 0..<3 {
      deck.wait(.seconds(9))
      #expect(deck.player.state == .seekingForward)
      deck.order(.beginSeek(.forward))
    }
    deck.wait(.seconds(11))
    let place = deck.position
    #expect(deck.player.state == .playing && deck.isSounding && deck.row == 0)
    deck.hear(length: .seconds(10_000))
    deck.wait(.seconds(5))
    #expect(deck.position == place + .seconds(5))
  }

  @Test("a key that says again and again that it is held is held, and the other way begins anew")
  func repeatingKey() {
    var deck = playing()
    deck.wait(.seconds(10))
    for _ in 0..<20 {
      deck.order(.beginSeek(.forward))
      deck.wait(.milliseconds(30))
    }
    #expect(deck.player.state == .seekingForward)
    deck.order(.beginSeek(.backward))
    deck.wait(.milliseconds(50))
    deck.order(.endSeek)
    #expect(deck.row == 0 && deck.log.last == "seeked 0", "a tap is Previous")
  }

  @Test(
    "any other order ends a run and is carried out",
    arguments: [
      (.play, .playing, 0), (.pause, .paused, 0), (.toggle, .paused, 0), (.stop, .stopped, 0),
      (.next, .playing, 1), (.previous, .playing, 0), (.seek(.seconds(3)), .playing, 0),
      (.seekTo(.seconds(3)), .playing, 0), (.jump(to: EntryID(rawValue: 3)), .playing, 2),
    ] as [(PlayerOrder, PlaybackState, Int)])
  func runAndOrder(order: PlayerOrder, state: PlaybackState, row: Int) {
    var deck = playing()
    deck.wait(.seconds(10))
    deck.order(.beginSeek(.forward))
    deck.wait(.seconds(1))
    deck.order(order)
    #expect(deck.player.state == state && deck.row == row)
    #expect(deck.timers[.run] == nil && deck.timers[.cue] == nil)
    deck.order(.endSeek)
    #expect(deck.player.state == state && deck.row == row)
  }

  @Test("a run ends with the removal of its track")
  func runAndRemoval() {
    var deck = playing()
    deck.order(.beginSeek(.forward))
    deck.wait(.seconds(1))
    deck.edit { $0.remove(at: RangeSet(0..<1)) }
    #expect(deck.player.state == .playing && deck.timers[.cue] == nil && deck.position == .zero)
  }

  @Test("an interruption is silence and keeps the place; its end goes on with the same sound")
  func interruption() {
    var deck = playing()
    let loaded = deck.loaded
    deck.wait(.seconds(3))
    deck.session(.began(.cork))
    #expect(!deck.isSounding && deck.player.state == .interrupted && deck.position == .seconds(3))
    deck.order(.seekTo(.seconds(8)))
    deck.session(.ended(.cork))
    #expect(deck.isSounding && deck.loaded?.start == .seconds(8) && deck.loaded != loaded)
  }

  @Test("a server that dies takes the sound with it; when it is back, the same place is loaded anew")
  func serverDeath() {
    var deck = playing()
    deck.wait(.seconds(3))
    deck.session(.began(.server))
    deck.sound(.soundLost)
    #expect(deck.player.state == .interrupted && deck.position == .seconds(3))
    deck.session(.ended(.server))
    #expect(deck.isSounding && deck.loaded?.start == .seconds(3))
  }

  @Test("another loudness is heard at once, from where the listener is")
  func soundChanged() {
    var deck = playing()
    deck.wait(.seconds(3))
    deck.clearLog()
    deck.changeSound()
    #expect(deck.isSounding && deck.loaded?.start == .seconds(3) && deck.follower != nil && deck.log.isEmpty)
  }

  @Test("orders that need something to play are refused by name when there is nothing")
  func empty() {
    var deck = Deck(0)
    for order in [PlayerOrder.play, .toggle, .jumpAnywhere] { deck.order(order) }
    #expect(deck.log == Array(repeating: Refusal.emptyQueue.rawValue, count: 3))
    deck.clearLog()
    for order in [PlayerOrder.next, .previous, .seek(.seconds(1)), .beginSeek(.forward)] { deck.order(order) }
    #expect(
      deck.log == [Refusal.emptyQueue.rawValue] + Array(repeating: Refusal.nothingCurrent.rawValue, count: 3))
    #expect(deck.player.state == .stopped)
  }

  @Test("a mode is told of, so that it is kept, also where nothing else changes by it")
  func modeAlone() {
    var player = Player(queue: PlayQueue(seed: 1))
    let effects = player.edit(at: .zero) { $0.setRepeat(.chosen(.all)) }
    guard case .tell(.queue(let change))? = effects.first else { return #expect(!effects.isEmpty) }
    #expect(change.command == .setRepeat(.chosen(.all)))
  }
}
