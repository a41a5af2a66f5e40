// SPDX-License-Identifier: MIT
import FenceIO
import FermataTestKit
import Glibc
import MediaModel
import PictureModel
import ReaderIO
import ReaderModel
import Synchronization
import Testing

@Suite("Reading files in another process", .serialized, .endsAnyway)
struct ReaderClientTests {
  private let folder: TemporaryDirectory
  private let news = Recorder()

  init() throws { folder = try TemporaryDirectory() }

  /// Collects what clients tell, from any thread.
  private final class Recorder: Sendable {
    private let list = Mutex<[ReaderClient.News]>([])
    var all: [ReaderClient.News] { list.withLock { $0 } }
    /// Without the starts of processes.
    var troubles: [ReaderClient.News] {
      all.filter { if case .began = $0 { false } else { true } }
    }
    /// How many processes were started.
    var starts: Int { all.count - troubles.count }
    func add(_ news: ReaderClient.News) { list.withLock { $0.append(news) } }
  }

  private func client(
    _ program: String = "ReaderIOProbe", atOnce: Int = 1, patience: Duration = .seconds(20)
  ) throws -> ReaderClient {
    let path = try #require(FilePath(Program.beside(program).path))
    return ReaderClient(program: path, atOnce: atOnce, patience: patience) { [news] in news.add($0) }
  }

  private func songs(_ count: Int) throws -> [FilePath] {
    try (0..<count).map { try folder.file("\($0).mp3", TaggedSong.mp3("Song \($0)")) }
  }

  private static func titles(_ results: [Result<FileTags, ReadFailure>]) -> [String?] {
    results.map { (try? $0.get())?.tags.title }
  }

  private func openFiles() -> Int {
    (0..<4_096).count { fcntl(Int32($0), F_GETFD) >= 0 }
  }

  @Test("files are answered in their order, whatever each of them is")
  func answers() throws {
    let pipe = folder.at("pipe.mp3")
    #expect(mkfifo(pipe.text, 0o600) == 0)
    let text = try folder.file("text.flac", Array("hello".utf8))
    let songs = try songs(40)
    let client = try client("fermata-reader")
    let results = client.read([pipe] + songs + ["/dev/zero", text, folder.at("none.mp3"), folder.location])
    #expect(Self.titles(Array(results[1...40])) == (0..<40).map { "Song \($0)" })
    #expect(results[0] == .failure(.notAFile))
    #expect(
      results[41...] == [
        .failure(.notAFile), .failure(.unknownFormat), .failure(.unreadable(ENOENT)), .failure(.notAFile),
      ])
    #expect(client.read([]).isEmpty)
    #expect(news.troubles.isEmpty)
  }

  @Test("the usual protections stand around the reader")
  func fence() throws {
    let fence = try client("fermata-reader").check()
    guard Fence.isBuilt else { return }
    #expect(fence.isSuperset(of: [.limits, .privacy, .calls]))
  }

  @Test("a picture arrives byte for byte, small or large", arguments: [100, 500_000, 9_000_000])
  func pictures(size: Int) throws {
    let picture = TaggedSong.jpeg(size)
    let song = try folder.file("a.mp3", TaggedSong.mp3("A", picture: picture))
    let client = try client()
    #expect(try client.picture(of: song)?.bytes == picture)
    #expect(try client.tags(of: song).hasPicture)
    #expect(try client.picture(of: folder.file("b.mp3", TaggedSong.mp3("B"))) == nil)
  }

  @Test("a picture is made smaller behind the fence, in a song or as a file of its own; others give none")
  func scaled() throws {
    let client = try client("fermata-reader")
    let drawn = Placeholder(of: "x").png(edge: 200).bytes
    let song = try folder.file("a.mp3", TaggedSong.mp3("A", picture: drawn))
    let beside = try folder.file("cover.png", drawn)
    for file in [song, beside] {
      let small = try PNGReader(#require(try client.picture(of: file, edge: 50)).bytes)
      #expect(small.width == 50 && small.height == 50)
      #expect(try client.picture(of: file, edge: 900).map { try PNGReader($0.bytes).width } == 200)
    }
    let torn = try folder.file("torn.jpg", TaggedSong.jpeg(5_000))
    #expect(try client.picture(of: torn, edge: 50) == nil)
    #expect(try client.picture(of: folder.file("b.mp3", TaggedSong.mp3("B")), edge: 50) == nil)
    #expect(news.troubles.isEmpty)
  }

  @Test("a picture that claims more than there is memory for costs nobody anything")
  func bomb() throws {
    var huge = Placeholder(of: "x").png(edge: 8).bytes
    huge.replaceSubrange(16..<24, with: [0, 0, 0x4E, 0x20, 0, 0, 0x4E, 0x20])
    let bomb = try folder.file("bomb.png", huge)
    let client = try client("fermata-reader")
    #expect(try client.picture(of: bomb, edge: 50) == nil)
    #expect(news.troubles.isEmpty)
  }

  @Test("texts that call themselves Latin-1 are read in the chosen character set, behind the fence too")
  func charset() throws {
    var song = TaggedSong.mp3("abcdef")
    let title = try #require(song.firstRange(of: Array("abcdef".utf8)))
    song.replaceSubrange(title, with: [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])
    song[title.lowerBound - 1] = 0
    let path = try folder.file("a.mp3", song)
    let client = try client()
    #expect(try client.tags(of: path).tags.title == "Ïðèâåò")
    client.charset = "CP1251"
    #expect(try client.tags(of: path).tags.title == "Привет")
    client.charset = "no-such-set"
    #expect(try client.tags(of: path).tags.title == "Ïðèâåò")
  }

  @Test(
    "a file that kills the reader is named and left alone until it changes, and the others have their tags",
    arguments: ["crash", "bomb", "nonsense"])
  func killers(act: String) throws {
    if act == "bomb", !Fence.isBuilt { return }
    let songs = try songs(20)
    let killer = try folder.file("killer.mp3", "do \(act)\n")
    let client = try client()
    let results = client.read(songs.prefix(5) + [killer] + songs.dropFirst(5))
    #expect(Self.titles(results).compactMap { $0 } == (0..<20).map { "Song \($0)" })
    guard case .failure(.killedReader(let reason)) = results[5] else {
      Issue.record("\(results[5])")
      return
    }
    #expect(news.troubles == [.killer(killer, reason)])
    let begun = news.all.count
    #expect(client.read([killer]) == [.failure(.killedReader(reason))])
    #expect(news.all.count == begun)
    try folder.file("killer.mp3", TaggedSong.mp3("Mended"))
    #expect(Self.titles(client.read([killer])) == ["Mended"])
    #expect(Readers.haveNoZombie())
  }

  @Test("a file on which the reader computes for ever costs its time, and no other file")
  func hang() throws {
    let hanging = try folder.file("hang.mp3", "do hang\n")
    let client = try client(patience: .milliseconds(700))
    let results = client.read([hanging] + (try songs(3)))
    #expect(Self.titles(results) == [nil, "Song 0", "Song 1", "Song 2"])
    guard case .failure(.killedReader) = results[0] else {
      // A machine that has no time for the reader takes it for one that waits.
      #expect(results[0] == .failure(.unreadable(ETIMEDOUT)))
      return
    }
    #expect(news.troubles.count == 1)
  }

  @Test("a reader that has computed for long before, and now waits, has a slow disk and no bad file")
  func slowDisk() throws {
    let client = try client(patience: .seconds(2))
    #expect(try client.tags(of: folder.file("burn.mp3", "do burn\n")).tags.title == "done")
    let waiting = try folder.file("wait.mp3", "do wait\n")
    #expect(client.read([waiting]) == [.failure(.unreadable(ETIMEDOUT))])
    #expect(news.troubles.isEmpty)
  }

  @Test("a reader that does not end when its time is over is killed, and none is left behind")
  func overdue() throws {
    let client = try client()
    _ = try client.tags(of: folder.file("a.mp3", TaggedSong.mp3("A")))
    let process = try #require(client.idleProcesses.first)
    kill(process, SIGSTOP)
    #expect(client.tidy())
    _ = client.tidy(endingAfter: .zero)
    let deadline = Deadline.patient
    while client.tidy(), !deadline.hasPassed { poll(nil, 0, 1) }
    // Other tests may have readers of their own at this time.
    #expect(!Readers.all().contains { $0.number == process } && Readers.haveNoZombie())
    #expect(try client.tags(of: folder.file("b.mp3", TaggedSong.mp3("B"))).tags.title == "B")
  }

  @Test(
    "while all places of a client hang, one beside it reads, and knows the same files that are left alone")
  func beside() throws {
    let waiting = try folder.file("wait.mp3", "do wait\n")
    let killer = try folder.file("killer.mp3", "do crash\n")
    let client = try client(patience: .seconds(3))
    let other = ReaderClient(beside: client)
    guard case .failure(.killedReader) = client.read([killer])[0] else {
      Issue.record("it was read")
      return
    }
    let begun = Atomic(false)
    let hanging = OtherThread { _ = client.read([waiting]) { _ in begun.store(true, ordering: .relaxed) } }
    let deadline = Deadline.patient
    while !begun.load(ordering: .relaxed), !deadline.hasPassed { poll(nil, 0, 1) }
    let start = ContinuousClock.now
    #expect(try other.tags(of: folder.file("a.mp3", TaggedSong.mp3("A"))).tags.title == "A")
    #expect(ContinuousClock.now - start < .seconds(2))
    let count = news.all.count
    guard case .failure(.killedReader) = other.read([killer])[0] else {
      Issue.record("it was read again")
      return
    }
    #expect(news.all.count == count)
    hanging.join()
    #expect(client.tidy() && !other.idleProcesses.isEmpty)
  }

  @Test("a client beside another starts no process where one of the other's is idle")
  func borrows() throws {
    let client = try client()
    let other = ReaderClient(beside: client)
    let songs = try songs(2)
    #expect(try client.tags(of: songs[0]).tags.title == "Song 0")
    #expect(try other.tags(of: songs[1]).tags.title == "Song 1")
    #expect(news.starts == 1 && client.idleProcesses.count == 1 && other.idleProcesses.isEmpty)
  }

  @Test("a file whose picture ends readers is shown no more for that, and its tags are read all the same")
  func deadlyPicture() throws {
    let song = try folder.file("cover.mp3", "do cover\n")
    let client = try client()
    for _ in 0..<2 {
      do {
        _ = try client.picture(of: song, edge: 100)
        Issue.record("there was a picture")
      } catch {
        guard case .killedReader = error else { throw error }
      }
    }
    #expect(news.starts == 2)
    #expect(try client.tags(of: song).tags.title == "done")
  }

  @Test("a client that borrows none has processes of its own, as a scan does")
  func ownProcesses() throws {
    let client = try client()
    let other = ReaderClient(beside: client, borrows: false)
    let songs = try songs(2)
    #expect(try client.tags(of: songs[0]).tags.title == "Song 0")
    #expect(try other.tags(of: songs[1]).tags.title == "Song 1")
    #expect(news.starts == 2 && client.idleProcesses.count == 1 && other.idleProcesses.count == 1)
  }

  @Test(
    "a reader of a thread with low priority lets the processes of all sessions go before it",
    arguments: [0, 10])
  func priority(_ nice: Int32) throws {
    guard Glibc.access("/proc/self/autogroup", W_OK) == 0 else { return }
    let (client, songs) = (try client(), try songs(1))
    let reading = OtherThread {
      setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, nice)
      let deadline = Deadline.patient
      // The kernel takes only some such orders a second, and others may give theirs.
      while Self.titles(client.read(songs)) == ["Song 0"], !deadline.hasPassed {
        if client.idleProcesses.map(Self.groupPriority) == [nice] { break }
      }
    }
    reading.join()
    #expect(client.idleProcesses.map(Self.groupPriority) == [nice])
    #expect(client.idleProcesses.map { getsid($0) } == client.idleProcesses)
  }

  /// The priority of the session of a process among all sessions.
  private static func groupPriority(_ process: pid_t) -> Int32? {
    guard let file = fopen("/proc/\(process)/autogroup", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 100)
    guard fgets(&line, Int32(line.count), file) != nil else { return nil }
    let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      .split(whereSeparator: \.isWhitespace)
    return words.last.flatMap { Int32($0) }
  }

  @Test("two that want the tags of the same file at once have one process read it")
  func together() throws {
    let waiting = try folder.file("wait.mp3", "do wait\n")
    let client = try client(patience: .seconds(1))
    let other = ReaderClient(beside: client)
    let first = OtherThread { _ = try? client.tags(of: waiting) }
    let deadline = Deadline.patient
    while news.starts == 0, !deadline.hasPassed { poll(nil, 0, 1) }
    // Its process hangs, and the other one waits for what comes of that rather than hang another.
    #expect(throws: ReadFailure.unreadable(ETIMEDOUT)) { try other.tags(of: waiting) }
    #expect(news.starts == 1)
    first.join()
    #expect(other.idleProcesses.isEmpty)
  }

  @Test("whoever watches over a reading sees each file")
  func looking() throws {
    let songs = try songs(200)
    let client = try client()
    var looked: Set<FilePath> = []
    #expect(client.read(songs) { looked.insert($0) }.count == 200)
    #expect(looked == Set(songs))
  }

  @Test(
    "what was taken over gets out nowhere",
    arguments: [
      "open", "socket", "fork", "thread", "program", "ptrace", "memory", "look", "signal", "status",
      "emptyStatus",
    ])
  func escapes(act: String) throws {
    guard Fence.isBuilt else { return }
    let client = try client()
    guard try client.check().contains(.calls) else { return }
    let title = try client.tags(of: folder.file("a.mp3", "do \(act)\n")).tags.title
    let refusals = [ENOSYS, EACCES, EPERM, EAGAIN].map { "\($0)" }
    #expect(refusals.contains(title ?? ""), "\(act): \(title ?? "no answer")")
  }

  @Test("readers that somebody ends at any time change no answer", arguments: [SIGKILL, SIGTERM])
  func killed(signal: Int32) throws {
    let songs = try songs(200)
    let client = try client()
    let expected = (0..<200).map { "Song \($0)" as String? }
    var random = SeededGenerator(seed: 3)
    for round in 0..<50 {
      let pause = Int32.random(in: 0..<25, using: &random)
      let killer = OtherThread {
        poll(nil, 0, pause)
        for reader in Readers.all() { kill(reader.number, signal) }
      }
      let results = client.read(songs)
      killer.join()
      #expect(Self.titles(results) == expected, "round \(round)")
    }
    #expect(news.troubles.isEmpty)
    #expect(Readers.haveNoZombie())
  }

  @Test("nothing stays open, and no process is left behind")
  func leftovers() throws {
    let songs = try songs(40)
    let killer = try folder.file("killer.mp3", "do crash\n")
    _ = try client().read(songs)
    let before = openFiles()
    for _ in 0..<100 { _ = try client().read([songs[0], killer]) }
    // The tests beside this one open files too, but not hundreds that they keep.
    let deadline = Deadline.patient
    while openFiles() > before + 90, !deadline.hasPassed { poll(nil, 0, 20) }
    #expect(openFiles() <= before + 90)
    #expect(Readers.haveNoZombie())
  }

  @Test("a reader that ended by itself is let go of, and the next file has another one")
  func tidying() throws {
    let song = try folder.file("a.mp3", TaggedSong.mp3("A"))
    let client = try client()
    let starts = Atomic(0)
    client.whenStarted { starts.add(1, ordering: .relaxed) }
    #expect(!client.tidy())
    #expect(try client.tags(of: song).tags.title == "A")
    #expect(client.tidy())
    // As it is after half a minute without work.
    for reader in Readers.all() { kill(reader.number, SIGKILL) }
    let deadline = Deadline.patient
    while client.tidy(), !deadline.hasPassed { poll(nil, 0, 1) }
    #expect(Readers.all().isEmpty)
    #expect(try client.tags(of: song).tags.title == "A")
    #expect(starts.load(ordering: .relaxed) == 2)
  }

  @Test("without the program every file says so, and it is told once")
  func missing() throws {
    let song = try folder.file("a.mp3", TaggedSong.mp3("A"))
    let client = ReaderClient(program: folder.at("no-such-program")) { [news] in news.add($0) }
    for _ in 0..<3 {
      guard case .failure(.readerMissing(let reason)) = client.read([song, song])[1] else {
        Issue.record("it was read")
        return
      }
      #expect(reason.contains("no-such-program"))
    }
    #expect(news.all.count == 1)
    #expect(throws: ReadFailure.self) { try ReaderClient(program: nil).check() }
    let other = try #require(FilePath(Program.named("true", package: "coreutils").path))
    #expect(throws: ReadFailure.self) { try ReaderClient(program: other).tags(of: song) }
    #expect(Readers.haveNoZombie())
  }

  @Test("threads that read at once have a process each, up to the limit")
  func threads() throws {
    let songs = try songs(60)
    let client = try client(atOnce: 2)
    let good = Atomic(0)
    let threads = (0..<4).map { _ in
      OtherThread {
        if Self.titles(client.read(songs)) == (0..<60).map({ "Song \($0)" }) {
          good.add(1, ordering: .relaxed)
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(good.load(ordering: .relaxed) == 4)
    #expect((1...2).contains(client.idleProcesses.count))
  }
}
