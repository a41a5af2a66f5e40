// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import FaceModel
import FermataTestKit
import FileIO
import JobLogic
import LibraryModel
import MediaModel
import Synchronization
import Testing

@testable import FermataAgent

@Suite("A scan", .serialized, .endsAnyway)
struct LibraryScanTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test("each new file is read once and written, and progress ends with all of them")
  func whole() async throws {
    try write(300)
    let (outcome, bench) = try await run { _ in }
    #expect(outcome == .done)
    #expect(bench.asked.count == 300 && Set(bench.asked).count == 300)
    #expect(bench.written.count == 300 && bench.counts == ChangeCounts(added: 300))
    #expect(bench.steps.last == JobStep(done: 300, total: 300))
    #expect(bench.finished == [LibraryScan.FolderReport(folder: bench.root)])
  }

  @Test("a scan that is stopped in a pause has written what was read, and does not end as a whole one")
  func stopped() async throws {
    try write(300)
    let (outcome, bench) = try await run { bench in
      bench.afterReading = { bench, count in
        guard count == ScanBatch.filesAtOnce else { return }
        bench.scan?.pause()
        bench.whenWritten = { bench in bench.scan?.stop() }
      }
    }
    #expect(outcome == .cancelled)
    // Pieces that the threads had in hand are read to their end, and come to nothing.
    #expect(bench.written.count == ScanBatch.filesAtOnce)
    #expect(bench.finished == [])
  }

  @Test("a scan that is resumed sees what has changed meanwhile, and writes nothing twice")
  func resumed() async throws {
    try write(200)
    let (outcome, bench) = try await run { [folder] bench in
      bench.afterReading = { bench, count in
        guard count == ScanBatch.filesAtOnce else { return }
        bench.scan?.pause()
        bench.whenWritten = { bench in
          bench.whenWritten = { _ in }
          _ = try? folder.write("m/late.wav", "")
          bench.scan?.goOn()
        }
      }
    }
    #expect(outcome == .done && Set(bench.asked).count == 201 && bench.written.count == 201)
    #expect(bench.steps.last == JobStep(done: 201, total: 201))
  }

  @Test("a pause that is over before the scan notices it is one all the same, and a pause ends the walk")
  func shortPause() async throws {
    try write(200)
    let (outcome, bench) = try await run { bench in
      bench.whenEntered = { bench in
        bench.whenEntered = { _ in }
        bench.scan?.pause()
        bench.scan?.goOn()
      }
    }
    #expect(outcome == .done && Set(bench.asked).count == 200 && bench.written.count == 200)
    #expect(bench.asksForFolders == 2)
  }

  @Test("if no file can be read, the scan fails with the reason and nothing is written")
  func noReader() async throws {
    try write(10)
    let (outcome, bench) = try await run { $0.losesReader() }
    #expect(outcome == .failed("it is not installed"))
    #expect(bench.written.isEmpty && bench.finished == [])
  }

  @Test("if the library can't be written, the scan fails with the reason")
  func fullDisk() async throws {
    try write(10)
    let (outcome, bench) = try await run { $0.fillsDisk() }
    #expect(outcome == .failed("the disk is full"))
    #expect(bench.finished == [])
  }

  @Test("a folder that is not there is told, and its known files are kept")
  func missing() async throws {
    let gone = try #require(FilePath(folder.path("gone")))
    let known = KnownFile(
      id: MediaItem.ID(rawValue: 1), path: try #require(FilePath(folder.path("gone/a.wav"))),
      stamp: FileStamp(size: 1, modified: 1, inode: 1, device: 1))
    let (outcome, bench) = try await run { $0.scans(gone, knowing: [known]) }
    #expect(outcome == .done && bench.written.isEmpty)
    #expect(bench.finished.first?.why == "it is not there; is its disk mounted? its track is kept")
    #expect(bench.finished.first?.isMissing == true)
  }

  @Test(
    "what the disk can't say is kept, in a folder with many of these altogether, and a link to nowhere is not"
  )
  func unknowable() async throws {
    try folder.write("m/here.wav", "")
    try folder.makeFolder("m/many")
    let root = try #require(FilePath(folder.path("m")))
    // For a name that is too long the system fails in another way than for a link to nowhere.
    let target = String(repeating: "x", count: 300)
    for name in ["link", "song.wav"] + (0..<20).map({ "many/\($0).wav" }) {
      try folder.link("m/\(name)", to: target)
    }
    for name in ["nowhere", "many/nowhere.wav"] { try folder.link("m/\(name)", to: "gone") }
    let names = ["link/a.wav", "song.wav", "many/19.wav", "many/nowhere.wav", "nowhere/a.wav", "gone.wav"]
    let device = try #require(walk(root)).walk.files[0].stamp.device
    let known = try names.enumerated().map { number, name in
      KnownFile(
        id: MediaItem.ID(rawValue: Int64(number + 1)), path: try #require(FilePath(folder.path("m/\(name)"))),
        stamp: FileStamp(size: 1, modified: 1, inode: UInt64(number), device: device))
    }
    let (outcome, bench) = try await run { $0.scans(root, knowing: known) }
    let hidden = bench.written.compactMap { if case .hide(let id) = $0 { id.rawValue } else { nil } }
    #expect(outcome == .done && hidden.sorted() == [5, 6])
    let report = try #require(bench.finished.first)
    #expect(report.isIncomplete && !report.isMissing && report.why?.contains("File name too long") == true)
  }

  @Test("files that have exchanged their names are told together, also by a scan that could not end")
  func exchanged() async throws {
    try write(3)
    let root = try #require(FilePath(folder.path("m")))
    let found = try #require(walk(root)).walk.files
    let known = [0, 1].map {
      KnownFile(id: MediaItem.ID(rawValue: Int64($0 + 1)), path: found[$0].path, stamp: found[1 - $0].stamp)
    }
    let (first, second) = (found[0].path, found[1].path)
    for canRead in [true, false] {
      let (outcome, bench) = try await run { bench in
        bench.scans(root, knowing: known)
        if !canRead { bench.losesReader() }
      }
      #expect((outcome == .done) == canRead && bench.moves.count == 1)
      #expect(
        Set(bench.moves.joined()) == [FileMove(from: first, to: second), FileMove(from: second, to: first)])
    }
  }

  @Test("an empty folder counts as missing only if files in it are known")
  func empty() async throws {
    try folder.makeFolder("empty")
    let root = try #require(FilePath(folder.path("empty")))
    let known = KnownFile(
      id: MediaItem.ID(rawValue: 1), path: try #require(FilePath(folder.path("empty/a.wav"))),
      stamp: FileStamp(size: 1, modified: 1, inode: 1, device: 1))
    let unmounted = try await run { $0.scans(root, knowing: [known]) }.1.finished
    #expect(
      unmounted == [
        LibraryScan.FolderReport(
          folder: root, why: "there is no music in it; is its disk mounted? its track is kept",
          isMissing: true, lacksDisk: true)
      ])
    let new = try await run { $0.scans(root, knowing: []) }.1.finished
    #expect(new == [LibraryScan.FolderReport(folder: root)])
  }

  @Test("a sheet that is new has the file opened that it cuts, and nothing is opened when it is known")
  func sheet() async throws {
    try folder.write("m/disc.wav", "")
    try folder.write("m/other.wav", "")
    let sheet =
      "FILE \"disc.wav\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 01:00:00\n"
    try folder.write("m/disc.cue", sheet)
    let root = try #require(FilePath(folder.path("m")))
    let found = try #require(walk(root)).walk.files
    let known = found.enumerated().map { number, file in
      KnownFile(id: MediaItem.ID(rawValue: Int64(number + 1)), path: file.path, stamp: file.stamp)
    }
    let (outcome, bench) = try await run { $0.scans(root, knowing: known.filter { !$0.path.isSheet }) }
    #expect(outcome == .done && bench.asked.map(\.name) == ["disc.wav"])
    #expect(bench.steps.last == JobStep(done: 2, total: 2))
    let records = bench.written.compactMap { if case .update(_, _, let record) = $0 { record } else { nil } }
    #expect(records.map(\.parts.count) == [2])
    let again = try await run { $0.scans(root, knowing: known) }
    #expect(again.0 == .done && again.1.asked == [] && again.1.written == [])
    #expect(again.1.steps.last == JobStep(done: 2, total: 2))
  }

  @Test("a walk that begins before the index has come finds the same, and nothing where none comes")
  func index() throws {
    try write(70)
    let root = try #require(FilePath(folder.path("m")))
    let all = try #require(walk(root)).walk.files
    #expect(all.count == 70)
    // Every second file is known as it is, and one as it was.
    var known = KnownIndex()
    for (number, file) in all.enumerated() where number.isMultiple(of: 2) {
      let stamp = number == 0 ? FileStamp(size: 1, modified: 2, inode: 3, device: 4) : file.stamp
      known.add(MediaItem.ID(rawValue: Int64(number)), PathDigest(file.path), stamp, isHidden: false)
    }
    for arrival in [0, 1, 4, 8] {
      let index = ComingIndex()
      if arrival == 0 { index.arrive(known) }
      // At the first folder with files the walk waits, if the index has not come by then.
      let mostWaiting = arrival < 2 ? 1 : 20_000
      var entered = 0
      let found = try #require(
        LibraryWalk.run([root], knowing: index, mostWaiting: mostWaiting) { _, _ in
          entered += 1
          if entered == arrival { index.arrive(known) }
          return true
        })
      #expect(entered == 8 && found.walk.settledCount == 34 && found.count == 70, "\(arrival)")
      #expect(
        Set(found.walk.files.map(\.path))
          == Set(all.indices.filter { $0 % 2 == 1 || $0 == 0 }.map { all[$0].path }))
      #expect(found.index.unsettled.map(\.rawValue) == [0])
    }
    for mostWaiting in [1, 20_000] {
      let none = ComingIndex()
      none.arrive(nil)
      #expect(LibraryWalk.run([root], knowing: none, mostWaiting: mostWaiting) { _, _ in true } == nil)
    }
  }

  @Test("a file system that tells of no changes is noticed, also where a link led to a file on it before")
  func silent() {
    var found = LibraryWalk.Findings(walk: FolderWalk(["/m"]), index: KnownIndex())
    found.walk.devices.insert(0x30)
    found.enters("/m", device: 0x801, type: 0xef53)
    found.enters("/m/nas", device: 0x30, type: 0x6969)
    found.enters("/m/nas/album", device: 0x30, type: 0x6969)
    #expect(found.silent == ["/m/nas": "NFS"] && found.walk.devices == [0x30, 0x801])
  }

  /// What is below a folder, as if the library knew nothing.
  private func walk(_ root: FilePath) -> LibraryWalk.Findings? {
    let index = ComingIndex()
    index.arrive(KnownIndex())
    return LibraryWalk.run([root], knowing: index) { _, _ in true }
  }

  private func write(_ count: Int) throws {
    for number in 0..<count { try folder.write("m/\(number % 7)/\(number).wav", "") }
  }

  @Test(
    "a folder whose disk does not answer is named and left out, and the others are scanned, also the next time"
  )
  func deadDisk() async throws {
    try write(30)
    let dead = try #require(FilePath(try folder.makeFolder("dead")))
    try folder.write("dead/kept.wav", "")
    let gate = try Gate()
    let root = try #require(FilePath(folder.path("m")))
    try await onLoop { @AgentLoop in
      let bench = ScanBench(root, patience: .seconds(1))
      bench.alsoScans(dead)
      bench.onEntry = { if $0 == dead { gate.pass() } }
      var answers = 0
      bench.dead.answered = { answers += 1 }
      for round in 0..<6 {
        #expect(await bench.run() == .done)
        #expect(bench.asked.count == 30 && bench.finished.map(\.folder) == [root, dead], "round \(round)")
        let report = try #require(bench.finished.last)
        #expect(report.isMissing && report.why?.hasPrefix("'\(dead)' does not answer") == true)
        #expect(bench.written.count == 30)
      }
      // Only the first scan has sent a thread there. It comes back when the disk does.
      #expect(answers == 0)
      gate.open()
      try await LoopWaiter.watch(for: "the disk") { answers == 1 }
      #expect(await bench.run() == .done)
      #expect(bench.asked.count == 31 && bench.finished.allSatisfy { $0.why == nil })
    }
  }

  @Test(
    "of a folder in which another disk does not answer, only that is left out, whether it is mounted there or linked",
    arguments: [true, false])
  func deadDiskInside(isMounted: Bool) async throws {
    try write(30)
    for name in ["a", "b"] { try folder.write("m/nas/\(name)/kept.wav", "") }
    let root = try #require(FilePath(folder.path("m")))
    let (nas, entered) = (root.entry("nas"), isMounted ? root.entry("nas").entry("a") : root.entry("nas"))
    let gate = try Gate()
    try await onLoop { @AgentLoop in
      let bench = ScanBench(root, patience: .seconds(1))
      if isMounted { bench.mountPoint = { $0.isAtOrBelow(nas) ? nas : "/" } }
      bench.onEntry = { if $0 == entered { gate.pass() } }
      for round in 0..<3 {
        #expect(await bench.run() == .done)
        #expect(bench.asked.count == 30 && bench.written.count == 30, "round \(round)")
        let report = try #require(bench.finished.first)
        #expect(!report.isMissing && report.isIncomplete)
        #expect(report.why == "\(nas) can't be listed: its disk does not answer", "\(report.why ?? "")")
      }
      gate.open()
      try await LoopWaiter.watch(for: "the disk") { bench.dead.inside([root]).isEmpty }
      #expect(await bench.run() == .done)
      #expect(bench.asked.count == 32 && bench.finished.allSatisfy { $0.why == nil })
    }
  }

  @Test("a file whose disk never answers is passed over, and all others are read")
  func silentFile() async throws {
    try write(200)
    let silent = try #require(FilePath(folder.path("m/3/10.wav")))
    let gate = try Gate()
    let root = try #require(FilePath(folder.path("m")))
    try await onLoop { @AgentLoop in
      let bench = ScanBench(root, patience: .seconds(1))
      bench.beforeReading = { if $0 == silent { gate.pass() } }
      #expect(await bench.run() == .done)
      #expect(Set(bench.asked).count == 200)
      let added = bench.written.filter { if case .add = $0 { true } else { false } }
      #expect(added.count == 199)
      #expect(bench.finished.first?.why == "\(silent) can't be read: its disk or its network does not answer")
      gate.open()
    }
  }

  @Test("a folder that is left alone is tried when somebody asks for it, but not while a thread waits there")
  func askedFor() async throws {
    try await onLoop { @AgentLoop in
      let (folders, folder): (DeadDisks, FilePath) = (DeadDisks(), "/mnt/nas")
      var ends = [WalkEnd(), WalkEnd()]
      folders.add(folder, "silent", until: ends[0])
      ends[0].come()
      try await LoopWaiter.watch(for: "the first thread") { folders.reason(folder) == nil }
      // From the second time on it is left alone for a minute.
      folders.add(folder, "silent", until: ends[1])
      folders.tryNow([folder])
      #expect(folders.reason(folder) == "silent", "a thread waits there")
      ends.removeLast()
      try await LoopWaiter.watch(for: "the second thread") {
        folders.tryNow([folder])
        return folders.reason(folder) == nil
      }
    }
  }

  @Test(
    "a folder where a thread waits is tried again when another disk may be there, ever less often by guess")
  func mounts() async throws {
    try await onLoop { @AgentLoop in
      let folders = DeadDisks()
      @AgentLoop func isTried(after mount: FilePath, at time: Int) -> Bool {
        folders.add("/mnt/nas", "silent", until: WalkEnd())
        let isTried = folders.forget(mountsAt: [mount], at: .seconds(time))
        return isTried && folders.reason("/mnt/nas") == nil
      }
      for point: FilePath in ["/mnt/nas", "/mnt", "/mnt/nas/a", "/"] {
        #expect(isTried(after: point, at: 100) && isTried(after: point, at: 100), "\(point)")
      }
      // The folder may be a link to the place of this mount.
      let times = [100, 101, 159, 160, 161, 279, 280, 519, 520]
      let tried = times.filter {
        isTried(after: $0.isMultiple(of: 2) ? "/run/containers/1" : "/mnt/nas2", at: $0)
      }
      #expect(tried == [100, 160, 280, 520])
      folders.wentThrough(["/mnt/nas"])
      #expect(isTried(after: "/media/stick", at: 521))
    }
  }

  @Test("if no folder's disk answers, the scan fails and says so")
  func allDead() async throws {
    try write(3)
    let gate = try Gate()
    let root = try #require(FilePath(folder.path("m")))
    try await onLoop { @AgentLoop in
      let bench = ScanBench(root, patience: .seconds(1))
      bench.onEntry = { _ in gate.pass() }
      for _ in 0..<2 {
        guard case .failed(let why) = await bench.run() else {
          Issue.record("it did not fail")
          break
        }
        #expect(why.hasPrefix("'\(root)' does not answer"), "\(why)")
        // So a mount is known to concern it, and the status names it.
        #expect(bench.finished.map(\.isMissing) == [true] && bench.finished.first?.why == why)
      }
      gate.open()
    }
  }

  /// Runs a scan of the folder `m`, after `prepare`.
  private func run(
    _ prepare: @escaping @Sendable @AgentLoop (ScanBench) -> Void
  ) async throws -> (JobOutcome, ScanBench) {
    let root = try #require(FilePath(folder.path("m")))
    return try await onLoop { @AgentLoop in
      let bench = ScanBench(root)
      prepare(bench)
      return (await bench.run(), bench)
    }
  }
}

/// A scan with a reader and a library that do as a test says.
private final class ScanBench: Sendable {
  private struct State {
    var root: FilePath
    var others: [FilePath] = []
    var onEntry: @Sendable (FilePath) -> Void = { _ in }
    var known: [KnownFile] = []
    var asked: [FilePath] = []
    var written: [FileChange] = []
    var steps: [JobStep] = []
    var finished: [LibraryScan.FolderReport] = []
    var counts = ChangeCounts()
    var moves: [[FileMove]] = []
    var asksForFolders = 0
    var readerIsMissing = false
    var diskIsFull = false
  }

  private let state: Mutex<State>
  @AgentLoop private(set) var scan: LibraryScan?
  @AgentLoop let dead = DeadDisks()
  @AgentLoop var mountPoint: @AgentLoop (FilePath) -> FilePath? = { _ in nil }
  /// Called by a thread with each file that it is about to read.
  @AgentLoop var beforeReading: @Sendable (FilePath) -> Void = { _ in }
  /// Called on the loop when a piece was read, with the number of files that were read so far.
  @AgentLoop var afterReading: @AgentLoop (ScanBench, Int) -> Void = { _, _ in }
  /// Called on the loop, in a turn of its own, when changes were written.
  @AgentLoop var whenWritten: @AgentLoop (ScanBench) -> Void = { _ in }
  /// Called on the loop when a walk is about to begin.
  @AgentLoop var whenEntered: @AgentLoop (ScanBench) -> Void = { _ in }

  private let threads: [BlockingThread]

  /// `patience` is how long a disk may take to answer.
  init(_ root: FilePath, patience: Duration = .seconds(60)) {
    state = Mutex(State(root: root))
    threads = ["scan", "scan-2"].map { BlockingThread($0, yieldsAfter: patience / 2, givesUpAfter: patience) }
  }

  /// What happened so far.
  var asked: [FilePath] { state.withLock { $0.asked } }
  var written: [FileChange] { state.withLock { $0.written } }
  var steps: [JobStep] { state.withLock { $0.steps } }
  var finished: [LibraryScan.FolderReport] { state.withLock { $0.finished } }
  var counts: ChangeCounts { state.withLock { $0.counts } }
  /// What was told of files that were found elsewhere, each time.
  var moves: [[FileMove]] { state.withLock { $0.moves } }
  var asksForFolders: Int { state.withLock { $0.asksForFolders } }

  /// The folder that is scanned.
  var root: FilePath { state.withLock { $0.root } }
  private var known: [KnownFile] { state.withLock { $0.known } }
  private var readerIsMissing: Bool { state.withLock { $0.readerIsMissing } }
  private var diskIsFull: Bool { state.withLock { $0.diskIsFull } }

  func scans(_ root: FilePath, knowing known: [KnownFile]) {
    state.withLock { ($0.root, $0.known) = (root, known) }
  }
  func alsoScans(_ folder: FilePath) { state.withLock { $0.others.append(folder) } }
  /// Called by the thread that walks with each folder that it enters.
  var onEntry: @Sendable (FilePath) -> Void {
    get { state.withLock { $0.onEntry } }
    set { state.withLock { $0.onEntry = newValue } }
  }
  func losesReader() { state.withLock { $0.readerIsMissing = true } }
  func fillsDisk() { state.withLock { $0.diskIsFull = true } }

  @AgentLoop
  func run() async -> JobOutcome {
    let scan = LibraryScan(
      tools, changed: { counts in self.state.withLock { $0.counts += counts } },
      moved: { moves in self.state.withLock { $0.moves.append(moves) } })
    self.scan = scan
    defer { self.scan = nil }
    return await scan.run { step in self.state.withLock { $0.steps.append(step) } }
  }

  @AgentLoop
  private var tools: LibraryScan.Tools {
    LibraryScan.Tools(
      threads: threads,
      folders: {
        self.state.withLock { $0.asksForFolders += 1 }
        return ([self.root] + self.state.withLock { $0.others }, [])
      },
      enters: {
        self.whenEntered(self)
        return { [self] folder in onEntry(folder) }
      },
      read: { [self, beforeReading] (files, looks) throws(LibraryScan.NoReader) in
        if readerIsMissing { throw LibraryScan.NoReader(reason: "it is not installed") }
        let count = state.withLock { state in
          state.asked += files
          return state.asked.count
        }
        for file in files {
          looks(file)
          beforeReading(file)
        }
        AgentLoop.task { self.afterReading(self, count) }
        return files.map { _ in .success(FileRecord(tags: MediaTags())) }
      },
      index: { _ in
        var index = KnownIndex()
        for file in self.known { index.add(file.id, PathDigest(file.path), file.stamp, isHidden: false) }
        return index
      },
      known: { ids in self.known.filter { ids.contains($0.id) } },
      knownIn: { folders in self.known.filter { $0.path.parent.map(folders.contains) ?? false } },
      apply: { changes, _ in
        if self.diskIsFull { throw AgentError.cannotWrite("the disk is full") }
        self.state.withLock { state in
          state.written += changes
          for case .add(let path, let stamp, _) in changes {
            let id = MediaItem.ID(rawValue: Int64(state.known.count + 1))
            state.known.append(KnownFile(id: id, path: path, stamp: stamp))
          }
        }
        AgentLoop.after(.zero) { self.whenWritten(self) }
        var applied = AppliedChanges()
        applied.added = changes.map { _ in MediaItem.ID(rawValue: 1) }
        for case .move(let id, let path, _) in changes {
          if let known = self.known.first(where: { $0.id == id }) {
            applied.moves.append(FileMove(from: known.path, to: path))
          }
        }
        return applied.settled
      },
      finish: { reports in self.state.withLock { $0.finished = reports } }, dead: dead,
      mountPoint: { self.mountPoint($0) })
  }
}
