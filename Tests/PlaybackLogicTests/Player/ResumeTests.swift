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
      (3_569, .keep(.seconds(3_569))), (3_570, .forget), (4_000, .forget),
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
  /// Three entries, the first of which is an hour long, played by an engine that does what it is told.
  private struct Scene {
    var playback: Playback
    var now = Duration.zero
    var desk = Desk.laptop(jack: false)
    var loaded: Playing?
    var follower: Playing?
    /// What was stored, in order, as words.
    var stored: [String] = []
    var seeked: [Duration] = []
    var timers: [PlaybackTimer: Duration] = [:]

    init(_ places: [String: Duration]? = [:], repeats: RepeatMode = .none) {
      var queue = PlayQueue(seed: 1, repeat: repeats)
      _ = queue.append((0..<3).map { EntrySource("/music/\($0).flac") })
      playback = Playback(player: Player(queue: queue))
      send(.places(places))
      send(.server(.found))
      send(.server(.world(desk.world, own: Desk.own)))
    }

    mutating func send(_ event: PlaybackEvent) {
      now += .milliseconds(1)
      take(playback.handle(event, at: now))
    }

    mutating func order(_ order: PlayerOrder) { send(.order(order, by: .user)) }

    mutating func edit(fromBeginning: Bool = false, _ edit: (inout PlayQueue) -> QueueChange) {
      now += .milliseconds(1)
      take(playback.edit(at: now, fromBeginning: fromBeginning, edit))
    }

    private mutating func take(_ effects: [PlaybackEffect]) {
      for effect in effects {
        switch effect {
        case .sound(.load(let playing)): (loaded, follower) = (playing, nil)
        case .sound(.follow(_, let next)): follower = next
        case .sound(.unload): (loaded, follower) = (nil, nil)
        case .keepPlace(let location, let place):
          // To the second: each event of the scene takes a millisecond.
          let seconds = place.map { ($0 + .milliseconds(500)).components.seconds }
          stored.append("\(location) \(seconds.map(String.init) ?? "forgotten")")
        case .tell(.seeked(let place)): seeked.append(place)
        case .timer(let timer, let delay): timers[timer] = now + delay
        case .cancelTimer(let timer): timers[timer] = nil
        default: break
        }
      }
    }

    mutating func stream() {
      send(.stream(.made))
      send(.server(.world(desk.world, own: Desk.own)))
      send(.stream(.read(isMuted: false, serverCorks: true)))
    }

    mutating func hear(length: Int, kind: MediaType = .music) {
      guard let loaded else { return }
      send(.sound(.opened(play: loaded.play, length: .seconds(length))))
      send(.kind(loaded.entry.id, kind))
      send(.sound(.heard(play: loaded.play)))
    }

    /// The sound moves again, after a pause.
    mutating func move() {
      guard let loaded else { return }
      send(.sound(.position(play: loaded.play, playback.player.place(at: now), isMoving: true)))
    }

    /// The listener hears it for this time.
    mutating func wait(_ time: Duration) {
      let end = now + time
      while let due = timers[.place], due <= end {
        now = due
        timers[.place] = nil
        send(.timer(.place))
      }
      now = max(now, end)
    }

    /// Where what is loaded begins, to the second.
    var start: Int? { loaded.map { Int(($0.start + .milliseconds(500)).components.seconds) } }

    var place: Int { Int(playback.player.place(at: now).components.seconds) }
  }

  private func playing(_ places: [String: Duration] = [:], length: Int = 3_600) -> Scene {
    var scene = Scene(places)
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
      var scene = Scene(["/music/0.flac": .seconds(30)], repeats: repeats)
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
    var book = Scene(["/music/0.flac": .seconds(100)])
    book.order(.play)
    book.stream()
    book.order(.next)
    #expect(book.stored == [])
    var podcast = Scene()
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

  // MARK: Books with chapters

  /// Two songs around a book with four chapters of 1,000 s each, where the last one has no end but the file's.
  private func book(_ places: [String: Duration]? = [:], at row: Int = 1, repeats: RepeatMode = .none)
    -> Scene
  {
    var scene = Scene(places, repeats: repeats)
    scene.send(.places(places, ofBooks: ["/books/b.m4b"]))
    var sources = (0..<4).map {
      let start = UInt32($0) * 75_000
      return EntrySource("/books/b.m4b", span: CueSpan(start: start, end: $0 == 3 ? nil : start + 75_000))
    }
    if row == 1 { sources = [EntrySource("/music/5.flac")] + sources + [EntrySource("/music/6.flac")] }
    scene.edit { $0.replace(with: sources) }
    scene.order(.play)
    scene.stream()
    scene.hear(length: 1_000, kind: row == 1 ? .music : .audiobook)
    return scene
  }

  /// The row of what is loaded, and where in it.
  private func row(_ scene: Scene) -> [Int?] {
    [scene.loaded.flatMap { scene.playback.player.queue.position(of: $0.entry.id) }, scene.start]
  }

  @Test("a book is begun in the chapter in which it was left")
  func chapter() {
    #expect(row(book(["/books/b.m4b": .seconds(2_500)], at: 0)) == [2, 497])
    #expect(row(book(["/books/b.m4b": .seconds(3_100)], at: 0)) == [3, 97])
    #expect(row(book(["/books/b.m4b": .seconds(2_000)], at: 0)) == [2, 0], "at the end of the second")
    #expect(row(book(["/books/b.m4b": .seconds(700)], at: 0)) == [0, 697])
    #expect(row(book([:], at: 0)) == [0, 0])
  }

  @Test("so it is when its turn comes after a song, by itself without a gap, or by Next")
  func chapterInTurn() throws {
    var scene = book(["/books/b.m4b": .seconds(2_500)])
    let next = try #require(scene.follower)
    #expect(next.start == .seconds(497) && scene.playback.player.queue.position(of: next.entry.id) == 3)
    var skipped = scene
    scene.send(.sound(.opened(play: next.play, length: .seconds(1_000))))
    scene.send(.sound(.heard(play: next.play)))
    #expect(scene.playback.player.queue.current == next.entry.id && scene.place == 497)
    skipped.order(.next)
    #expect(row(skipped) == [3, 497])
    skipped.order(.previous)
    skipped.order(.previous)
    #expect(row(skipped) == [2, 0], "a row that somebody goes to is the row that they get")
  }

  @Test("a chosen chapter is what plays, and from then on the place is there")
  func chosenChapter() throws {
    var scene = book(["/books/b.m4b": .seconds(2_500)], at: 0)
    let first = try #require(scene.playback.player.queue.entries(at: 0..<1).first)
    scene.order(.jump(to: first.id))
    #expect(row(scene) == [0, 0])
    scene.hear(length: 1_000, kind: .audiobook)
    scene.wait(.seconds(5))
    scene.order(.pause)
    #expect(!scene.stored.contains("/books/b.m4b 5"), "a few seconds are a try")
    scene.order(.play)
    scene.move()
    scene.wait(.seconds(25))
    scene.order(.stop)
    #expect(scene.stored.last == "/books/b.m4b 30")
    scene.order(.play)
    #expect(row(scene) == [0, 27])
  }

  @Test("the place goes on from chapter to chapter, and is forgotten at the end of the last")
  func chapters() throws {
    var scene = book(at: 0)
    scene.wait(.seconds(45))
    #expect(scene.stored.last == "/books/b.m4b 40")
    for chapter in 1...3 {
      let next = try #require(scene.follower)
      #expect(next.start == .zero)
      scene.send(.sound(.opened(play: next.play, length: .seconds(1_000))))
      scene.send(.sound(.heard(play: next.play)))
      scene.loaded = next
      #expect(scene.stored.last == "/books/b.m4b \(chapter)000")
      // The kind is that of the chapter before.
      scene.wait(.seconds(30))
      #expect(scene.stored.last == "/books/b.m4b \(chapter)020")
    }
    scene.send(.sound(.ended(play: try #require(scene.loaded).play)))
    #expect(scene.stored.last == "/books/b.m4b forgotten")
    scene.order(.play)
    #expect(row(scene) == [0, 0])
  }

  @Test("a book that is repeated begins with its first chapter")
  func repeatedBook() throws {
    var scene = book(["/books/b.m4b": .seconds(3_500)], at: 0, repeats: .all)
    #expect(row(scene) == [3, 497])
    let next = try #require(scene.follower)
    #expect(next.start == .zero && scene.playback.player.queue.position(of: next.entry.id) == 0)
    scene.order(.next)
    #expect(row(scene) == [0, 0])
  }

  @Test("a book that is put behind its own chapter is begun where it was left, too")
  func bookBesideItself() throws {
    var scene = book(["/books/b.m4b": .seconds(2_500)], at: 0)
    let sources = scene.playback.player.queue.entries(at: 0..<4).map(\.source)
    scene.edit { $0.insertNext(sources) }
    let first = scene.playback.player.queue.entries(at: 3..<4)[0].id
    let chapter = try #require(scene.playback.player.chapterLeft(first, after: nil))
    #expect(scene.playback.player.queue.position(of: chapter) == 5)
    // What follows the first chapter is the second, wherever the book was left.
    let second = scene.playback.player.queue.entries(at: 4..<5)[0].id
    #expect(scene.playback.player.chapterLeft(second, after: nil) == nil)
  }

  @Test("whoever wants a book from its beginning gets its first chapter")
  func bookFromBeginning() {
    var scene = book(["/books/b.m4b": .seconds(2_500)], at: 0)
    let sources = scene.playback.player.queue.entries(at: 0..<4).map(\.source)
    scene.edit(fromBeginning: true) { $0.replace(with: sources) }
    scene.order(.play)
    #expect(row(scene) == [0, 0])
    scene.hear(length: 1_000, kind: .audiobook)
    scene.order(.next)
    #expect(row(scene) == [1, 0])
    scene.edit { $0.replace(with: sources) }
    scene.order(.play)
    #expect(row(scene)[0] == 2)
  }

  @Test("one that is repeated begins at its beginning, and so does a track of a disc in one file")
  func repeated() {
    var scene = Scene(["/music/0.flac": .seconds(600)], repeats: .one)
    scene.order(.play)
    scene.stream()
    scene.hear(length: 3_600)
    #expect(scene.follower?.start == .zero)
    var parts = Scene(["/music/7.flac": .seconds(600)])
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
    var scene = Scene(["/music/0.flac": .seconds(600)])
    scene.order(.play)
    scene.stream()
    scene.hear(length: 300)
    #expect(scene.loaded?.start == .zero && scene.place == 0)
  }

  @Test("so does one that follows, and nothing of which is heard")
  func shorterFollower() throws {
    var scene = Scene(["/music/1.flac": .seconds(3_000)])
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
    scene.order(.play)
    #expect(scene.start == 1_997)
  }

  @Test("one that was stopped goes on where it was left, also in another session")
  func restored() {
    var queue = PlayQueue(seed: 1)
    _ = queue.append([EntrySource("/music/0.flac")])
    _ = queue.start()
    var scene = Scene(["/music/0.flac": .seconds(18_000)])
    scene.playback = Playback(
      player: Player(queue: queue, session: Session(intent: .paused(by: .restored))))
    scene.send(.places(["/music/0.flac": .seconds(18_000)]))
    scene.send(.server(.found))
    scene.send(.server(.world(scene.desk.world, own: Desk.own)))
    var begun = scene
    scene.order(.play)
    #expect(scene.start == 17_997)
    // Who goes back to the beginning before that means it.
    begun.order(.seekTo(.zero))
    begun.order(.play)
    #expect(begun.start == 0)
  }

  @Test("a restored one that has gone on where it was left is kept wherever the listener goes then")
  func restoredAndRewound() {
    var queue = PlayQueue(seed: 1)
    _ = queue.append([EntrySource("/music/0.flac")])
    _ = queue.start()
    var scene = Scene()
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
    var scene = Scene(nil)
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
    // First to its beginning, then to the one before.
    scene.order(.previous)
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
      var scene = Scene(repeats: repeats)
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

  @Test("a length that may be wrong takes nobody back; a file that ends at once does")
  func estimated() throws {
    var scene = Scene(["/music/0.flac": .seconds(600)])
    scene.order(.play)
    scene.stream()
    let loaded = try #require(scene.loaded)
    scene.send(.sound(.opened(play: loaded.play, length: .seconds(300), isExact: false)))
    #expect(scene.loaded?.start == .seconds(597) && scene.place == 597)
    scene.send(.sound(.ended(play: loaded.play)))
    #expect(scene.loaded?.entry == loaded.entry && scene.loaded?.start == .zero && scene.place == 0)
  }
}
