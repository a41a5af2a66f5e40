// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import JobLogic
import LibraryModel
import MediaModel

/// One scan of library folders: walks through them, has new and changed files read, and writes what follows, as `ScanPlan` decides.
///
/// The work is done in pieces on threads that may block: one walks, several have files read, and another one writes meanwhile. Between two pieces the
/// scan ends if it was told to. What was written stays, and the library is sound after each piece. After a pause, which may have lasted
/// for weeks, it begins anew: what it knew is old, and what was written is not read again. Meanwhile it keeps nothing. Loop only; it lives
/// until `run` returns.
@AgentLoop
final class LibraryScan: JobWorker {
  /// What a scan works with.
  struct Tools: Sendable {
    /// The first one looks through folders. Each has files read.
    var threads: [BlockingThread]
    /// The folders of the library that are to be looked through.
    var folders: @AgentLoop () async throws -> [FilePath]
    /// Gives what is called with each folder before its names are read, on that thread: to watch it, so that no change is missed.
    var enters: @AgentLoop () -> @Sendable (FilePath) -> Void
    /// Reads files, one result each, in order, and says which one it looks at. Blocks. Throws if no file can be read at all.
    var read: ReadFiles
    /// The files that the library knows below these folders, hidden ones as well.
    var index: @AgentLoop ([FilePath]) async throws -> KnownIndex
    /// The files of these items.
    var known: @AgentLoop ([MediaItem.ID]) async throws -> [KnownFile]
    /// Writes changes that were found in these folders in one transaction, and returns how many items came, changed and went.
    var apply: @AgentLoop ([FileChange], [FilePath]) async throws -> ChangeCounts
    /// Notes that a scan of these folders came to its end.
    var finish: @AgentLoop ([FolderReport]) async throws -> Void
  }

  typealias ReadFiles =
    @Sendable ([FilePath], (FilePath) -> Void) throws(NoReader) -> [Result<FileRecord, ReadingFailure>]

  /// Why no file can be read.
  struct NoReader: Error, Sendable {
    let reason: String
  }

  /// What a scan has to say about one of its folders when it has come to its end.
  struct FolderReport: Sendable, Hashable {
    var folder: FilePath
    /// What is wrong with it; nil if nothing is.
    var why: String?
    /// The name of a file system in it that tells of no changes; nil if all do.
    var silent: String?
  }

  /// Thrown where the scan was told to pause or to end.
  private struct Halt: Error {}

  private let tools: Tools
  private var tell: @AgentLoop (JobStep) -> Void = { _ in }
  private let changed: @AgentLoop (ChangeCounts) -> Void
  /// How long the last stretch of work took.
  private(set) var worked = Duration.zero

  /// The folders that are looked through.
  private var folders: [FilePath] = []
  private var isPaused = false
  /// Whether it was paused since it began, though it may be allowed to go on again.
  private var mustHalt = false
  private var isStopped = false
  private var waiting: UnsafeContinuation<Void, Never>?
  /// The piece of work that may be called off at any time.
  private var walking: BlockingJob?
  private var ticker: LoopTimer?
  private var batch = ChangeBatch()
  /// The changes that are being written.
  private var writing: Task<Bool, Never>?
  private var failure: String?

  /// A scan that has not begun. `changed` is called with what was written.
  init(_ tools: Tools, changed: @escaping @AgentLoop (ChangeCounts) -> Void) {
    (self.tools, self.changed) = (tools, changed)
  }

  // MARK: Orders

  /// Makes it halt after the present piece.
  func pause() {
    (isPaused, mustHalt) = (true, true)
    walking?.cancel()
  }

  /// Lets it go on after a pause.
  func goOn() {
    isPaused = false
    waiting?.resume()
    waiting = nil
  }

  /// Makes it end after the present piece, also in a pause.
  func stop() {
    isStopped = true
    walking?.cancel()
    goOn()
  }

  // MARK: The scan

  func run(tell: @escaping @AgentLoop (JobStep) -> Void) async -> JobOutcome {
    self.tell = tell
    while true {
      let start = AgentLoop.now
      let outcome = await stretch()
      worked = AgentLoop.now - start
      if let outcome { return outcome }
      while isPaused, !isStopped { await withUnsafeContinuation { waiting = $0 } }
      if isStopped { return .cancelled }
      mustHalt = false
    }
  }

  /// Scans until the end or the next pause. Returns how it ended; nil for a pause.
  private func stretch() async -> JobOutcome? {
    do {
      try await scan()
      return .done
    } catch is Halt {
      return nil
    } catch {
      // What waits to be written is lost with the error; the next scan finds it again.
      _ = await writing?.value
      return isStopped ? .cancelled : .failed(failure ?? Self.text(error))
    }
  }

  /// Scans. Throws `Halt` if it was told to pause or to end.
  private func scan() async throws {
    folders = try await tools.folders()
    let found = try await walk(knowing: try await tools.index(folders))
    try await halt()
    var (plan, reports) = try await compare(found)
    try await write(plan.changes)
    try await read(&plan, before: found.walk.settledCount)
    try await write(plan.endingChanges)
    try await writeRest()
    try await tools.finish(reports)
  }

  /// Walks through the folders.
  private func walk(knowing index: KnownIndex) async throws -> LibraryWalk.Findings {
    try await halt()
    let job = BlockingJob()
    walking = job
    defer { walking = nil }
    let progress = WalkProgress()
    follow(progress)
    defer { ticker?.cancel() }
    do {
      let found = try await tools.threads[0].run(job) { [folders, enters = tools.enters()] job in
        LibraryWalk.run(folders, knowing: index) { folder, count in
          job.looks(at: folder.text)
          enters(folder)
          progress.note(count, folder)
          return !job.isCancelled
        }
      }
      guard let found else { throw BlockingFailure.cancelled }
      return found
    } catch {
      try await halt()
      throw error
    }
  }

  /// Compares what was found with what is known. With many files that takes a while, so it is not done on the loop.
  private func compare(_ found: LibraryWalk.Findings) async throws -> (ScanPlan, [FolderReport]) {
    let known = try await tools.known(found.index.unsettled)
    return try await tools.threads[0].run { [folders] _ in
      (
        ScanPlan(found.walk, known: known, index: found.index),
        folders.map { FolderReport($0, found, known) }
      )
    }
  }

  /// Tells again and again how many files the walk has found, though nobody knows yet how many there are.
  private func follow(_ progress: WalkProgress) {
    ticker = AgentLoop.after(JobBoard.pace) { [weak self] in
      self?.tell(progress.step)
      self?.follow(progress)
    }
  }

  // MARK: Reading

  private typealias Records = Result<[Result<FileRecord, ReadingFailure>], NoReader>
  private typealias Piece = (files: [FoundFile], reading: Task<Records, any Error>)

  /// Has all files read that have to be. `settled` is how many more there are, which the walk alone has settled; they count as done.
  private func read(_ plan: inout ScanPlan, before settled: Int) async throws {
    let files = plan.toOpen
    let total = settled + files.count
    var begun = 0
    var pieces: [Piece] = []
    for start in stride(from: 0, to: files.count, by: ChangeBatch.filesAtOnce) {
      try await halt()
      // Each thread has a piece in hand and the next one before it, so that none waits for what is done here.
      while begun < files.count, pieces.count < 2 * tools.threads.count {
        let end = min(begun + ChangeBatch.filesAtOnce, files.count)
        pieces.append(
          begin(Array(files[begun..<end]), on: begun / ChangeBatch.filesAtOnce % tools.threads.count))
        begun = end
      }
      let piece = pieces.removeFirst()
      tell(JobStep(done: settled + start, total: total, current: piece.files.first?.path.text))
      for (file, result) in zip(piece.files, try await piece.reading.value.get()) {
        let due = batch.add(plan.read(file, result), at: AgentLoop.now)
        try await write(due)
      }
    }
    tell(JobStep(done: total, total: total))
    try await halt()
  }

  private func begin(_ files: [FoundFile], on thread: Int) -> Piece {
    let paths = files.map(\.path)
    let reading = AgentLoop.task(throwing: { [tools] () throws -> Records in
      try await tools.threads[thread].run { [read = tools.read] job in
        Result { () throws(NoReader) in try read(paths) { job.looks(at: $0.text) } }
      }
    })
    return (files, reading)
  }

  // MARK: Writing

  /// Begins to write changes as soon as those before are written. At most one transaction waits, so a slow disk slows down reading.
  private func write(_ changes: [FileChange]) async throws {
    guard !changes.isEmpty else { return }
    try await untilWritten()
    writing = AgentLoop.task { [weak self, tools, folders] in
      do {
        let counts = try await tools.apply(changes, folders)
        if !counts.isEmpty { self?.changed(counts) }
        return true
      } catch {
        self?.failure = Self.text(error)
        return false
      }
    }
  }

  private func writeRest() async throws {
    try await write(batch.rest())
    try await untilWritten()
  }

  private func untilWritten() async throws {
    guard let task = writing else { return }
    writing = nil
    if await !task.value { throw NotWritten() }
  }

  private struct NotWritten: Error {}

  // MARK: Halting

  /// Throws if the scan was told to pause or to end. What was read is written before, as the pause may be long.
  private func halt() async throws {
    guard mustHalt || isStopped else { return }
    try await writeRest()
    throw Halt()
  }

  private static func text(_ error: any Error) -> String {
    switch error {
    case let missing as NoReader: missing.reason
    case let refused as BusError: refused.message
    case let failure as BlockingFailure: "\(failure)"
    default: "\(error)"
    }
  }
}

extension LibraryScan.FolderReport {
  /// What there is to say about a folder after a walk. `known` are the files that were not found as they were.
  fileprivate init(_ folder: FilePath, _ found: LibraryWalk.Findings, _ known: [KnownFile]) {
    self.folder = folder
    why = Self.why(folder, found, known)
    silent = found.silent.first { $0.key == folder || $0.key.isBelow(folder) }?.value
  }

  private static func why(
    _ folder: FilePath, _ found: LibraryWalk.Findings, _ known: [KnownFile]
  ) -> String? {
    let kept = known.count { !$0.isHidden && $0.path.isBelow(folder) }
    let tracks = kept == 1 ? "its track is kept" : "its \(kept) tracks are kept"
    if let problem = found.problems.first(where: { $0.folder == folder }) {
      return kept == 0 ? problem.reason : "\(problem.reason); is its disk mounted? \(tracks)"
    }
    if found.walk.emptyRoots.contains(folder), kept > 0 {
      return "there is no music in it; is its disk mounted? \(tracks)"
    }
    let inner = found.problems.filter { $0.folder.isBelow(folder) }
    guard let first = inner.first else { return nil }
    let others = inner.count > 1 ? ", nor can \(inner.count - 1) more" : ""
    return "\(first.folder.text) can't be listed: \(first.reason)\(others)"
  }
}
