// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import FaceModel
import FileIO
import FermataTestKit
import Glibc
import JobLogic
import LibraryIO
import LibraryModel
import MediaModel
import Synchronization
import Testing

@testable import FermataAgent

@Suite("Scans of a library", .serialized, .endsAnyway)
struct LibraryScansTests {
  private let folder: TemporaryDirectory
  private let log: Int32
  private let reader = PlantedReader()

  init() throws {
    folder = try TemporaryDirectory()
    log = open(try folder.write("log", ""), O_WRONLY | O_APPEND | O_CLOEXEC)
    for number in 0..<10 { try folder.write("m/\(number).wav", "") }
  }

  /// Reads nothing, or says that it can't.
  private final class PlantedReader: Sendable {
    private struct State {
      var isMissing = false
      var count = 0
      var action: (@Sendable () -> Void)?
      var held: HeldRead?
    }

    private let state = Mutex(State())
    var count: Int { state.withLock { $0.count } }
    func set(missing: Bool) { state.withLock { $0.isMissing = missing } }
    /// Holds up the first reading.
    func wait(at held: HeldRead) { state.withLock { $0.held = held } }
    /// Calls `body` once, when some files were read.
    func whenRead(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.action = body } }

    func read(_ files: [FilePath]) throws(LibraryScan.NoReader) -> [Result<FileRecord, ReadingFailure>] {
      let held = state.withLock { state in
        defer { state.held = nil }
        return state.held
      }
      held?.pass()
      let (isMissing, action) = state.withLock { state in
        if !state.isMissing { state.count += files.count }
        defer { if state.count > 128 { state.action = nil } }
        return (state.isMissing, state.count > 128 ? state.action : nil)
      }
      action?()
      if isMissing { throw LibraryScan.NoReader(reason: "it is not installed") }
      return files.map { $0.isMissing ? .failure(.vanished) : .success(FileRecord(tags: MediaTags())) }
    }
  }

  /// Holds up a thread until it is opened, or for twenty seconds.
  private final class HeldRead: Sendable {
    private let opening = Wakeup()
    private let state = Mutex((isReached: false, wasOpened: false))

    var isReached: Bool { state.withLock { $0.isReached } }
    /// Whether it was opened before the thread gave up.
    var wasOpened: Bool { state.withLock { $0.wasOpened } }
    func open() { opening.wake() }
    func pass() {
      state.withLock { $0.isReached = true }
      let wasOpened = opening.wait(atMost: .seconds(20))
      state.withLock { $0.wasOpened = wasOpened }
    }
  }

  private var music: FilePath { get throws { try #require(FilePath(folder.path("m"))) } }

  @AgentLoop
  private func library() throws -> LibraryService {
    let data = try #require(FilePath(folder.path("data")))
    return LibraryService(
      in: data, jobs: JobService(), orders: BlockingThread("orders"),
      log: Log(isVerbose: false, to: LineStream(log)),
      read: { [reader] (files, _) throws(LibraryScan.NoReader) in try reader.read(files) })
  }

  @Test("once the last folder is taken out, the trouble of former scans is told no more")
  func noFolders() async throws {
    reader.set(missing: true)
    try await onLoop { @AgentLoop in
      let library = try library()
      await library.jobs.untilOver(try await library.add(try music))
      #expect(try await library.status().why != nil)
      try await library.remove(try music)
      #expect(try await library.status().why == nil)
      library.stop()
    }
  }

  @Test("a library that was put aside as damaged is made anew without being asked for")
  func damaged() async throws {
    do { try LibraryStore.open(in: folder.path("data")).store.addFolder(try music, at: 1) }
    try folder.write("data/library.db", String(repeating: "no database ", count: 1_000))
    try await onLoop { @AgentLoop in
      let library = try library()
      #expect(try await library.status().tracks == 0 && library.jobs.jobs.isEmpty)
      try await LoopWaiter.watch(for: "a scan") { library.jobs.jobs.contains { $0.state == .done } }
      #expect(try await library.status().tracks == 10)
      library.stop()
    }
  }

  @Test("a scan that fails is a failed job, stands in the status, and is logged once")
  func failing() async throws {
    reader.set(missing: true)
    try await onLoop { @AgentLoop in
      let library = try library()
      for _ in 0..<3 {
        let id = try await library.folders().isEmpty ? library.add(try music) : library.scan([])
        await library.jobs.untilOver(id)
        #expect(library.jobs.job(id)?.state == .failed && library.jobs.job(id)?.why == "it is not installed")
      }
      let why = try await library.status().why
      #expect(why == "the last scan failed: it is not installed; it is tried again by itself")
      let lines = String(decoding: try folder.bytes("log"), as: UTF8.self).split(separator: "\n")
      #expect(lines.count { $0.contains("a scan failed: it is not installed") } == 1, "\(lines)")
      reader.set(missing: false)
      let id = try await library.scan([])
      await library.jobs.untilOver(id)
      #expect(try await library.status().why == nil)
      #expect(try await library.status().tracks == 10)
      library.stop()
    }
  }

  @Test(
    "a folder that vanishes while it is scanned loses nothing, and the next scan says that it is not there")
  func vanishing() async throws {
    for number in 10..<1_000 { try folder.write("m/\(number % 20)/\(number).wav", "") }
    let (here, away) = (folder.path("m"), folder.path("away"))
    try await onLoop { @AgentLoop in
      let library = try library()
      reader.whenRead { rename(here, away) }
      await library.jobs.untilOver(try await library.add(try music))
      let kept = try await library.status().tracks
      #expect(kept > 0 && kept < 1_000 && library.jobs.jobs.last?.state == .done)
      await library.jobs.untilOver(try await library.scan([]))
      let status = try await library.status()
      #expect(status.tracks == kept)
      #expect(
        status.folders.first?.why == "it is not there; is its disk mounted? its \(kept) tracks are kept")
      #expect(rename(away, here) == 0)
      await library.jobs.untilOver(try await library.scan([]))
      #expect(try await library.status().tracks == 1_000)
      library.stop()
    }
  }

  @Test("folders are called by any path that leads to them through their parents, also when they are gone")
  func parents() async throws {
    try folder.makeFolder("other")
    try await onLoop { @AgentLoop in
      let library = try library()
      let winding = try #require(FilePath(folder.path("other/../m/")))
      await library.jobs.untilOver(try await library.add(winding))
      #expect(try await library.folders() == [try music])
      await library.jobs.untilOver(try await library.scan([winding, try music]))
      #expect(library.jobs.jobs.count == 2)
      try await library.remove(winding)
      #expect(try await library.folders().isEmpty)
      library.stop()
    }
  }

  @Test("a folder is taken out at once, also while its scan waits for a disk that does not answer")
  func deadDisk() async throws {
    let held = HeldRead()
    try await onLoop { @AgentLoop in
      let library = try library()
      reader.wait(at: held)
      let id = try await library.add(try music)
      try await LoopWaiter.watch(for: "the scan's reading") { held.isReached }
      try await library.remove(try music)
      #expect(library.jobs.job(id)?.state.isOver == false)
      held.open()
      await library.jobs.untilOver(id)
      #expect(held.wasOpened)
      #expect(try await library.status().tracks == 0)
      library.stop()
    }
  }

  @Test("a scan that is due while there are too many jobs begins when some are over")
  func tooMany() async throws {
    try await onLoop { @AgentLoop in
      let library = try library()
      await library.jobs.untilOver(try await library.add(try music))
      let others = try (0..<JobBoard.mostOpen).map { number in
        try library.jobs.add(JobRequest("endless \(number)"), Endless())
      }
      library.begin()
      // It asks for the folders while the first question is answered, and is refused before the second one is.
      for _ in 0..<2 { _ = try await library.status() }
      #expect(library.jobs.jobs.count { !$0.state.isOver } == JobBoard.mostOpen)
      for id in others { try library.jobs.obey(.cancel, id) }
      try await LoopWaiter.watch(for: "the scan") { library.jobs.jobs.last?.title.hasPrefix("Scan") == true }
      library.stop()
    }
  }

  @Test(
    "a folder that is a link into the library is refused, and if the outer one comes later, the status says so"
  )
  func links() async throws {
    let link = folder.path("link")
    #expect(symlink(folder.path("m"), link) == 0)
    try await onLoop { @AgentLoop in
      let library = try library()
      let linked = try #require(FilePath(link))
      await library.jobs.untilOver(try await library.add(try music))
      await #expect(throws: BusError.self) { _ = try await library.add(linked) }
      #expect(try await library.folders() == [try music])
      try await library.remove(try music)
      await library.jobs.untilOver(try await library.add(linked))
      let whole = try #require(FilePath(folder.path))
      await library.jobs.untilOver(try await library.add(whole))
      await library.jobs.untilOver(try await library.scan([]))
      let why = try await library.status().folders.first { $0.path == linked }?.why
      #expect(
        why
          == "it is '\(try music)', which is in the library already; take one of them out with 'fermata library remove'"
      )
      library.stop()
    }
  }

  @Test("a link into another folder of the library adds nothing, also where its own folder is scanned alone")
  func linkToOther() async throws {
    try folder.write("m/a/1.wav", "")
    try folder.makeFolder("n")
    #expect(symlink(folder.path("m"), folder.path("n/whole")) == 0)
    #expect(symlink(folder.path("m/a"), folder.path("n/part")) == 0)
    try await onLoop { @AgentLoop in
      let library = try library()
      let other = try #require(FilePath(folder.path("n")))
      await library.jobs.untilOver(try await library.add(try music))
      let before = try await library.status().tracks
      await library.jobs.untilOver(try await library.add(other))
      await library.jobs.untilOver(try await library.scan([other]))
      #expect(try await library.status().tracks == before && before > 0)
      await library.jobs.untilOver(try await library.scan([]))
      #expect(try await library.status().tracks == before)
      library.stop()
    }
  }

  @Test("a folder that has others of the library in it takes their place")
  func nested() async throws {
    try await onLoop { @AgentLoop in
      let library = try library()
      let whole = try #require(FilePath(folder.path))
      await library.jobs.untilOver(try await library.add(try music))
      let before = try await library.status().tracks
      await library.jobs.untilOver(try await library.add(whole))
      await library.jobs.untilOver(try await library.scan([]))
      let status = try await library.status()
      #expect(status.folders.map(\.path) == [whole] && status.folders[0].why == nil)
      #expect(status.tracks >= before && before > 0)
      library.stop()
    }
  }

  @Test("a folder below a name with a dot stays a folder of its own: no scan of the outer one looks there")
  func hidden() async throws {
    let hidden = folder.path(".hidden/m")
    _ = try folder.write(".hidden/m/a.wav", "")
    try await onLoop { @AgentLoop in
      let library = try library()
      let (inner, whole) = (try #require(FilePath(hidden)), try #require(FilePath(folder.path)))
      await library.jobs.untilOver(try await library.add(inner))
      await library.jobs.untilOver(try await library.add(whole))
      #expect(try await library.folders() == [whole, inner])
      library.stop()
    }
  }

  @Test("a refused removal ends no scan")
  func refusedRemoval() async throws {
    try folder.write("m/a/1.wav", "")
    try await onLoop { @AgentLoop in
      let library = try library()
      let inner = try #require(FilePath(folder.path("m/a")))
      let id = try await library.add(try music)
      await #expect(throws: BusError.self) { try await library.remove(inner) }
      await library.jobs.untilOver(id)
      #expect(library.jobs.job(id)?.state == .done)
      library.stop()
    }
  }

  @Test("a folder that is taken out while it is scanned leaves nothing behind, whenever that is")
  func removal() async throws {
    for number in 10..<2_000 { try folder.write("m/\(number % 20)/\(number).wav", "") }
    try await onLoop { @AgentLoop in
      let library = try library()
      for round in 0..<30 {
        let id = try await library.add(try music)
        // Both are under way at once; the second one may have asked for the folders already.
        AgentLoop.task { _ = try? await library.scan([]) }
        for _ in 0..<round { await AgentLoop.task {}.value }
        try await library.remove(try music)
        for job in library.jobs.jobs { await library.jobs.untilOver(job.id) }
        #expect(library.jobs.job(id)?.state.isOver == true)
        let status = try await library.status()
        #expect(status.tracks == 0 && status.folders.isEmpty, "round \(round)")
      }
      library.stop()
    }
  }
}

extension LibraryService {
  fileprivate func folders() async throws -> [FilePath] { try await status().folders.map(\.path) }
}

/// Runs until it is told to end.
@AgentLoop
private final class Endless: JobWorker {
  private(set) var pauses = 0
  private var waiting: UnsafeContinuation<Void, Never>?
  func run(tell: @escaping @AgentLoop (JobStep) -> Void) async -> JobOutcome {
    await withUnsafeContinuation { waiting = $0 }
    return .cancelled
  }
  func pause() { pauses += 1 }
  func goOn() {}
  func stop() {
    waiting?.resume()
    waiting = nil
  }
}

@Suite("Jobs on battery", .serialized, .endsAnyway)
struct JobPowerTests {
  @Test("jobs wait for the plug if the setting says so, and tell why")
  func battery() async throws {
    let folder = try TemporaryDirectory()
    try folder.write("power/AC/type", "Mains\n")
    try folder.write("power/AC/online", "0\n")
    try folder.write("power/BAT0/type", "Battery\n")
    try folder.write("power/BAT0/status", "Discharging\n")
    try await onLoop { @AgentLoop in
      let jobs = JobService()
      let power = JobPower(
        jobs, on: BlockingThread("power"), in: try #require(FilePath(folder.path("power"))))
      let worker = Endless()
      let id = try jobs.add(JobRequest("endless"), worker)
      #expect(jobs.job(id)?.state == .running)
      power.runsOnBattery = false
      try await LoopWaiter.watch(for: "the job's pause") { jobs.job(id)?.state != .running }
      #expect(jobs.job(id)?.state == .waiting && worker.pauses == 1)
      #expect(jobs.job(id)?.why == "waits for the plug, as the setting jobs-on-battery says")
      power.runsOnBattery = true
      #expect(jobs.job(id)?.state == .running)
      jobs.stop()
      await jobs.untilOver(id)
    }
  }
}
