// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import JobLogic
import LibraryModel
import MediaModel

/// One scan of library folders: walks through them, has new and changed files read, and writes what follows, as `ScanPlan` decides.
///
/// The work is done in pieces on two threads that may block: one walks and reads, the other one writes meanwhile. Between two pieces the
/// scan pauses or ends if it was told to. What was written stays, and the library is sound after each piece. Loop only; it lives until
/// `run` returns.
@AgentLoop
final class LibraryScan: JobWorker {
  /// What a scan works with.
  struct Tools: Sendable {
    /// Looks through folders and has files read.
    var thread: BlockingThread
    /// Called with each folder before its names are read, on that thread: to watch it, so that no change is missed.
    var enters: @Sendable (FilePath) -> Void
    /// Reads files, one result each, in order. Blocks. Throws if no file can be read at all.
    var read: @Sendable ([FilePath]) throws(NoReader) -> [Result<FileRecord, ReadingFailure>]
    /// The files that the library knows below these folders, hidden ones as well.
    var known: @AgentLoop ([FilePath]) async throws -> [KnownFile]
    /// Writes changes in one transaction, and returns how many items came, changed and went.
    var apply: @AgentLoop ([FileChange]) async throws -> ChangeCounts
    /// Notes that a scan of these folders came to its end.
    var finish: @AgentLoop ([FolderReport]) async throws -> Void
  }

  /// Why no file can be read.
  struct NoReader: Error, Sendable {
    let reason: String
  }

  /// What a scan has to say about one of its folders when it has come to its end.
  struct FolderReport: Sendable, Hashable {
    var folder: FilePath
    /// What is wrong with it; nil if nothing is.
    var why: String?
  }

  /// How many files the reader gets at once. After so many the thread says that it is alive.
  private nonisolated static let handful = 32

  private let folders: [FilePath]
  private let tools: Tools
  private var tell: @AgentLoop (JobStep) -> Void = { _ in }
  private let changed: @AgentLoop (ChangeCounts) -> Void

  private var isPaused = false
  private var isStopped = false
  private var waiting: UnsafeContinuation<Void, Never>?
  /// The piece of work that may be called off at any time.
  private var walking: BlockingJob?
  private var ticker: LoopTimer?
  private var batch = ChangeBatch()
  /// The changes that are being written.
  private var writing: Task<Bool, Never>?
  private var failure: String?

  /// A scan of these folders. `changed` is called with what was written.
  init(_ folders: [FilePath], _ tools: Tools, changed: @escaping @AgentLoop (ChangeCounts) -> Void) {
    (self.folders, self.tools, self.changed) = (folders, tools, changed)
  }

  // MARK: Orders

  /// Makes it halt after the present piece.
  func pause() { isPaused = true }

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
    do {
      return try await scan() ? .done : .cancelled
    } catch {
      // What waits to be written is lost with the error; the next scan finds it again.
      _ = await writing?.value
      return isStopped ? .cancelled : .failed(failure ?? Self.text(error))
    }
  }

  /// Scans, and returns whether it came to its end.
  private func scan() async throws -> Bool {
    guard let found = try await walk(), await mayGoOn() else { return false }
    var (plan, reports) = try await compare(found)
    try await write(plan.changes)
    let isWhole = try await read(&plan, of: found.walk.files.count)
    if isWhole { try await write(plan.endingChanges) }
    try await writeRest()
    if isWhole { try await tools.finish(reports) }
    return isWhole
  }

  /// Walks through the folders; nil if the walk was called off.
  private func walk() async throws -> LibraryWalk.Findings? {
    let job = BlockingJob()
    walking = job
    defer { walking = nil }
    let progress = WalkProgress()
    follow(progress)
    defer { ticker?.cancel() }
    return try await tools.thread.run(job) { [folders, enters = tools.enters] job in
      LibraryWalk.run(folders) { folder, count in
        job.looks(at: folder.text)
        enters(folder)
        progress.note(count, folder)
        return !job.isCancelled
      }
    }
  }

  /// Compares what was found with what is known. With many files that takes a while, so it is not done on the loop.
  private func compare(_ found: LibraryWalk.Findings) async throws -> (ScanPlan, [FolderReport]) {
    let known = try await tools.known(folders)
    return try await tools.thread.run { [folders] _ in
      (
        ScanPlan(found.walk, known: known),
        folders.map { FolderReport(folder: $0, why: Self.why($0, found, known)) }
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

  /// Has all files read that have to be. Returns whether that came to its end.
  private func read(_ plan: inout ScanPlan, of total: Int) async throws -> Bool {
    let files = plan.toOpen
    let before = total - files.count
    for start in stride(from: 0, to: files.count, by: ChangeBatch.filesAtOnce) {
      guard await mayGoOn() else { return false }
      let piece = Array(files[start..<min(start + ChangeBatch.filesAtOnce, files.count)])
      tell(JobStep(done: before + start, total: total, current: piece.first?.path.text))
      for (file, result) in zip(piece, try await results(of: piece)) {
        let due = batch.add(plan.read(file, result), at: AgentLoop.now)
        try await write(due)
      }
    }
    tell(JobStep(done: total, total: total))
    return await mayGoOn()
  }

  private func results(
    of files: [FoundFile]
  ) async throws -> [Result<FileRecord, ReadingFailure>] {
    let paths = files.map(\.path)
    return try await tools.thread.run { [read = tools.read] job in
      Result { () throws(NoReader) in
        var results: [Result<FileRecord, ReadingFailure>] = []
        for start in stride(from: 0, to: paths.count, by: Self.handful) {
          job.looks(at: paths[start].text)
          results += try read(Array(paths[start..<min(start + Self.handful, paths.count)]))
        }
        return results
      }
    }.get()
  }

  // MARK: Writing

  /// Begins to write changes as soon as those before are written. At most one transaction waits, so a slow disk slows down reading.
  private func write(_ changes: [FileChange]) async throws {
    guard !changes.isEmpty else { return }
    try await untilWritten()
    writing = AgentLoop.task { [weak self, tools] in
      do {
        let counts = try await tools.apply(changes)
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

  /// Waits while the scan is paused. Returns false if it has to end.
  private func mayGoOn() async -> Bool {
    if isPaused, !isStopped {
      // What was read is not lost if the pause is long.
      try? await writeRest()
    }
    while isPaused, !isStopped { await withUnsafeContinuation { waiting = $0 } }
    return !isStopped
  }

  // MARK: Reports

  private nonisolated static func why(
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
    let others = inner.count > 1 ? ", and \(inner.count - 1) more folders can't be listed" : ""
    return "\(first.folder.text) can't be listed: \(first.reason)\(others)"
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
