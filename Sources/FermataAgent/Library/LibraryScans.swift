// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import FaceModel
import FileIO
import JobLogic
import LibraryIO
import LibraryModel
import MediaModel
import ReaderIO
import ReaderModel
import WatchIO

/// Scans the library's folders: when somebody asks for it, when something in them has changed, and when `RescanPolicy` says so. Each scan is a job.
/// Owns the threads that scan, and the watches on the folders.
@AgentLoop
final class LibraryScans {
  /// Called when the library's database was made anew, so that its numbers are those of other items.
  var madeAnew: @AgentLoop () -> Void = {}
  /// Called when items came, changed or went.
  var changed: @AgentLoop (ChangeCounts) -> Void = { _ in }
  /// Called when a scan has found files elsewhere than before.
  var moved: @AgentLoop ([FileMove]) -> Void = { _ in }

  /// The character set in which tags are read that name none; nil for Latin-1. When it changes, everything is read again.
  var charset: String? {
    didSet { if charset != oldValue, watch != nil { begin() } }
  }

  private let databases: LibraryDatabases
  private let jobs: JobService
  private let log: Log
  /// The threads that scan. They have a low priority, so that the music comes first. There are two because a sleeping disk, or a file that makes the
  /// reader hang, holds up a thread for seconds. Both read files, and the first one also walks through folders.
  private let threads = ["library", "library-2"].map {
    // A disk that is gone may hold several folders of the library, and a thread for each.
    BlockingThread(
      $0, unhurried: true, yieldsAfter: .seconds(60), givesUpAfter: .seconds(120), mostStuck: 64)
  }
  private let read: LibraryScan.ReadFiles
  private let dead = DeadDisks()
  /// The scans that have not ended.
  private var open: [JobID: Scan] = [:]
  /// Watches the folders that a scan has entered; nil before the first scan, and if the library has no folders.
  private var watch: FolderTreeWatch?
  private var isStopped = false
  /// Tells of disks that are mounted. There is one while there is `watch`.
  private var mounts: MountWatch?
  private var policy = RescanPolicy()
  private var timer: LoopTimer?
  /// The problem of each folder that was logged last, so that it is not logged again.
  private var told: [FilePath: String] = [:]

  private struct Scan {
    /// The folders that were asked for; empty for all.
    let wanted: [FilePath]
    let work: LibraryScan
  }

  /// How long the items of missing files are kept.
  private nonisolated static let hiddenSeconds: Int64 = 30 * 86_400

  /// Where the folders really are.
  let places = FolderPlaces()
  /// Called when a scan has found a folder elsewhere than before.
  var placesChanged: @AgentLoop () -> Void = {}

  init(
    _ databases: LibraryDatabases, _ jobs: JobService, _ log: Log, read: @escaping LibraryScan.ReadFiles
  ) {
    (self.databases, self.jobs, self.log, self.read) = (databases, jobs, log, read)
    dead.answered = { [weak self] in
      self?.policy.answered(at: AgentLoop.now)
      self?.scanWhenDue()
    }
    // Nothing in the folders has changed, but they have to be looked through as if all had.
    databases.madeAnew = { [weak self] in
      self?.madeAnew()
      self?.foldersChanged()
    }
  }

  /// The oldest scan that has not ended; nil if there is none.
  var job: JobID? { open.keys.min() }

  /// A problem with the scans that a person should know; nil if there is none.
  var why: String? { policy.why }

  // MARK: Beginning

  /// Scans all folders, because they may have changed while no agent ran. Does nothing if there are none.
  func begin() {
    AgentLoop.task { [self] in
      guard let folders = try? await folders() else { return failToBegin() }
      guard !folders.isEmpty else { return }
      await removeStrays()
      startUpkeep(title(folders))
    }
  }

  /// Removes items that are below no folder of the library; no scan would ever find them gone.
  private func removeStrays() async {
    guard let removed = try? await databases.use({ try $0.removeStrays() }), removed > 0 else { return }
    log(.warning, "library: \(removed) items were below no folder of the library, and are forgotten")
    changed(ChangeCounts(removed: removed))
  }

  /// Scans these folders, or all if `wanted` is empty. Returns the job.
  func scan(_ wanted: [FilePath]) async throws(BusError) -> JobID {
    let folders = try await folders()
    // A folder that is named twice is looked through once.
    var seen: Set<FilePath> = []
    let chosen = wanted.filter { seen.insert($0).inserted }
    guard !folders.isEmpty else {
      throw AgentError.refused("the library has no folders; add one with 'fermata library add DIR'")
    }
    for path in chosen where !folders.contains(path) {
      let around = folders.first(where: path.isBelow)
      throw AgentError.refused(
        around.map { "'\(path)' is a part of '\($0)'; scan that one" }
          ?? "'\(path)' is no folder of the library; add it first")
    }
    dead.tryNow(chosen.isEmpty ? folders : chosen)
    do throws(JobRefusal) { return try start(chosen, title(chosen.isEmpty ? folders : chosen), .asked) } catch
    {
      throw AgentError.tryAgain("\(error)")
    }
  }

  /// Call this after a folder was taken out of the library. Ends all watches, and scans and watches the folders that are left.
  /// If none is left, what was told of former scans counts no more.
  func beginAnew() async throws(BusError) {
    (watch, mounts) = (nil, nil)
    if try await !folders().isEmpty { return begin() }
    timer?.cancel()
    // A scan that still waits for its disk says nothing of what comes next.
    (open, policy, told) = ([:], RescanPolicy(), [:])
  }

  /// Has the scans end that include a folder. It does not wait until they are over: a dead disk can hold up one for minutes, and what it still writes
  /// below a folder that is taken out counts for nothing.
  func cancel(through folder: FilePath) {
    let cut = open.keys.filter { open[$0].map { $0.wanted.isEmpty || $0.wanted.contains(folder) } ?? false }
    for id in cut { try? jobs.obey(.cancel, id) }
  }

  /// Begins no more scans. The owner of the jobs ends those that run.
  func stop() {
    isStopped = true
    timer?.cancel()
    dead.answered = {}
    (watch, mounts) = (nil, nil)
  }

  private func folders() async throws(BusError) -> [FilePath] {
    databases.areThere ? try await databases.use { try $0.folderPaths() } : []
  }

  private func title(_ folders: [FilePath]) -> String {
    "Scan " + folders.prefix(3).map(\.text).joined(separator: ", ") + (folders.count > 3 ? " …" : "")
  }

  /// Call this if the library cannot even say which folders it has. A scan is added all the same: it fails with the reason, and is tried again.
  private func failToBegin() { startUpkeep("Scan the library") }

  /// While the list of jobs is full, no scan can be added. Then it is tried again after this time.
  private static let fullPause = Duration.seconds(5)

  /// Scans everything without being asked. If there are too many jobs now, it is tried again a little later, whether something changes or not.
  private func startUpkeep(_ title: String) {
    guard !isStopped else { return }
    do throws(JobRefusal) { _ = try start([], title, .upkeep) } catch {
      policy.changed(at: AgentLoop.now)
      timer?.cancel()
      timer = AgentLoop.after(Self.fullPause) { [weak self] in self?.begin() }
    }
  }

  private func start(
    _ wanted: [FilePath], _ title: String, _ priority: JobPriority
  ) throws(JobRefusal) -> JobID {
    // A scan that waits to begin will see all the changes so far, so no second one is added. It will watch what it sees.
    if let waiting = open.first(where: { $0.value.wanted == wanted && jobs.job($0.key)?.state == .waiting }) {
      watchFolders(anew: wanted.isEmpty)
      return waiting.key
    }
    let work = LibraryScan(
      tools(wanted), changed: { [weak self] in self?.changed($0) }, moved: { [weak self] in self?.moved($0) })
    let id = try jobs.add(JobRequest(title, priority: priority), work)
    watchFolders(anew: wanted.isEmpty)
    open[id] = Scan(wanted: wanted, work: work)
    policy.began(isWhole: wanted.isEmpty)
    timer?.cancel()
    AgentLoop.task { [weak self, jobs] in
      await jobs.untilOver(id)
      self?.ended(id)
    }
    return id
  }

  /// Has a watch for the folders that a scan will see. With `anew`, that scan sees all.
  private func watchFolders(anew: Bool) {
    // A scan of all folders watches each of them, so it may begin with a new watch if the system has refused some, or if one may have left the library.
    if watch == nil || (anew && (watch?.trouble != nil || watch?.hasMovedFolder == true)) {
      policy.watchesAnew(after: watch?.trouble)
      watch = FolderTreeWatch { [weak self] in self?.foldersChanged() }
    }
    if mounts == nil { mounts = MountWatch { [weak self] in self?.mountsChanged(at: $0) } }
  }

  // MARK: The end, and the next

  /// Takes note that a scan is over, however it ended, and sets the timer for the next one.
  private func ended(_ id: JobID) {
    guard let scan = open.removeValue(forKey: id) else { return }
    let job = jobs.job(id)
    let end: RescanPolicy.End =
      switch job?.state {
      case .failed where scan.work.isInVain: .done
      case .failed: .failed(job?.why ?? "nobody knows why")
      case .cancelled: .cancelled
      default: .done
      }
    policy.watches(trouble: watch?.trouble)
    let news = policy.ended(end, isWhole: scan.wanted.isEmpty, after: scan.work.worked, at: AgentLoop.now)
    if let news { log(.warning, "library: \(news)") }
    scanWhenDue()
  }

  private func foldersChanged() {
    policy.changed(at: AgentLoop.now)
    scanWhenDue()
  }

  private func mountsChanged(at points: Set<FilePath>) {
    AgentLoop.task { [self] in
      guard let folders = try? await folders(), policy.concerns(mountsAt: points, folders, at: AgentLoop.now)
      else { return }
      guard dead.forget(mountsAt: points, at: AgentLoop.now) else { return foldersChanged() }
      // What a scan has failed for may be over.
      policy.answered(at: AgentLoop.now)
      scanWhenDue()
    }
  }

  private func scanWhenDue() {
    timer?.cancel()
    guard let due = policy.due else { return }
    timer = AgentLoop.after(max(.zero, due - AgentLoop.now)) { [weak self] in self?.begin() }
  }

  // MARK: What a scan works with

  private func tools(_ wanted: [FilePath]) -> LibraryScan.Tools {
    LibraryScan.Tools(
      threads: threads, isOfNamedFolders: !wanted.isEmpty,
      folders: { [self] in
        let present = try await databases.use { try $0.folderPaths() }
        let chosen = wanted.isEmpty ? present : present.filter(wanted.contains)
        return (chosen, present.filter { !chosen.contains($0) })
      },
      enters: { [self] in { [watch] in watch?.watch($0) } },
      read: read,
      charset: { [self] in charset },
      index: { [self] folders in
        try await databases.use { [charset] store in
          try store.tagsAreRead(in: charset)
          return try store.knownIndex(below: folders)
        }
      },
      known: { [self] ids in ids.isEmpty ? [] : try await databases.use { try $0.knownFiles(ids) } },
      knownIn: { [self] folders in try await databases.use { try $0.knownFiles(in: folders) } },
      apply: { [self] changes, folders in
        try await databases.use { try $0.apply(changes, of: folders, at: LibraryService.now) }
      },
      finish: { [self] in try await finish($0, isWhole: wanted.isEmpty) }, dead: dead,
      mountPoint: { [weak self] in self?.mounts?.mountPoint(of: $0) })
  }

  private func finish(_ reports: [LibraryScan.FolderReport], isWhole: Bool) async throws {
    let (purged, given, owes) = try await databases.use { store in
      let now = LibraryService.now
      let all = Set(reports.map(\.folder)).isSuperset(of: try store.folderPaths())
      // What could not be read may be the very file that a record belongs to. What we may not read stays so, and nobody waits for it.
      let whole = reports.filter { !$0.isMissing && !$0.isIncomplete }
      let given = try all ? store.handOver(in: whole.map(\.folder)) : store.handOverWhatIsNobodys()
      for report in reports {
        try store.noteScan(of: report.folder, at: report.isMissing ? nil : now, why: report.why)
      }
      let purged = try store.purge(olderThan: now - Self.hiddenSeconds)
      store.releaseMemory()
      return (purged.count, given.count, !all && store.mayOweRecords)
    }
    if given > 0 { changed(ChangeCounts(changed: given)) }
    let moved = reports.filter { !$0.isMissing && places.note($0.folder, isAt: $0.real ?? $0.folder) }
    if !moved.isEmpty { placesChanged() }
    // What a scan of some folders could not decide is decided by one of all, in a moment.
    if owes { policy.changed(at: AgentLoop.now) }
    for report in reports {
      // A problem such as an unmounted disk is logged once, and not after each scan.
      if let why = report.why, told[report.folder] != why {
        log(.warning, "library: '\(report.folder)': \(why)")
      }
      told[report.folder] = report.why
    }
    let silent = reports.map { ($0.folder, $0.silent) }
    policy.saw(
      Dictionary(silent, uniquingKeysWith: { first, _ in first }),
      missing: Set(reports.lazy.filter(\.isMissing).map(\.folder)),
      lackingDisks: Set(reports.lazy.filter(\.lacksDisk).map(\.folder)),
      incomplete: Set(reports.lazy.filter(\.isIncomplete).map(\.folder)), isWhole: isWhole)
    if purged > 0 {
      log(.info, "library: \(purged) items are forgotten: their files are gone for 30 days")
    }
  }
}

extension ReaderClient {
  /// Reads files for a scan: one result each, in order; `looking` is called with each file that is being read. Blocks. Throws if the program that
  /// reads files is missing.
  func records(
    of files: [FilePath], looking: (FilePath) -> Void
  ) throws(LibraryScan.NoReader) -> [Result<FileRecord, ReadingFailure>] {
    var records: [Result<FileRecord, ReadingFailure>] = []
    for result in read(files, looking: looking) {
      switch result {
      case .success(let found): records.append(.success(FileRecord(found)))
      case .failure(.readerMissing(let reason)):
        throw LibraryScan.NoReader(reason: "tags can't be read: \(reason)")
      case .failure(let failure): records.append(.failure(ReadingFailure(failure)))
      }
    }
    return records
  }
}

extension FileRecord {
  fileprivate init(_ found: FileTags) {
    self.init(
      tags: found.tags, format: found.format, kilobits: found.kilobits, hasPicture: found.hasPicture,
      fingerprint: found.fingerprint)
  }
}

extension ReadingFailure {
  /// The failure without its remedy, because the library shows it in a list beside the file.
  fileprivate init(_ failure: ReadFailure) {
    switch failure {
    case .unreadable(let code) where SystemError(code: code).isMissing: self = .vanished
    case .unreadable(let code): self = .unreadable(String(errno: code))
    case .notAFile: self = .unsound("it is no regular file")
    case .unknownFormat: self = .unsound("its format is not played")
    case .broken: self = .unsound("it is broken")
    case .killedReader(let reason): self = .unsound("its tags can't be read: \(reason)")
    case .readerMissing(let reason): self = .unreadable(reason)
    }
  }
}
