// SPDX-License-Identifier: MIT
import AgentLoop
import ArtIO
import AudioModel
import FermataTestKit
import FileIO
import Glibc
import MediaModel
import PlaybackLogic
import ReaderIO
import Testing

@testable import FermataAgent

@Suite("What is known of entries", .endsAnyway)
struct ItemServiceTests {
  @Test(
    "whoever waits for an entry's tags is answered, also where the entry was let go of and asked for again")
  func evicted() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("song.wav")
    try await onLoop { @AgentLoop in
      let gate = try Gate()
      let thread = BlockingThread("test", yieldsAfter: .seconds(3_600), givesUpAfter: .seconds(3_600))
      AgentLoop.task { try? await thread.run { _ in gate.pass() } }
      let items = ItemService(thread: thread, art: nil, reader: .beside)
      var queue = PlayQueue(seed: 1)
      _ = queue.append([EntrySource(path)] + (0..<2_000).map { EntrySource("/none/\($0)") })
      let entries = queue.entries(at: 0..<queue.count)
      let waiting = AgentLoop.task { await items.itemOnceRead(entries[0]) }
      // By now it waits; then more entries are asked for than are kept, and it once more.
      await AgentLoop.task {}.value
      for entry in entries { _ = items.item(entry) }
      _ = items.item(entries[0])
      gate.open()
      _ = await waiting.value
    }
  }

  @Test("whoever asks for the tags of many entries does not push out those of what plays")
  func kept() async throws {
    try await onLoop { @AgentLoop in
      let items = ItemService(thread: BlockingThread("test"), art: nil, reader: .beside)
      var queue = PlayQueue(seed: 1)
      _ = queue.append((0..<3_000).map { EntrySource("/none/\($0)") })
      let entries = queue.entries(at: 0..<queue.count)
      _ = queue.jump(to: entries[1].id)
      for entry in entries[0...2] { _ = items.item(entry) }
      items.lookAhead(in: queue)
      for entry in entries[3...] { _ = items.item(entry) }
      #expect(entries[0...2].allSatisfy { items.isKnown($0.id) } && !items.isKnown(entries[3].id))
      #expect(entries.count { items.isKnown($0.id) } == ItemService.most)
    }
  }

  @Test("while tags are read again in another character set, the old ones are shown")
  func charset() async throws {
    let folder = try TemporaryDirectory()
    let format = AudioFormat(rate: 8_000, channels: 1)
    let path = try folder.write("song.wav", WAVFile.bytes(Tone.sine(frames: 8_000, format), format))
    try await onLoop { @AgentLoop in
      let items = ItemService(thread: BlockingThread("test"), art: nil, reader: .beside)
      var queue = PlayQueue(seed: 1)
      _ = queue.append([EntrySource(path)])
      let entry = queue.entries(at: 0..<1)[0]
      _ = await items.itemOnceRead(entry)
      var shown: [Bool] = []
      items.news = { shown.append($0 == entry.id && items.item(entry).areTagsRead) }
      items.charset = "windows-1251"
      #expect(shown == [true] && items.isReading(entry.id))
      #expect(await items.itemOnceRead(entry).areTagsRead && shown == [true, true])
    }
  }

  /// Makes a change, and returns when it is told that the entry has this title.
  @AgentLoop
  private static func untilTitled(
    _ title: String, _ items: ItemService, _ entry: Entry, _ change: () -> Void
  ) async {
    await withUnsafeContinuation { done in
      var waiting: UnsafeContinuation<Void, Never>? = done
      items.news = { _ in
        guard items.itemSoFar(entry).item.tags.title == title else { return }
        waiting?.resume()
        waiting = nil
      }
      change()
    }
  }

  @Test("a song that is given other tags is read again when its library or its place in the queue changes")
  func retagged() async throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("song.mp3", TaggedSong.mp3("before"))
    try await onLoop { @AgentLoop in
      let items = ItemService(thread: BlockingThread("test"), art: nil, reader: .beside)
      items.listings = { _ in { $0.map { _ in nil } } }
      var queue = PlayQueue(seed: 1)
      _ = queue.append([EntrySource(path), EntrySource("/none/other.wav")])
      let entries = queue.entries(at: 0..<2)
      await Self.untilTitled("before", items, entries[0]) { _ = items.item(entries[0]) }
      _ = try folder.write("song.mp3", TaggedSong.mp3("after the scan"))
      await Self.untilTitled("after the scan", items, entries[0]) {
        items.libraryChanged()
        #expect(items.itemSoFar(entries[0]).item.tags.title == "before", "the old title is shown until then")
      }
      _ = try folder.write("song.mp3", TaggedSong.mp3("its turn"))
      await Self.untilTitled("its turn", items, entries[0]) {
        _ = queue.jump(to: entries[0].id)
        items.lookAhead(in: queue)
      }
      #expect(items.item(entries[0]).artURL == nil)
      let cover = try folder.write("cover.jpg", TaggedSong.jpeg(500))
      #expect(await items.itemAsItIs(entries[0]).artURL == "file://\(cover)")
    }
  }

  @Test(
    "of a file that is caught while it is written, what was read before stays; a new one has its own length")
  func rewritten() async throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("song.mp3", TaggedSong.mp3("before"))
    try await onLoop { @AgentLoop in
      let items = ItemService(thread: BlockingThread("test"), art: nil, reader: .beside)
      var refused: [String?] = []
      items.foundUnplayable = { refused.append($1) }
      var queue = PlayQueue(seed: 1)
      _ = queue.append([EntrySource(path)])
      let entry = queue.entries(at: 0..<1)[0]
      #expect(await items.itemOnceRead(entry).item.tags.title == "before")
      items.learn(length: .seconds(9), of: entry.id)
      #expect(items.item(entry).item.tags.duration == .seconds(9))
      _ = try folder.write("song.mp3", "half of a song")
      #expect(await items.itemAsItIs(entry).item.tags.title == "before" && refused.isEmpty)
      _ = try folder.write("song.mp3", TaggedSong.mp3("after"))
      let after = await items.itemAsItIs(entry)
      #expect(after.item.tags.title == "after" && after.item.tags.duration != .seconds(9))
      #expect(items.measuredLength(of: entry.id) == nil && refused == [nil])
    }
  }

  @Test(
    "covers that were deleted from the cache are there again for whoever asks for them, also at the same time"
  )
  func evictedCover() async throws {
    let folder = try TemporaryDirectory()
    let paths = try [500, 600].map { size in
      try folder.write("\(size).mp3", TaggedSong.mp3("with a cover", picture: TaggedSong.jpeg(size)))
    }
    let cache = ArtCache(folder: FilePath(stringLiteral: folder.path("covers")))
    try await onLoop { @AgentLoop in
      let items = ItemService(thread: BlockingThread("test"), art: cache, reader: .beside)
      var queue = PlayQueue(seed: 1)
      _ = queue.append(paths.map { EntrySource($0) })
      let entries = queue.entries(at: 0..<2)
      var covers: [(url: String, file: FilePath)] = []
      for entry in entries {
        let url = try #require(await items.itemOnceRead(entry).artURL)
        covers.append((url, try FilePath(uri: url)))
      }
      for cover in covers { #expect(unlink(cover.file.text) == 0) }
      let answers = entries.map { entry in AgentLoop.task { await items.itemAsItIs(entry).artURL } }
      for (cover, answer) in zip(covers, answers) {
        #expect(await answer.value == cover.url && !cover.file.isMissing)
      }
    }
  }

  @Test("who is told of tags that were read is not told that they are still being read")
  func toldWhenRead() async throws {
    let folder = try TemporaryDirectory()
    let format = AudioFormat(rate: 8_000, channels: 1)
    let path = try folder.write("song.wav", WAVFile.bytes(Tone.sine(frames: 8_000, format), format))
    try await onLoop { @AgentLoop in
      let items = ItemService(thread: BlockingThread("test"), art: nil, reader: .beside)
      var queue = PlayQueue(seed: 1)
      _ = queue.append([EntrySource(path)])
      let entry = queue.entries(at: 0..<1)[0]
      var wasReading: [Bool] = []
      items.news = { wasReading.append(items.isReading($0)) }
      #expect(await items.itemOnceRead(entry).areTagsRead)
      try await LoopWaiter.watch(for: "the news") { !wasReading.isEmpty }
      #expect(wasReading == [false])
    }
  }

  @Test(
    "what could not be read before its entry was in the queue is read again, also when the reader was not there"
  )
  func learned() async throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("song.mp3", TaggedSong.mp3("its title"))
    try await onLoop { @AgentLoop in
      let without = ItemService(thread: BlockingThread("test"), art: nil, reader: ReaderClient(program: nil))
      let found = try #require(without.readsSources(EntrySource(path)))
      #expect(!found.areTagsRead && found.isWorthAnotherTry && found.unplayable == nil)
      let items = ItemService(thread: BlockingThread("test"), art: nil, reader: .beside)
      var queue = PlayQueue(seed: 1)
      _ = queue.append([EntrySource(path)])
      let entry = queue.entries(at: 0..<1)[0]
      items.learn(found, of: entry.id)
      // Whoever comes to the entry tries at once; else it is tried by itself after 10 s.
      await Self.untilTitled("its title", items, entry) {
        _ = queue.jump(to: entry.id)
        items.lookAhead(in: queue)
      }
    }
  }

  @Test("it is known whether the tags were read: of a file that cannot be read, nothing is known")
  func unreadable() async throws {
    let folder = try TemporaryDirectory()
    let format = AudioFormat(rate: 8_000, channels: 1)
    let good = try folder.write("good.wav", WAVFile.bytes(Tone.sine(frames: 8_000, format), format))
    let bad = try folder.write("bad.flac", "fLaC no more than this")
    try await onLoop { @AgentLoop in
      let items = ItemService(thread: BlockingThread("test"), art: nil, reader: .beside)
      var queue = PlayQueue(seed: 1)
      _ = queue.append([EntrySource(good), EntrySource(bad), EntrySource(folder.path("none.flac"))])
      let entries = queue.entries(at: 0..<queue.count)
      #expect(!items.item(entries[0]).areTagsRead)
      var read: [Bool] = []
      for entry in entries { read.append(await items.itemOnceRead(entry).areTagsRead) }
      #expect(read == [true, false, false])
    }
  }
}
