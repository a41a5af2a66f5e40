// SPDX-License-Identifier: MIT
import MediaModel
import Testing

@testable import PlaybackLogic

@Suite("Where a long item goes on")
struct ResumePlaceTests {
  @Test(
    "songs begin anew; podcasts, audiobooks and what is longer than 20 minutes go on",
    arguments: [
      (200 as Int?, MediaType.music as MediaType?, false as Bool?), (1_200, .music, false),
      (1_201, .music, true),
      (nil, .music, nil), (200, .podcast, true), (nil, .audiobook, true), (200, nil, nil), (1_201, nil, true),
    ])
  func kept(seconds: Int?, kind: MediaType?, isKept: Bool?) {
    #expect(ResumePlace.isKept(kind, length: seconds.map { .seconds($0) }) == isKept)
  }

  @Test(
    "a place is kept in the middle, and forgotten at the end",
    arguments: [
      (5, ResumePlace.Verdict.leave), (15, .keep(.seconds(15))), (3_000, .keep(.seconds(3_000))),
      (3_569, .keep(.seconds(3_569))), (3_570, .forget), (3_601, .forget), (4_000, .keep(.seconds(4_000))),
    ])
  func verdicts(place: Int, verdict: ResumePlace.Verdict) {
    func judged(_ kind: MediaType?, _ length: Int?) -> ResumePlace.Verdict {
      ResumePlace.verdict(leaving: .seconds(place), kind, length: length.map { .seconds($0) })
    }
    #expect(judged(.music, 3_600) == verdict && judged(.music, 300) == .forget)
    // As long as nobody knows what it is, nothing is lost.
    #expect(judged(nil, 300) == .leave && judged(nil, nil) == .leave)
  }

  @Test("it begins a little earlier")
  func starts() {
    #expect(ResumePlace.start(from: .seconds(100)) == .seconds(97))
    #expect(ResumePlace.start(from: .seconds(2)) == .zero)
  }
}

@Suite("Long items in a player")
struct ResumeTests {
  @Test(
    "a place goes with its file to another name, the one that was stored and the one where it is left then")
  func renamed() {
    var scene = playing(["/music/0.flac": .seconds(1_800)])
    scene.rename("/music/0.flac", to: "/books/0.flac")
    scene.wait(.seconds(10))
    scene.order(.next)
    #expect(scene.stored.last == "/books/0.flac 1807")
    scene.hear(length: 100)
    scene.rename("/books/0.flac", to: "/books/done/0.flac")
    scene.order(.previous)
    #expect(scene.start == 1_804 && scene.loaded?.entry.location == "/books/done/0.flac")
  }

  private func playing(_ places: [String: Duration] = [:], length: Int = 3_600) -> ResumeScene {
    var scene = ResumeScene(places)
    scene.order(.play)
    scene.stream()
    scene.hear(length: length)
    return scene
  }

  @Test("it begins where it was left, and others are told of that place")
  func begins() {
    let scene = playing(["/music/0.flac": .seconds(600)])
    #expect(scene.loaded?.start == .seconds(597) && scene.place == 597)
    #expect(scene.seeked == [.seconds(597)])
  }

  @Test("the place is stored at a pause, at a stop, when it is left, and now and then between")
  func kept() {
    var scene = playing()
    scene.wait(.seconds(65))
    #expect(scene.stored == ["/music/0.flac 20", "/music/0.flac 40", "/music/0.flac 60"])
    scene.stored = []
    scene.order(.pause)
    #expect(scene.stored == ["/music/0.flac 65"] && scene.timers[.place] == nil)
    scene.order(.play)
    scene.move()
    scene.wait(.seconds(5))
    scene.order(.stop)
    #expect(scene.stored.last == "/music/0.flac 70" && scene.place == 0)
    scene.order(.play)
    #expect(scene.start == 67)
    scene.hear(length: 3_600)
    scene.wait(.seconds(10))
    scene.order(.next)
    #expect(scene.stored.last == "/music/0.flac 77")
    scene.hear(length: 3_600)
    scene.order(.previous)
    #expect(scene.start == 74, "back where it was")
    scene.hear(length: 3_600)
    scene.order(.previous)
    #expect(scene.loaded?.start == .zero, "and from its beginning, as Previous does")
  }

  @Test(
    "one that was heard to its end is forgotten, and the next one goes on without a gap where it was left")
  func ended() throws {
    var scene = playing(["/music/0.flac": .seconds(3_000), "/music/1.flac": .seconds(500)])
    #expect(scene.follower?.start == .seconds(497))
    scene.wait(.seconds(603))
    let next = try #require(scene.follower)
    scene.send(.sound(.opened(play: next.play, length: .seconds(4_000))))
    scene.send(.sound(.heard(play: next.play)))
    #expect(scene.stored.last == "/music/0.flac forgotten" && scene.place == 497)
    #expect(scene.seeked.last == .seconds(497))
  }

  @Test(
    "one that the next is mixed into was heard to its end, however short it is; so was one that is repeated")
  func mixed() throws {
    for repeats in [RepeatMode.none, .one] {
      var scene = ResumeScene(["/music/0.flac": .seconds(30)], repeats: repeats)
      scene.order(.play)
      scene.stream()
      scene.hear(length: 60, kind: .podcast)
      scene.wait(.seconds(21))
      let next = try #require(scene.follower)
      scene.send(.sound(.opened(play: next.play, length: .seconds(60))))
      scene.send(.sound(.heard(play: next.play)))
      #expect(scene.stored.last == "/music/0.flac forgotten")
      scene.loaded = next
      scene.wait(.seconds(21))
      scene.order(.pause)
      #expect(scene.stored.count { $0.hasSuffix("forgotten") } == 1)
    }
  }

  @Test("songs have no place, and what is not known yet loses none")
  func songs() {
    var scene = playing(length: 200)
    scene.wait(.seconds(100))
    scene.order(.pause)
    #expect(scene.stored == [] && scene.timers[.place] == nil)
    var book = ResumeScene(["/music/0.flac": .seconds(100)])
    book.order(.play)
    book.stream()
    book.order(.next)
    #expect(book.stored == [])
    var podcast = ResumeScene()
    podcast.order(.play)
    podcast.stream()
    podcast.hear(length: 200, kind: .podcast)
    podcast.wait(.seconds(30))
    podcast.order(.pause)
    #expect(podcast.stored.last == "/music/0.flac 30")
  }

  @Test("whoever wants the beginning gets it once, and loses the place only by hearing it")
  func fromBeginning() throws {
    var scene = playing(["/music/8.flac": .seconds(900), "/music/9.flac": .seconds(800)])
    let sources = [EntrySource("/music/8.flac"), EntrySource("/music/9.flac")]
    scene.edit(fromBeginning: true) { $0.replace(with: sources) }
    scene.order(.play)
    #expect(scene.loaded?.entry.location == "/music/8.flac" && scene.loaded?.start == .zero)
    #expect(scene.follower?.start == .zero)
    scene.hear(length: 3_600)
    scene.wait(.seconds(5))
    scene.order(.next)
    scene.hear(length: 3_600)
    scene.wait(.seconds(5))
    #expect(!scene.stored.contains { $0.hasPrefix("/music/8") || $0.hasPrefix("/music/9") })
    scene.order(.previous)
    scene.order(.previous)
    #expect(scene.loaded?.start == .seconds(897), "the second time it goes on")
    scene.edit { $0.replace(with: sources) }
    scene.order(.play)
    #expect(scene.loaded?.start == .seconds(897))
  }

  @Test("one that is repeated begins at its beginning, and so does a track of a disc in one file")
  func repeated() {
    var scene = ResumeScene(["/music/0.flac": .seconds(600)], repeats: .one)
    scene.order(.play)
    scene.stream()
    scene.hear(length: 3_600)
    #expect(scene.follower?.start == .zero)
    var parts = ResumeScene(["/music/7.flac": .seconds(600)])
    parts.edit { $0.replace(with: [EntrySource("/music/7.flac", span: CueSpan(start: 0, end: 9_000_000))]) }
    parts.order(.play)
    parts.stream()
    parts.hear(length: 5_000)
    parts.wait(.seconds(100))
    parts.order(.pause)
    #expect(parts.loaded?.start == .zero && parts.stored == [])
  }

  @Test("a file that is shorter than its place begins at its beginning")
  func shorter() {
    var scene = ResumeScene(["/music/0.flac": .seconds(600)])
    scene.order(.play)
    scene.stream()
    scene.hear(length: 300)
    #expect(scene.loaded?.start == .zero && scene.place == 0)
  }

  @Test("so does one that follows, and nothing of which is heard")
  func shorterFollower() throws {
    var scene = ResumeScene(["/music/1.flac": .seconds(3_000)])
    scene.order(.play)
    scene.stream()
    scene.hear(length: 3_600)
    let follower = try #require(scene.follower)
    #expect(follower.start == .seconds(2_997))
    scene.send(.sound(.opened(play: follower.play, length: .seconds(1_200))))
    scene.send(.sound(.ended(play: follower.play)))
    #expect(
      scene.loaded?.entry.location == "/music/1.flac" && scene.loaded?.start == .zero && scene.place == 0)
    #expect(scene.seeked.last == .zero)
  }

  @Test("a place that is sought in a pause is kept by a stop")
  func soughtInPause() {
    var scene = playing()
    scene.wait(.seconds(100))
    scene.order(.pause)
    scene.order(.seekTo(.seconds(2_000)))
    scene.order(.stop)
    #expect(scene.stored.last == "/music/0.flac 2000")
    scene.order(.stop)
    var sought = scene
    scene.order(.play)
    #expect(scene.start == 1_997)
    sought.order(.seek(.seconds(30)))
    sought.order(.play)
    #expect(sought.start == 2_027, "from where it goes on, and not from its beginning")
  }

  @Test("one that was stopped goes on where it was left, also in another session")
  func restored() {
    var queue = PlayQueue(seed: 1)
    _ = queue.append([EntrySource("/music/0.flac")])
    _ = queue.start()
    var scene = ResumeScene(["/music/0.flac": .seconds(18_000)])
    scene.playback = Playback(
      player: Player(queue: queue, session: Session(intent: .paused(by: .restored))))
    scene.send(.places(["/music/0.flac": .seconds(18_000)]))
    scene.send(.server(.found))
    scene.send(.server(.world(scene.desk.world, own: Desk.own)))
    #expect(scene.place == 17_997 && scene.seeked == [.seconds(17_997)], "it is shown where it goes on")
    var (begun, sought) = (scene, scene)
    scene.order(.play)
    #expect(scene.start == 17_997)
    sought.order(.seek(.seconds(-30)))
    sought.order(.play)
    #expect(sought.start == 17_967)
    // Who goes back to the beginning before that means it.
    begun.order(.seekTo(.zero))
    begun.order(.play)
    #expect(begun.start == 0)
  }

  @Test("one that was stopped is held on to by a seek button, and by the undo of what was played instead")
  func stoppedAndElsewhere() {
    var scene = ResumeScene(["/music/0.flac": .seconds(18_000)])
    scene.order(.play)
    scene.stream()
    scene.hear(length: 36_000)
    scene.order(.stop)
    var held = scene
    held.order(.beginSeek(.forward))
    held.send(.timer(.player(.tap)))
    held.order(.endSeek)
    #expect(held.place == 17_995)
    let before = scene.playback.moment(at: scene.now)
    scene.edit { $0.append([EntrySource("/music/9.flac")]) }
    scene.order(.jump(to: EntryID(rawValue: 4)))
    scene.noteLeft(before)
    scene.edit { $0.undo() ?? QueueChange() }
    #expect(scene.start == 17_994 && scene.playback.player.queue.current == EntryID(rawValue: 1))
  }

  @Test("a restored one that has gone on where it was left is kept wherever the listener goes then")
  func restoredAndRewound() {
    var queue = PlayQueue(seed: 1)
    _ = queue.append([EntrySource("/music/0.flac")])
    _ = queue.start()
    var scene = ResumeScene()
    scene.playback = Playback(
      player: Player(queue: queue, session: Session(intent: .paused(by: .restored))))
    // As when an agent starts: the library is asked, and answers a moment later.
    scene.send(.places(nil))
    scene.send(.server(.found))
    scene.send(.server(.world(scene.desk.world, own: Desk.own)))
    scene.send(.places(["/music/0.flac": .seconds(18_000)]))
    scene.order(.play)
    scene.stream()
    scene.hear(length: 36_000)
    #expect(scene.start == 17_997)
    scene.order(.seekTo(.seconds(16_200)))
    scene.hear(length: 36_000)
    scene.wait(.seconds(900))
    scene.order(.stop)
    #expect(scene.stored.last == "/music/0.flac 17100")
  }

  @Test("one that was to begin anew does so once: stopped, it goes on where it was left")
  func anewOnce() {
    var scene = playing(["/music/8.flac": .seconds(3_000)])
    scene.edit(fromBeginning: true) { $0.replace(with: [EntrySource("/music/8.flac")]) }
    scene.order(.play)
    scene.hear(length: 3_600)
    #expect(scene.start == 0)
    scene.wait(.seconds(2_400))
    scene.order(.stop)
    #expect(scene.stored.last == "/music/8.flac 2400")
    scene.order(.play)
    #expect(scene.start == 2_397)
  }

  @Test("a seek past its end counts as heard")
  func soughtToEnd() {
    var scene = playing()
    scene.wait(.seconds(600))
    #expect(scene.stored.last == "/music/0.flac 580")
    scene.order(.seekTo(.seconds(3_600)))
    #expect(scene.loaded?.entry.location == "/music/1.flac")
    #expect(scene.stored.last == "/music/0.flac forgotten")
  }

  @Test("what begins before the stored places are known does not change a later one")
  func unknown() {
    var scene = ResumeScene(nil)
    scene.order(.play)
    scene.stream()
    scene.hear(length: 36_000)
    scene.wait(.seconds(30))
    #expect(scene.stored == [])
    scene.send(.places(["/music/0.flac": .seconds(18_000), "/music/1.flac": .seconds(500)]))
    scene.wait(.seconds(30))
    #expect(scene.stored == [])
    scene.order(.next)
    #expect(scene.start == 497)
    // What has just begun to go on is left for the one before, as what has just begun.
    scene.order(.previous)
    #expect(scene.stored == [] && scene.start == 17_997)
    scene.hear(length: 36_000)
    scene.order(.seekTo(.seconds(60)))
    scene.order(.stop)
    #expect(scene.stored.last == "/music/0.flac 60", "now it is the listener's wish")
  }

  @Test("a place that comes with an import counts, though another was decided on before")
  func imported() {
    var scene = playing()
    scene.wait(.seconds(100))
    scene.order(.next)
    #expect(scene.stored.last == "/music/0.flac 100")
    scene.send(.places(["/music/0.flac": .seconds(3_000)]))
    scene.order(.previous)
    #expect(scene.start == 2_997)
  }

  @Test("one that ends before its stated length was heard, also as the last one")
  func endsShort() throws {
    for repeats in [RepeatMode.none, .one] {
      var scene = ResumeScene(repeats: repeats)
      scene.edit { $0.replace(with: [EntrySource("/music/9.flac")]) }
      scene.order(.play)
      scene.stream()
      scene.hear(length: 3_600)
      scene.wait(.seconds(2_400))
      scene.send(.sound(.ended(play: try #require(scene.loaded).play)))
      #expect(scene.stored.last == "/music/9.flac forgotten")
    }
  }

  @Test("one that breaks off keeps its place, but not if nothing new was heard of it")
  func breaksOff() throws {
    var scene = playing()
    scene.wait(.seconds(2_400))
    let play = try #require(scene.loaded).play
    scene.send(.sound(.failed(play: play, reason: "can't be read")))
    scene.send(.sound(.ended(play: play)))
    #expect(scene.stored.last == "/music/0.flac 2400")
    scene.order(.previous)
    #expect(scene.start == 2_397)
    scene.hear(length: 3_600)
    scene.wait(.seconds(3))
    let again = try #require(scene.loaded).play
    scene.send(.sound(.failed(play: again, reason: "can't be read")))
    scene.send(.sound(.ended(play: again)))
    #expect(scene.stored.last == "/music/0.flac forgotten")
  }

  @Test("one that was just left begins there also if it was to come next already")
  func leftForTheOneBefore() {
    var scene = ResumeScene()
    // The long one comes second.
    scene.edit { $0.move(0..<1, to: 1) }
    scene.order(.play)
    scene.stream()
    scene.order(.jump(to: scene.playback.player.queue[1].id))
    scene.hear(length: 3_600)
    scene.order(.seekTo(.seconds(2_000)))
    scene.hear(length: 3_600)
    scene.wait(.seconds(5))
    scene.order(.jump(to: scene.playback.player.queue[0].id))
    #expect(scene.follower?.entry.location == "/music/0.flac")
    #expect(scene.follower.map { abs($0.start.components.seconds - 2_002) <= 1 } == true)
  }

  @Test("a jump to the row that was stopped goes on there, and one to the long one that plays loses no place")
  func jumpToStopped() throws {
    var scene = playing()
    scene.wait(.seconds(3_000))
    let row = scene.playback.player.queue[0].id
    scene.order(.stop)
    scene.order(.jump(to: row))
    #expect(scene.start == 2_997)
    scene.hear(length: 3_600)
    scene.wait(.seconds(60))
    let play = scene.loaded?.play
    scene.order(.jump(to: row))
    #expect(scene.loaded?.play == play)
    scene.order(.pause)
    scene.order(.jump(to: row))
    #expect(scene.playback.player.state == .playing && scene.loaded?.play == play)
    // A song begins again.
    var deck = Deck(3)
    deck.order(.play)
    deck.hear()
    let song = deck.loaded?.play
    deck.order(.jump(to: deck.player.queue[0].id))
    #expect(deck.loaded?.play != song)
  }

  @Test("a length that was only estimated deletes no place behind it")
  func placeBehindTheEnd() {
    #expect(
      ResumePlace.verdict(leaving: .seconds(18_000), .audiobook, length: .seconds(10_800))
        == .keep(.seconds(18_000)))
    #expect(ResumePlace.verdict(leaving: .seconds(10_790), .audiobook, length: .seconds(10_800)) == .forget)
    #expect(ResumePlace.verdict(leaving: .seconds(10_801), .audiobook, length: .seconds(10_800)) == .forget)
  }

  @Test("one that was left past its break begins anew, and one that fails there too keeps its place")
  func leftPastTheBreak() throws {
    var scene = playing()
    scene.wait(.seconds(600))
    scene.order(.seekTo(.seconds(3_000)))
    scene.send(.sound(.failed(play: try #require(scene.loaded).play, reason: "torn")))
    #expect(scene.loaded?.entry.location == "/music/1.flac")
    scene.hear(length: 100)
    scene.order(.previous)
    #expect(scene.start == 2_997)
    scene.send(.sound(.failed(play: try #require(scene.loaded).play, reason: "torn")))
    #expect(scene.loaded?.entry.location == "/music/0.flac" && scene.start == 0)
    // If that plays after all, the place waits until the listener is there again.
    var other = scene
    other.hear(length: 3_600)
    other.wait(.seconds(60))
    other.order(.pause)
    #expect(other.stored.last == "/music/0.flac 3000")
    scene.send(.sound(.failed(play: try #require(scene.loaded).play, reason: "torn")))
    #expect(scene.loaded?.entry.location == "/music/1.flac")
    #expect(!scene.stored.contains("/music/0.flac forgotten"), "\(scene.stored)")
  }

  @Test("a length that may be wrong takes nobody back; a file that ends at once does")
  func estimated() throws {
    var scene = ResumeScene(["/music/0.flac": .seconds(600)])
    scene.order(.play)
    scene.stream()
    let loaded = try #require(scene.loaded)
    scene.send(.sound(.opened(play: loaded.play, length: .seconds(300), isExact: false)))
    #expect(scene.loaded?.start == .seconds(597) && scene.place == 597)
    scene.send(.sound(.ended(play: loaded.play)))
    #expect(scene.loaded?.entry == loaded.entry && scene.loaded?.start == .zero && scene.place == 0)
  }
}
