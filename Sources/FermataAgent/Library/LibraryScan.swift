// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import FileIO
import Glibc
import JobLogic
import LibraryModel
import MediaModel
import SourceIO

/// One scan of library folders: walks through them, has new and changed files read, and stores the changes that `ScanPlan` derives.
///
/// The work is done in pieces on threads that may block: one walks, several read files, and another one writes meanwhile. Between two pieces the scan
/// ends if it was told to. Each write leaves the library consistent, so nothing that was written is lost. After a pause, which may have lasted for
/// weeks, the scan starts from the beginning, because what it knew is old; files that were written are not read again. During a pause it keeps
/// nothing in memory. Loop only; it lives until `run` returns.
@AgentLoop
final class LibraryScan: JobWorker {
  /// The functions and threads that a scan works with.
  struct Tools: Sendable {
    /// The threads that read files. The first of them also walks through the folders.
    var threads: [BlockingThread]
    /// Whether somebody has named the folders, and is to be told if none is there.
    var isOfNamedFolders = false
    /// Returns the folders of the library that are to be looked through, and the others, of which a link may lead into one.
    var folders: @AgentLoop () async throws -> (wanted: [FilePath], others: [FilePath])
    /// Returns a function that is called with each folder before its names are listed, on the thread that walks. It starts to watch the folder, so
    /// that no change is missed.
    var enters: @AgentLoop () -> @Sendable (FilePath) -> Void
    /// Reads files, one result each, in order, and calls its second argument with the file that is being read. Blocks. Throws if no file can be read
    /// at all.
    var read: ReadFiles
    /// Returns the character set of CUE sheets that are not UTF-8.
    var charset: @AgentLoop () -> String? = { nil }
    /// Returns the files that the library knows below these folders, also those that it has hidden because they are missing.
    var index: @AgentLoop ([FilePath]) async throws -> KnownIndex
    /// Returns the files of these items.
    var known: @AgentLoop ([MediaItem.ID]) async throws -> [KnownFile]
    /// Returns the files that the library knows in these folders themselves, without the folders below.
    var knownIn: @AgentLoop ([FilePath]) async throws -> [KnownFile]
    /// Writes changes that were found in these folders in one transaction, and returns which items came, changed and went.
    var apply: @AgentLoop ([FileChange], [FilePath]) async throws -> AppliedChanges
    /// Notes that a scan was completed, with what it says of its folders, also of those that it had to leave out.
    var finish: @AgentLoop ([FolderReport]) async throws -> Void
    /// The folders that are not walked through, since a thread waits in each of them for its disk.
    var dead: DeadDisks
    /// Returns the folder where the file system of a path is mounted; nil if that is not known. Asks no disk.
    var mountPoint: @AgentLoop (FilePath) -> FilePath?
  }

  typealias ReadFiles =
    @Sendable ([FilePath], (FilePath) -> Void) throws(NoReader) -> [Result<FileRecord, ReadingFailure>]

  /// Thrown if no file can be read at all, with the reason.
  struct NoReader: Error, Sendable {
    let reason: String
  }

  /// The result of a completed scan for one of its folders.
  struct FolderReport: Sendable, Hashable {
    var folder: FilePath
    /// What is wrong with the folder; nil if nothing is.
    var why: String?
    /// The name of a file system in the folder that tells of no changes; nil if all do.
    var silent: String?
    /// Whether the folder can't be listed, was left out because its disk does not answer, or is empty although the library knows files in it: its disk
    /// may be mounted later.
    var isMissing = false
    /// Whether a file in the folder could not be read, or a folder in it not be listed, and only another scan can find out when that is possible. A
    /// missing permission is no such case: the watch reports when it is given.
    var isIncomplete = false
    /// Whether the library knows files in the folder on a disk that is not mounted now.
    var lacksDisk = false
    /// Where the folder really is, if it is reached by a link.
    var real: FilePath?

    /// Takes the files that could not be opened, with the reasons.
    mutating func take(_ unreadable: [(path: FilePath, reason: String)]) {
      let inside = unreadable.filter { $0.path.isBelow(folder) }
      guard let first = inside.first else { return }
      isIncomplete = isIncomplete || inside.contains { $0.reason != String(errno: EACCES) }
      let others = inside.count > 1 ? ", nor can \(inside.count - 1) more" : ""
      why = why ?? "\(first.path.text) can't be read: \(first.reason)\(others)"
    }
  }

  /// Whether none of the folders that somebody named was there. Then the job has failed for that person, and there is nothing to be tried again.
  private(set) var isInVain = false

  /// Thrown inside a scan that was told to pause or to end, to leave the work at hand.
  private struct Halt: Error {}

  private let tools: Tools
  private var tell: @AgentLoop (JobStep) -> Void = { _ in }
  private let changed: @AgentLoop (ChangeCounts) -> Void
  private let moved: @AgentLoop ([FileMove]) -> Void
  /// The files that were found elsewhere, and of which `moved` was not told yet. Where files have exchanged their names, one move alone would lead
  /// astray, so they are told all at once.
  private var moves: [FileMove] = []
  /// How long the scan worked since its beginning or its last pause at what the next one may have to do again. Of the reading of files only that share
  /// counts: new files that could be read are not read again, but such as are written all the time, or can't be read, are by each scan.
  private(set) var worked = Duration.zero
  /// When it was known what has changed; nil before.
  private var compared: Duration?
  /// The share of the reading behind that which the next scan may have to do again.
  private var repeated = 1.0

  /// The folders that this scan walks through; those whose disk does not answer are taken out.
  private var folders: [FilePath] = []
  private var others: [FilePath] = []
  /// The reports about those of the folders that are left out, because their disks do not answer.
  private var left: [FolderReport] = []
  /// The places inside folders of this scan that are left out, because their disks do not answer.
  private var leftInside: [FilePath] = []
  /// How many files were given up on so far in this scan, because their disk did not answer.
  private var silentFiles = 0
  private var isPaused = false
  /// Whether the scan was paused since it began. It stays true when the scan may go on again, because the present work still has to end.
  private var mustHalt = false
  private var isStopped = false
  private let pausing = WaitingCallers()
  /// The job that walks through folders now, so that it can be cancelled; nil if none does.
  private var walking: BlockingJob?
  private var ticker: LoopTimer?
  private var batch = ScanBatch()
  /// The task that is writing changes now; nil if none is.
  private var writing: Task<Bool, Never>?
  private var failure: String?

  /// A scan that has not begun. `changed` is called after each write, with the numbers of items that came, changed and went.
  init(
    _ tools: Tools, changed: @escaping @AgentLoop (ChangeCounts) -> Void,
    moved: @escaping @AgentLoop ([FileMove]) -> Void
  ) {
    (self.tools, self.changed, self.moved) = (tools, changed, moved)
  }

  // MARK: Orders

  /// Makes the scan halt after the present piece of work.
  func pause() {
    (isPaused, mustHalt) = (true, true)
    walking?.cancel()
  }

  /// Lets the scan go on after a pause.
  func goOn() {
    isPaused = false
    pausing.resume()
  }

  /// Makes the scan end after the present piece of work, even during a pause.
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
      (compared, repeated) = (nil, 1)
      let outcome = await stretch()
      let end = AgentLoop.now
      let looked = compared ?? end
      worked = looked - start + (end - looked) * repeated
      if let outcome { return outcome }
      while isPaused, !isStopped { await pausing.wait() }
      if isStopped { return .cancelled }
      mustHalt = false
    }
  }

  /// Scans until the end or the next pause. Returns the outcome; nil for a pause.
  private func stretch() async -> JobOutcome? {
    defer { tellMoves() }
    do {
      try await scan()
      return .done
    } catch is Halt {
      return nil
    } catch {
      // Changes that were not written are lost with the error; the next scan finds them again.
      _ = await writing?.value
      return isStopped ? .cancelled : .failed(failure ?? Self.text(error))
    }
  }

  private func tellMoves() {
    if !moves.isEmpty { moved(moves) }
    moves = []
  }

  /// Does one whole scan. Throws `Halt` if it was told to pause or to end.
  private func scan() async throws {
    (folders, others) = try await tools.folders()
    let found = try await walkWhatAnswers()
    try await halt()
    var (plan, reports) = try await compare(found)
    compared = AgentLoop.now
    try await readSheets(&plan)
    try await write(plan.changes)
    try await read(&plan, before: found.walk.settledCount - plan.reopenedCount)
    try await write(plan.endingChanges)
    try await writeRest()
    repeated = plan.shareOfRepeatedReading
    for index in reports.indices { reports[index].take(plan.unreadable) }
    try await tools.finish(reports + left)
    let all = reports + left
    if tools.isOfNamedFolders, let first = all.first, all.allSatisfy(\.isMissing) {
      isInVain = true
      throw Missing(reason: "'\(first.folder)': \(first.why ?? "it is not there")")
    }
  }

  /// Thrown if none of the folders that somebody named is there.
  private struct Missing: Error { let reason: String }

  /// Walks through the folders. Those whose disk or network does not answer are left out, and the others are scanned all the same. Of a folder in which
  /// only another disk does not answer, only that disk is left out. Throws if no folder is left.
  private func walkWhatAnswers() async throws -> LibraryWalk.Findings {
    left = []
    leftInside = tools.dead.inside(folders)
    for folder in folders {
      if let reason = tools.dead.reason(folder) { leaveOut(folder, reason) }
    }
    // The real path of a folder on a dead disk can't be looked up, so links into it are not recognised in this scan.
    others.removeAll { tools.dead.reason($0) != nil }
    while true {
      if folders.isEmpty, let first = left.first {
        try await halt()
        // So it is known which folders a mount may bring back.
        try await tools.finish(left)
        throw LeftOut(reason: first.why ?? "")
      }
      let end = WalkEnd()
      do {
        let found = try await walk(until: end)
        tools.dead.wentThrough(folders)
        return found
      } catch BlockingFailure.unresponsive(let subject?) {
        let path = FilePath(subject)
        let holders = folders.filter { FilePath($0.text).map { path?.isAtOrBelow($0) == true } ?? false }
        guard let folder = holders.max(by: { $0.bytes.count < $1.bytes.count }) else {
          try await halt()
          throw BlockingFailure.unresponsive(subject)
        }
        let reason = "\(BlockingFailure.unresponsive(subject)) its tracks are kept"
        guard let place = path.flatMap({ silentPlace(at: $0, in: folder) }) else {
          tools.dead.add(folder, reason, until: end)
          leaveOut(folder, reason)
          continue
        }
        tools.dead.add(place, reason, until: end)
        leftInside.append(place)
      }
    }
  }

  /// What to leave out of a folder of the library, if nothing came back from `path` in it: the disk that is mounted there, or else the path itself, which
  /// may be a link to another disk. Nil if that is the whole folder. Also nil if a path was left out before: then more of the folder's disk hangs, and
  /// each further try would cost a thread and minutes.
  private func silentPlace(at path: FilePath, in folder: FilePath) -> FilePath? {
    if let point = tools.mountPoint(path), point.isBelow(folder), !leftInside.contains(point) { return point }
    return path.isBelow(folder) && !leftInside.contains { $0.isBelow(folder) } ? path : nil
  }

  private func leaveOut(_ folder: FilePath, _ reason: String) {
    folders.removeAll { $0 == folder }
    left.append(FolderReport(folder: folder, why: reason, isMissing: true))
  }

  /// Thrown if all folders were left out, with the reason of the first.
  private struct LeftOut: Error { let reason: String }

  /// Walks through the folders. Files that the library's index shows to be unchanged are only counted. The index is read meanwhile.
  private func walk(until end: WalkEnd) async throws -> LibraryWalk.Findings {
    try await halt()
    let job = BlockingJob()
    let index = ComingIndex()
    let reading = AgentLoop.task(throwing: { [tools, folders] in
      do { index.arrive(try await tools.index(folders)) } catch {
        index.arrive(nil)
        throw error
      }
    })
    walking = job
    defer { walking = nil }
    let progress = WalkProgress()
    follow(progress)
    defer { ticker?.cancel() }
    do {
      let found = try await tools.threads[0].run(job) {
        [folders, others, left = left.map(\.folder) + leftInside, enters = tools.enters()] job in
        defer { end.come() }
        return LibraryWalk.run(
          folders, beside: others, without: left, knowing: index,
          looks: {
            job.looks(at: $0.text)
            return !job.isCancelled
          },
          sees: enters,
          goesOn: { folder, count in
            enters(folder)
            progress.note(count, folder)
            return !job.isCancelled
          })
      }
      if found == nil { try await reading.value }
      guard let found else { throw BlockingFailure.cancelled }
      return found
    } catch let failure as BlockingFailure where failure != .cancelled {
      // Where a thread waits has to be known, also if the scan is to end now.
      throw failure
    } catch {
      try await halt()
      throw error
    }
  }

  /// Compares the files found with the files that the library knows. With many files that takes a while, so it is not done on the loop.
  private func compare(_ found: LibraryWalk.Findings) async throws -> (ScanPlan, [FolderReport]) {
    let known = try await tools.known(found.index.unsettled)
    return try await tools.threads[0].run { [folders] _ in
      let plan = ScanPlan(found.walk, known: known, index: found.index)
      return (plan, folders.map { FolderReport($0, found, known, plan) })
    }
  }

  /// Reports every now and then how many files the walk has found. The total is not known yet.
  private func follow(_ progress: WalkProgress) {
    ticker = AgentLoop.after(JobBoard.pace) { [weak self] in
      self?.tell(progress.step)
      self?.follow(progress)
    }
  }

  // MARK: Reading

  /// Reads the CUE sheets of the folders where they may say something else than before.
  private func readSheets(_ plan: inout ScanPlan) async throws {
    let folders = plan.sheetFolders
    guard !folders.isEmpty else { return }
    try await halt()
    let job = BlockingJob()
    walking = job
    defer { walking = nil }
    do {
      let found = try await tools.threads[0].run(job) { [charset = tools.charset()] job in
        SheetFindings.read(in: folders, charset: charset) { folder in
          job.looks(at: folder.text)
          return !job.isCancelled
        }
      }
      guard let found else { throw BlockingFailure.cancelled }
      plan.take(found, known: try await tools.knownIn(folders))
    } catch {
      try await halt()
      throw error
    }
  }

  private typealias Records = Result<[Result<FileRecord, ReadingFailure>], NoReader>
  private typealias Piece = (files: [FoundFile], reading: Task<Records, any Error>)

  /// Reads all files that are new or changed. `settled` is the number of other files, which count as done because the walk found them unchanged.
  private func read(_ plan: inout ScanPlan, before settled: Int) async throws {
    let files = plan.toOpen
    let total = settled + files.count
    var begun = 0
    var pieces: [Piece] = []
    for start in stride(from: 0, to: files.count, by: ScanBatch.filesAtOnce) {
      try await halt()
      // Each thread has one piece in hand and one that waits, so that no thread is idle while results are written.
      while begun < files.count, pieces.count < 2 * tools.threads.count {
        let end = min(begun + ScanBatch.filesAtOnce, files.count)
        pieces.append(
          begin(Array(files[begun..<end]), on: begun / ScanBatch.filesAtOnce % tools.threads.count))
        begun = end
      }
      let piece = pieces.removeFirst()
      tell(JobStep(done: settled + start, total: total, current: piece.files.first?.path.text))
      for (file, result) in try await results(of: piece) {
        let due = batch.add(plan.read(file, result), at: AgentLoop.now)
        try await write(due)
      }
    }
    tell(JobStep(done: total, total: total))
    try await halt()
  }

  /// Of so many files in one scan it is waited in vain for an answer of the disk; with one more, the scan fails.
  private static let mostSilentFiles = 3

  /// What reading the files of a piece gave. A file whose disk does not answer counts as unreadable, and the others of its piece are read once more: behind
  /// one file that hangs whenever it is opened, the rest of the library would never be scanned.
  private func results(of piece: Piece) async throws -> [(FoundFile, Result<FileRecord, ReadingFailure>)] {
    do {
      return Array(zip(piece.files, try await piece.reading.value.get()))
    } catch BlockingFailure.unresponsive(let subject?) where silentFiles < Self.mostSilentFiles {
      guard let silent = piece.files.first(where: { $0.path.text == subject }) else {
        throw BlockingFailure.unresponsive(subject)
      }
      silentFiles += 1
      let others = piece.files.filter { $0 != silent }
      let failure = ReadingFailure.unreadable("its disk or its network does not answer")
      return try await results(of: begin(others, on: 0)) + [(silent, .failure(failure))]
    }
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

  /// Begins to write changes as soon as the changes before them are written. At most one transaction waits, so a slow disk slows down reading.
  private func write(_ changes: [FileChange]) async throws {
    guard !changes.isEmpty else { return }
    try await untilWritten()
    writing = AgentLoop.task { [weak self, tools, folders] in
      do {
        let applied = try await tools.apply(changes, folders)
        if !applied.counts.isEmpty { self?.changed(applied.counts) }
        self?.moves += applied.moves
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

  /// Throws if the scan was told to pause or to end. All results are written before that, because the pause may be long.
  private func halt() async throws {
    guard mustHalt || isStopped else { return }
    try await writeRest()
    throw Halt()
  }

  private static func text(_ error: any Error) -> String {
    switch error {
    case let missing as NoReader: missing.reason
    case let missing as Missing: missing.reason
    case let left as LeftOut: left.reason
    case let refused as BusError: refused.message
    case let failure as BlockingFailure: "\(failure)"
    default: "\(error)"
    }
  }
}

extension LibraryScan.FolderReport {
  /// The report about a folder after a walk. `known` are the library's files that the walk did not find unchanged.
  fileprivate init(
    _ folder: FilePath, _ found: LibraryWalk.Findings, _ known: [KnownFile], _ plan: ScanPlan
  ) {
    self.folder = folder
    lacksDisk = plan.rootsLackingDisks.contains(folder)
    real = found.reals[folder].flatMap { $0 == folder ? nil : $0 }
    isIncomplete = found.problems.contains {
      $0.folder.isBelow(folder) && $0.reason != String(errno: EACCES)
    }
    let kept = known.count { !$0.isHidden && !$0.path.isSheet && $0.path.isBelow(folder) }
    isMissing =
      found.problems.contains { $0.folder == folder }
      || (kept > 0 && found.walk.emptyRoots.contains(folder) && found.doubles[folder] == nil)
    why = Self.why(folder, found, kept, isMissing)
    silent = found.silent.first { $0.key.isAtOrBelow(folder) }?.value
  }

  private static func why(
    _ folder: FilePath, _ found: LibraryWalk.Findings, _ kept: Int, _ isMissing: Bool
  ) -> String? {
    if let same = found.doubles[folder] {
      let (relation, one) =
        folder.isBelow(same)
        ? ("a part of ", "it out with 'fermata library remove', and its items stay")
        : ("", "one of them out with 'fermata library remove'")
      return "it is \(relation)'\(same)', which is in the library already; take \(one)"
    }
    let tracks = kept == 1 ? "its track is kept" : "its \(kept) tracks are kept"
    if let problem = found.problems.first(where: { $0.folder == folder }) {
      return kept == 0 ? problem.reason : "\(problem.reason); is its disk mounted? \(tracks)"
    }
    if isMissing { return "there is no music in it; is its disk mounted? \(tracks)" }
    guard let first = found.problems.first(where: { $0.folder.isBelow(folder) }) else { return nil }
    let count = found.walk.unseen.count { $0.isBelow(folder) }
    let others = count > 1 ? ", nor can \(count - 1) more" : ""
    return "\(first.folder.text) can't be listed: \(first.reason)\(others)"
  }
}
