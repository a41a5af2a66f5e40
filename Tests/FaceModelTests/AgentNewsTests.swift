// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import BusModel
import MediaModel
import PlaybackLogic
import Testing

@testable import FaceModel

@Suite("Our own interfaces: news")
struct AgentNewsTests {
  private func heard(
    _ interface: InterfaceDescription, _ signal: (MemberName, [WireValue])
  ) -> [AgentNews] {
    #expect(signal.1.map(\.type) == interface.signal(signal.0)?.arguments.map(\.type), "\(signal.0)")
    return AgentNews.news(interface.name, signal.0, signal.1)
  }

  @Test("how the track is coded is told once it is open, and that none is open")
  func coding() {
    let coding = SoundCoding("FLAC", rate: 44_100, channels: 2, bits: 16)
    let (open, closed): (PlayerFace, PlayerFace) = {
      var face = PlayerFace()
      face.coding = coding
      return (face, PlayerFace())
    }()
    func heard(_ old: PlayerFace, _ new: PlayerFace) -> [AgentNews] {
      AgentPlayer.properties.changes(from: old, to: new).flatMap { name, value in
        AgentNews.news(
          StandardInterfaces.properties.name, "PropertiesChanged",
          [
            .string(AgentDescriptions.player.name.text), .properties([(name.text, value)]),
            .array(.string, []),
          ])
      }
    }
    #expect(heard(closed, open) == [.coding(coding)] && heard(open, closed) == [.coding(nil)])
    #expect(heard(open, open) == [])
  }

  @Test("what the agent tells is what a client hears")
  func signals() {
    let (player, session) = (AgentDescriptions.player, AgentDescriptions.session)
    var face = PlayerFace()
    (face.state, face.why) = (.interrupted, .interrupted(by: .call))
    #expect(
      AgentPlayer.stateSignal(from: PlayerFace(), to: face).map { heard(player, $0) }
        == [.state(.interrupted, why: "call")])
    #expect(
      heard(player, AgentPlayer.seeked(to: .milliseconds(1500))) == [.seeked(.milliseconds(1500))]
    )
    let entry = EntryID(rawValue: 3)
    #expect(
      heard(player, AgentPlayer.skipped(entry, .file("/a b"), why: "gone"))
        == [.skipped(entry, url: "file:///a%20b", why: "gone")])
    #expect(
      heard(player, AgentPlayer.endedEarly(entry, .file("/a b"), why: "broken", at: .milliseconds(1500)))
        == [.endedEarly(entry, url: "file:///a%20b", why: "broken", at: .milliseconds(1500))])
    let change = RouteChange(.oldDeviceUnavailable, from: AgentPlayerTests.route, to: nil, pauses: true)
    #expect(
      heard(session, AgentSession.signal(change, paused: true))
        == [
          .routeChange(
            .oldDeviceUnavailable, previous: RouteFace(AgentPlayerTests.route), current: nil, paused: true)
        ])
    let told = ToldInterruption(.cork, .call, wasPlaying: true)
    #expect(
      heard(session, AgentSession.began(told))
        == [.interruptionBegan("cork", sources: ["cork", "call"], wasPlaying: true)])
    #expect(
      heard(session, AgentSession.ended(told, .overruled))
        == [
          .interruptionEnded(
            "cork", sources: ["cork", "call"], shouldResume: false, isOverruled: true)
        ])
    var media = MediaItem(location: .file("/a b"))
    media.tags.title = "Title"
    let item = ItemFace(media, entry: entry, unplayable: "is empty")
    #expect(
      heard(AgentDescriptions.queue, AgentQueue.changed([item])) == [
        .itemsChanged([item])
      ])
    #expect(
      heard(AgentDescriptions.player, AgentPlayer.nowPlaying(Faces.playing)).count == 1)
    #expect(heard(AgentDescriptions.player, AgentPlayer.nowPlaying(PlayerFace())) == [.nowPlaying(nil)])
  }

  @Test("properties that changed are news too")
  func properties() {
    var face = Faces.playing
    (face.volume, face.repeatMode, face.shuffleMode, face.queueIndex) = (0.25, .all, .songs, nil)
    face.notStored = "the disk is full"
    (face.stopsAfterCurrent, face.category, face.duckLevel) = (true, .solo, 0.3)
    face.item?.tags.title = "Other"
    face.item?.artwork = nil
    func told(_ interface: InterfaceDescription, _ changes: [(MemberName, WireValue)]) -> [AgentNews] {
      let changed = WireValue.properties(changes.map { ($0.0.text, $0.1) })
      return AgentNews.news(
        StandardInterfaces.properties.name, "PropertiesChanged",
        [.string(interface.name.text), changed, [String]().wireValue])
    }
    #expect(
      told(AgentDescriptions.player, AgentPlayer.properties.changes(from: Faces.playing, to: face))
        == [.stopsAfterCurrent(true), .volume(0.25)])
    let session = AgentDescriptions.session
    #expect(
      told(session, AgentSession.properties.changes(from: Faces.playing, to: face))
        == [.category(.solo), .ducked(to: 0.3)])
    #expect(
      told(session, AgentSession.properties.changes(from: face, to: Faces.playing))
        == [.category(Faces.playing.category), .ducked(to: nil)])
    let modes = AgentPlayer.modesSignal(from: Faces.playing, to: face)
    #expect(modes.map { heard(AgentDescriptions.player, $0) } == [.modes(.all, .songs, consumes: false)])
    #expect(AgentPlayer.modesSignal(from: face, to: face) == nil)
    #expect(
      told(AgentDescriptions.queue, AgentQueue.properties.changes(from: Faces.playing, to: face)) == [
        .row(nil), .stored(false),
      ])
  }

  @Test("a sleep timer is news when it is set, set anew and ended, and not while it runs")
  func sleepTimer() {
    func told(_ old: Duration?, _ new: Duration?) -> [AgentNews] {
      var (before, after) = (PlayerFace(), PlayerFace())
      (before.sleepEnd, after.sleepEnd) = (old, new)
      let signal = AgentPlayer.sleepSignal(from: before, to: after, at: .seconds(100))
      return signal.map { heard(AgentDescriptions.player, $0) } ?? []
    }
    #expect(told(nil, .seconds(160)) == [.sleepTimer(left: .seconds(60))])
    #expect(told(.seconds(160), .seconds(190)) == [.sleepTimer(left: .seconds(90))])
    #expect(told(.seconds(160), nil) == [.sleepTimer(left: nil)])
    #expect(told(.seconds(160), .seconds(160)) == [] && told(nil, nil) == [])
  }

  @Test("what is no news of ours is none", arguments: AgentDescriptions.all)
  func nonsense(interface: InterfaceDescription) {
    let nonsense: [[WireValue]] = [
      [], [.string("x")], .arguments("x", "y"), .arguments("x", true), [.double(.nan)], [.double(1e300)],
      [.string("x"), .properties([]), .properties([]), .boolean(true)],
      [.uint32(1), .uint32(1), .uint32(1), .uint32(1)],
    ]
    for signal in interface.signals.map(\.name) + ["Odd"] {
      for arguments in nonsense where arguments.map(\.type) != interface.signal(signal)?.arguments.map(\.type)
      {
        #expect(AgentNews.news(interface.name, signal, arguments).isEmpty, "\(signal)")
      }
    }
    #expect(AgentNews.news("org.example.Odd", "StateChanged", .arguments("paused", "")).isEmpty)
    #expect(AgentNews.news(AgentDescriptions.player.name, "StateChanged", .arguments("dancing", "")).isEmpty)
  }

  @Test("a client that does what it is told has the same queue", arguments: 0..<30)
  func mirror(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var queue = PlayQueue(seed: seed)
    var list: [EntryID] = []
    for _ in 0..<150 {
      for news in QueueNews.news(of: edit(&queue, &random), length: queue.count) {
        let (name, arguments) = news.signal
        #expect(arguments.map(\.type) == AgentDescriptions.queue.signal(name)?.arguments.map(\.type))
        #expect(QueueNews(signal: name, arguments) == news, "seed \(seed)")
        #expect(news.apply(to: &list), "seed \(seed)")
      }
      #expect(list == queue.entries(at: 0..<queue.count).map(\.id), "seed \(seed)")
    }
  }

  private func edit(_ queue: inout PlayQueue, _ random: inout SeededGenerator) -> QueueChange {
    let sources = (0..<Int.random(in: 1...9, using: &random)).map { EntrySource("/\($0)") }
    let row = Int.random(in: 0...queue.count, using: &random)
    let end = Int.random(in: row...queue.count, using: &random)
    switch Int.random(in: 0..<7, using: &random) {
    case 0, 1: return queue.insert(sources, at: row)
    case 2:
      let ids = queue.entries(at: 0..<queue.count).map(\.id).filter { _ in .random(using: &random) }
      return queue.remove(ids.prefix(12))
    case 3: return queue.move(row..<end, to: .random(in: 0...(queue.count - (end - row)), using: &random))
    case 4: return queue.undo() ?? queue.append([])
    case 5: return queue.redo() ?? queue.append([])
    default: return Bool.random(using: &random) ? queue.replace(with: sources) : queue.insertNext(sources)
    }
  }

  @Test("a hundred thousand entries that come or go at once are one run")
  func bulk() {
    var queue = PlayQueue(seed: 1)
    let added = QueueNews.news(of: queue.append((0..<100_000).map { EntrySource("/\($0)") }), length: 100_000)
    #expect(
      added == [
        QueueNews(.added([RowRun(row: 1, first: EntryID(rawValue: 1), count: 100_000)]), length: 100_000)
      ])
    #expect(
      QueueNews.news(of: queue.clear(), length: 0).map(\.edit) == [
        .removed([RowRun(row: 1, first: EntryID(rawValue: 1), count: 100_000)])
      ])
  }

  @Test("a change in very many places is a list to be asked for")
  func scattered() {
    var queue = PlayQueue(seed: 1)
    _ = queue.append((0..<10_000).map { EntrySource("/\($0)") })
    let odd = (0..<5000).map { queue[2 * $0].id }
    let news = QueueNews.news(of: queue.remove(odd), length: queue.count)
    #expect(news == [QueueNews(.replaced, length: 5000)])
    #expect(news.first?.signal.0 == "QueueReplaced")
    #expect(news.first.flatMap { QueueNews(signal: $0.signal.0, $0.signal.1) } == news.first)
  }

  @Test("news that don't fit leave the copy as it was")
  func misfit() {
    let one = RowRun(row: 1, first: EntryID(rawValue: 1), count: 1)
    let huge = RowRun(row: 1, first: EntryID(rawValue: 1), count: Int(UInt32.max))
    let news = [
      QueueNews(.added([one]), length: 5),
      QueueNews(.added([RowRun(row: 9, first: EntryID(rawValue: 9), count: 1)]), length: 3),
      QueueNews(.added([huge]), length: Int(UInt32.max) + 2), QueueNews(.removed([one]), length: 1),
      QueueNews(.removed([huge]), length: 0),
      QueueNews(.removed([RowRun(row: 9, first: EntryID(rawValue: 7), count: 1)]), length: 1),
      QueueNews(.moved(row: 0, count: 1, to: 1), length: 2),
      QueueNews(.moved(row: 1, count: 2, to: 2), length: 2),
      QueueNews(.moved(row: Int(UInt32.max), count: Int(UInt32.max), to: 1), length: 2),
      QueueNews(.replaced, length: 2),
    ]
    let list = [EntryID(rawValue: 7), EntryID(rawValue: 8)]
    for news in news {
      var copy = list
      #expect(!news.apply(to: &copy) && copy == list, "\(news)")
    }
  }

  @Test("a signal that tells of no edit, of several or of impossible ones is none")
  func wrongSignal() {
    let run: WireValue = .structure([.uint32(1), .uint64(1), .uint32(1)])
    let bad: [WireValue] = [
      .structure([.uint32(0), .uint64(1), .uint32(1)]), .structure([.uint32(1), .uint64(1), .uint32(0)]),
      .structure([.uint32(1), .uint64(.max), .uint32(2)]),
    ]
    func news(_ added: [WireValue], _ removed: [WireValue]) -> QueueNews? {
      QueueNews(
        signal: "QueueChanged",
        [.array("(utu)", added), .array("(utu)", removed), .array("(uuu)", []), .uint32(1)])
    }
    #expect(news([run], []) != nil && news([], [run]) != nil)
    #expect(news([], []) == nil && news([run], [run]) == nil)
    for bad in bad { #expect(news([bad], []) == nil) }
  }
}
