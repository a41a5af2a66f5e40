// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import BusIO
import BusModel
import FaceModel
import FermataAgent
import FermataTestKit
import Glibc
import MediaModel
import PlaybackLogic
import SettingsModel
import Testing

@Suite("Our own interfaces on the bus", .serialized, .realTime, .endsAnyway)
struct AgentServiceTests {
  @Test("an edit answers its entries and is told once, and a copy that follows what is told is the queue")
  func edits() async throws {
    let folder = try SoundFolder(3)
    let sources = folder.sources
    let file = try #require(FilePath(folder.directory.path("saved.m3u")))
    try await BusBench.run { bench in
      #expect(try await bench.entries(.append(sources)) == [1, 2, 3])
      let added = try await bench.news().compactMap { if case .queue(let news) = $0 { news } else { nil } }
      #expect(added.count == 1)
      #expect(try await bench.entries(.insert([sources[0]], at: 2)) == [4])
      #expect(try await bench.entries(.addNext([sources[1]])) == [5])
      #expect(try await bench.entries(.move(EntryID(rawValue: 2), count: 2, to: 1)) == [2, 3])
      #expect(
        try await bench.entries(.remove([EntryID(rawValue: 3), EntryID(rawValue: 5)])).sorted() == [3, 5])
      try await bench.call(AgentCall(.undo))
      try await bench.call(AgentCall(.redo))
      try await bench.call(AgentCall(.undo))
      var copy: [EntryID] = []
      for case .queue(let news) in try await bench.news() { #expect(news.apply(to: &copy), "\(news)") }
      let queue = bench.service.player.queue
      #expect(copy == queue.entries(at: 0..<queue.count).map(\.id))
      #expect(copy.count == 5)
      try await bench.call(AgentCall.save(file))
      try await bench.call(AgentCall(.clear))
      #expect(try await bench.entries(.append([.file(file)])).count == 5)
    }
  }

  @Test("a saved queue has the lengths of all rows, also of those whose tags nobody has asked for")
  func savedWhole() async throws {
    let folder = try SoundFolder(30)
    let file = try #require(FilePath(folder.directory.path("saved.m3u8")))
    try await BusBench.run { bench in
      #expect(try await bench.entries(.append(folder.sources)).count == 30)
      try await bench.call(AgentCall.save(file))
    }
    let lines = try #require(TextFile.read(file.text)).split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("#EXTINF:") } == 30)
  }

  @Test("the list is given in pages, and rows whose tags come later are told together")
  func pages() async throws {
    let sources = try SoundFolder(3)
    try await BusBench.run { bench in
      try await bench.call(AgentCall(.append(sources.sources)))
      let page = try QueuePage(reply: try await bench.call(.list(from: 2, count: 9)))
      #expect(page.items.map(\.entry?.rawValue) == [2, 3])
      #expect(page.length == 3)
      #expect(page.current == nil)
      let beyond = try QueuePage(reply: try await bench.call(.list(from: 9, count: 1)))
      #expect(beyond.items.isEmpty)
      let rows = try RowsPage(reply: try await bench.call(.rows(from: 2, count: 9)))
      #expect(rows.entries.map(\.rawValue) == [2, 3] && rows.length == 3 && rows.current == nil)
      #expect(rows.items.map(\.item.location) == page.items.map(\.item.location))
      #expect(try RowsPage(reply: try await bench.call(.rows(from: 9, count: 1))).items.isEmpty)
      await bench.wait(for: "the tags of both") {
        bench.signals.filter { $0.member == "ItemsChanged" }
          .flatMap { AgentNews.news($0.interface, $0.member, $0.arguments) }
          .contains {
            if case .itemsChanged(let items) = $0 {
              items.contains { $0.entry?.rawValue == 3 }
            } else {
              false
            }
          }
      }
      let known = try await bench.call(.items([3, 7].map(EntryID.init)))
      let items = try known.decoded(as: [[String: WireValue]].self)
      #expect(items.map { $0["entry"] } == [.uint64(3)])
    }
  }

  @Test("a seek that a client holds ends with the client")
  func heldSeek() async throws {
    let folder = try SoundFolder(1)
    let sources = folder.sources
    try await BusBench.run { bench in
      var settings = Settings()
      // Nothing else ends it, at least for twelve seconds.
      settings.player.longestRun = .seconds(3_600)
      settings.player.cueLength = .seconds(5)
      bench.service.apply(settings)
      _ = try await bench.entries(.append(sources))
      try await bench.call(AgentCall(.play))
      await bench.wait(for: "the music") { bench.service.player.isHeard }
      try await bench.call(AgentCall(.holdSeek(.forward)))
      await bench.wait(for: "the seek") { bench.service.player.state == .seekingForward }
      bench.leave()
      await bench.wait(for: "its end") { bench.service.player.state == .playing }
    }
  }

  @Test("a jump does not wait until the folder has been searched that somebody else adds")
  func jumpBesideSearch() async throws {
    let folder = try SoundFolder(3)
    let sources = folder.sources
    try await BusBench.run { bench in
      let entries = try await bench.entries(.append(sources))
      let gate = try Gate()
      AgentLoop.task { try? await bench.orders.run { _ in gate.pass() } }
      try await bench.call(AgentCall(PlayerOrder.jump(to: EntryID(rawValue: entries[2]))))
      #expect(bench.service.player.queue.current?.rawValue == entries[2])
      gate.open()
    }
  }

  @Test("whoever leaves before an order is carried out has not given it", arguments: ["add", "play"])
  func leaving(order: String) async throws {
    let sources = try SoundFolder(2).sources
    try await BusBench.run { bench in
      let gate = try Gate()
      AgentLoop.task { try? await bench.orders.run { _ in gate.pass() } }
      AgentLoop.task {
        let call = order == "add" ? AgentCall(.append(sources)) : .play(sources, PlayOptions())
        _ = try? await bench.call(call)
      }
      await bench.wait(for: "the order") { bench.evidence.contains { $0.hasPrefix("bus: ") } }
      bench.leave()
      await bench.wait(for: "its end") { bench.evidence.contains { $0.contains("left before") } }
      gate.open()
      try await bench.orders.run { _ in }
      #expect(bench.service.player.queue.isEmpty)
      #expect(bench.service.player.state == .stopped)
    }
  }

  @Test("what cannot be done is an error that says why, and changes nothing")
  func refusals() async throws {
    let folder = try SoundFolder(1)
    let (source, missing) = (folder.sources[0], folder.missing)
    try await BusBench.run { bench in
      let nobody = EntryID(rawValue: 9)
      let refused: [AgentCall] = [
        AgentCall(.play), AgentCall(.next), AgentCall(.seekTo(.seconds(1))), AgentCall(.jumpAnywhere),
        AgentCall(.undo), AgentCall(.redo), AgentCall(.append([.item(MediaItem.ID(rawValue: 5))])),
        .art(nil, size: nil), AgentCall.save("/nowhere/at/all.m3u"),
      ]
      for call in refused { #expect(await bench.refusal(call) == .refused, "\(call.member)") }
      let gone = [
        AgentCall(.jump(to: nobody)), AgentCall(.remove([nobody])), AgentCall(.move(nobody, count: 1, to: 1)),
      ]
      for call in gone { #expect(await bench.refusal(call) == .noSuchItem, "\(call.member)") }
      #expect(await bench.refusal(AgentCall(.append([missing]))) == .noSuchFile)
      #expect(await bench.refusal(AgentCall(.append([]))) == .nothingPlayable)
      #expect(try await bench.news().isEmpty)
      try await bench.call(AgentCall(.append([source])))
      #expect(await bench.refusal(AgentCall.save("/nowhere/at/all.m3u")) == .cannotWrite)
      let present = EntryID(rawValue: 1)
      for (count, row) in [(0, 1), (2, 1), (1, 2), (Int(UInt32.max), 1)] {
        #expect(await bench.refusal(AgentCall(.move(present, count: count, to: row))) == .refused)
      }
      // Of several entries one that is not there is enough.
      #expect(await bench.refusal(AgentCall(.remove([present, nobody]))) == .noSuchItem)
      #expect(bench.service.player.queue.count == 1)
    }
  }

  @Test("each change of the state is told once, and modes and volume by their properties")
  func state() async throws {
    let sources = try SoundFolder(3)
    try await BusBench.run { bench in
      let first = try await bench.call(
        AgentCall.play(sources.sources, PlayOptions(shuffle: .chosen(.songs))))
      #expect(first[1] == .string(""))
      try await bench.call(AgentCall(.pause))
      try await bench.call(AgentCall(.pause))
      let again = try await bench.call(AgentCall.play(sources.sources, PlayOptions()))
      #expect(again.first == [UInt64](4...6).wireValue)
      #expect(bench.service.player.queue.shuffleMode == .off, "it held for the queue before")
      let options = PlayOptions(isRandom: true, shuffle: .chosen(.songs))
      try await bench.call(AgentCall.play([sources.sources[0]], options))
      try await bench.call(AgentCall(.stop))
      let states = try await bench.news().compactMap {
        if case .state(let state, _) = $0 { state } else { nil }
      }
      #expect(states == [.playing, .paused, .playing, .stopped])
      bench.forgetSignals()
      try await bench.call(.set(repeat: .chosen(.all)))
      try await bench.call(.set(shuffle: .default))
      try await bench.call(.set(volume: 0.5))
      // The tags of the entry may come to be known at any time.
      let news = try await bench.news().filter {
        switch $0 {
        case .itemsChanged, .nowPlaying: false
        default: true
        }
      }
      #expect(
        news == [
          .modes(.all, .songs, consumes: false), .modes(.all, .off, consumes: false), .volume(0.5),
        ])
      let (random, _) = try await bench.call(AgentCall(.jumpAnywhere)).decoded(as: UInt64.self, String.self)
      #expect(random == bench.service.player.queue.current?.rawValue)
      let reply = try await bench.call(.status)
      let status = try #require(StatusFace(wire: reply[0]))
      #expect(status.queueLength == 1)
      #expect(status.repeatMode == .all)
    }
  }

  @Test("what is relative adds up, however many ask at once: the volume, and the place in the track")
  func relative() async throws {
    let folder = try SoundFolder(1)
    try await BusBench.run { bench in
      try await bench.call(AgentCall.play(folder.sources, PlayOptions()))
      try await bench.call(AgentCall(.pause))
      try await bench.call(AgentCall(.seekTo(.zero)))
      try await bench.call(.set(volume: 0.3))
      let orders = (0..<10).map { _ in
        AgentLoop.task(throwing: {
          try await bench.call(.change(volumeBy: 0.05))
          try await bench.call(AgentCall(.seek(.seconds(1))))
        })
      }
      for order in orders { try await order.value }
      #expect(bench.service.userVolume == 0.8)
      #expect(bench.service.position == .seconds(10))
      #expect(try await bench.call(.change(volumeBy: 0.5)) == [.double(1)])
    }
  }

  @Test("undo after a play brings back the queue and the place in it, sounds on, and says what it took back")
  func undoOfPlay() async throws {
    let folder = try SoundFolder(3)
    try await BusBench.run { bench in
      try await bench.call(AgentCall.play(Array(folder.sources[..<2]), PlayOptions()))
      try await bench.call(AgentCall(.seekTo(.seconds(12))))
      try await bench.call(AgentCall.play([folder.sources[2]], PlayOptions(shuffle: .chosen(.songs))))
      bench.forgetSignals()
      let reply = try await bench.call(AgentCall(.undo))
      #expect(try AgentQueue.counts(reply: reply) == EditCounts(added: 1, removed: 2))
      let service = bench.service
      #expect(service.player.queue.current?.rawValue == 1 && service.player.state == .playing)
      #expect(service.player.queue.shuffleMode == .off)
      #expect(service.position >= .seconds(12) && service.position < .seconds(16))
      // A place in a track is told after the track, which may wait for its tags.
      await bench.wait(forSignal: "Seeked")
      let told = bench.signals.map(\.member)
      let (track, place) = (told.lastIndex(of: "PropertiesChanged"), told.lastIndex(of: "Seeked"))
      #expect(place != nil && track != nil, "\(told)")
      let counts = try AgentQueue.counts(reply: try await bench.call(AgentCall(.redo)))
      #expect(counts == EditCounts(added: 1, removed: 2))
    }
  }

  @Test("a held seek button is told as seeking, and a file that does not play as skipped")
  func seekingAndSkipping() async throws {
    let folder = try SoundFolder(1)
    let broken = try folder.directory.write("broken.wav", "RIFF, it says, and is none")
    let sources = [.file(try #require(FilePath(broken)))] + folder.sources
    try await BusBench.run { bench in
      try await bench.call(AgentCall.play(sources, PlayOptions()))
      await bench.wait(forSignal: "Skipped")
      try await bench.call(AgentCall(.beginSeek(.forward)))
      await bench.wait(forSignal: "Seeked")
      // Both faces tell of the jump; the announcement is only ours, and waits for the sound.
      await bench.wait(forSignal: "NowPlaying")
      try await bench.call(AgentCall(.endSeek))
      let news = try await bench.news()
      #expect(news.contains(.state(.seekingForward, why: nil)))
      #expect(news.contains { if case .skipped(EntryID(rawValue: 1), _, _) = $0 { true } else { false } })
      let announced = news.compactMap {
        if case .nowPlaying(let item) = $0 { item?.entry?.rawValue } else { nil }
      }
      #expect(announced == [2], "what never sounded is not announced")
      let page = try QueuePage(reply: try await bench.call(.list(from: 1, count: 2)))
      #expect(page.items[0].unplayable?.isEmpty == false && page.items[1].unplayable == nil)
    }
  }

  @Test("a run whose end nobody orders stops with its track, and goes through no others")
  func endlessRun() async throws {
    let folder = try SoundFolder(4)
    try await BusBench.run { bench in
      try await bench.call(AgentCall.play(folder.sources, PlayOptions()))
      try await bench.call(AgentCall(.seekTo(.seconds(15))))
      bench.forgetSignals()
      try await bench.call(AgentCall(.beginSeek(.forward)))
      await bench.wait(for: "the end of the run") {
        bench.signals.filter { $0.member == "StateChanged" }.count == 2
      }
      #expect(try await bench.news().contains(.state(.seekingForward, why: nil)))
      #expect(bench.service.player.state == .playing)
      // The last piece of the track may have been heard by now.
      #expect([1, 2].contains(bench.service.player.queue.current?.rawValue))
    }
  }

  @Test("a jump to what cannot be opened is refused, and what sounds goes on")
  func jump() async throws {
    let folder = try SoundFolder(3)
    try await BusBench.run { bench in
      try await bench.call(AgentCall.play(folder.sources, PlayOptions()))
      _ = try folder.directory.write("1.wav", "RIFF, it says, and is none")
      unlink(folder.directory.path("2.wav"))
      for (entry, isMissing) in [(UInt64(2), false), (3, true)] {
        #expect(await bench.refusal(AgentCall(.jump(to: EntryID(rawValue: entry)))) == .refused)
        #expect(bench.service.player.queue.entry(EntryID(rawValue: entry))?.isMissing == isMissing)
      }
      let page = try QueuePage(reply: try await bench.call(.list(from: 1, count: 3)))
      #expect(page.items.map { $0.unplayable == nil } == [true, false, false])
      #expect(page.items.map(\.isMissing) == [false, false, true])
      #expect(page.items[2].unplayable == "its file is gone")
      #expect(bench.service.player.queue.current?.rawValue == 1 && bench.service.player.state == .playing)
      try await bench.call(AgentCall(.jump(to: EntryID(rawValue: 1))))
      #expect(bench.service.position < .seconds(1))
    }
  }

  @Test("an order to play during a call answers what it waits for; the next one does not wait")
  func waiting() async throws {
    let folder = try SoundFolder(1)
    try await BusBench.run { bench in
      let call = try OtherStream(
        [], AudioFormat(rate: 8_000, channels: 1), address: bench.sound, properties: ["media.role": "phone"])
      await bench.wait(forSignal: "InterruptionBegan")
      let first = try await bench.call(AgentCall.play(folder.sources, PlayOptions()))
      #expect(first[1] == .string("call"))
      let status = try await bench.call(.status)
      #expect(StatusFace(wire: status[0])?.interruptions == ["call"])
      #expect(try await bench.call(AgentCall(.play)) == [.string("")])
      await bench.wait(forSignal: "InterruptionEnded")
      #expect(
        try await bench.news().contains(.interruptionBegan("call", sources: ["call"], wasPlaying: false)))
      withExtendedLifetime(call) {}
    }
  }

  @Test("a player inside another process shows MPRIS only")
  func instance() async throws {
    try await BusBench.run(.instance(of: .fermata)) { bench in
      await #expect(throws: BusError.self) { try await bench.call(.status) }
      let metadata = try await bench.trackList("GetTracksMetadata", .array(.objectPath, []))
      #expect(metadata == [.array("a{sv}", [])])
    }
  }
}
