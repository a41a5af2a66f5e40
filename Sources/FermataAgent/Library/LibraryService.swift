// SPDX-License-Identifier: MIT
package import AgentLoop
import BusModel
import FaceModel
import FileIO
import Glibc
import JobLogic
import LibraryIO
import LibraryModel
import LibraryQuery
import MediaModel
import SQLiteIO
import Synchronization
import WatchIO
import UserFiles

/// The library of the user's music: its folders, the scans of them, and what can be asked of it.
///
/// Owns the thread that alone uses the databases, and the one that walks through folders. Both begin with the first use, and the
/// databases are closed when nobody has used them for a while. So an agent without a library has no thread, no file and no timer for it.
/// Loop only.
@AgentLoop
package final class LibraryService {
  /// Called when items came, changed or went.
  var changed: @AgentLoop (ChangeCounts) -> Void = { _ in }

  /// The long jobs, of which scans are one kind.
  let jobs: JobService
  /// Where the databases are; nil if the environment names no such place.
  private let folder: FilePath?
  private let store: StoreThread<LibraryStore>
  /// Looks up what callers name.
  private let orders: BlockingThread
  /// Walks through folders and has files read. Disks that sleep take seconds to answer, and so does a file that makes the reader hang.
  private let walking = BlockingThread("library", yieldsAfter: .seconds(60), givesUpAfter: .seconds(120))
  private let read: ReadFiles
  private let log: Log
  private let damage: Damage
  /// The scans that are not over.
  private var scans: [JobID: Scan] = [:]
  /// Searches that are not answered yet, by their callers.
  var searches: [BusName: SearchTicket] = [:]
  private var closing: LoopTimer?
  /// Watches the folders that a scan has entered; nil before the first scan, and without folders.
  private var watch: FolderTreeWatch?
  private var pace = RescanPace()
  private var rescan: LoopTimer?
  private var periodic: LoopTimer?

  private struct Scan {
    let folders: [FilePath]
    let start: Duration
  }

  typealias ReadFiles =
    @Sendable ([FilePath]) throws(LibraryScan.NoReader) -> [Result<
      FileRecord, ReadingFailure
    >]

  /// How long the databases stay open while nobody uses them.
  private static let idleTime = Duration.seconds(30)
  /// How often everything is looked through where changes are not told.
  private static let period = Duration.seconds(30 * 60)
  /// No scan is taken to be longer than this when the pause after it is chosen.
  private static let longScan = Duration.seconds(60)
  /// How long the items of missing files are kept.
  private nonisolated static let hiddenSeconds: Int64 = 30 * 86_400

  /// What was wrong with the databases. Their thread tells it when it opens them. Any thread.
  private final class Damage: Sendable {
    private let state = Mutex((text: String?.none, isDistrusted: false))

    var last: String? { state.withLock { $0.text } }
    func note(_ text: String) { state.withLock { $0.text = text } }

    /// Has everything checked when the databases are opened the next time.
    func distrust() { state.withLock { $0.isDistrusted = true } }
    func takeDistrust() -> Bool {
      state.withLock { state in
        defer { state.isDistrusted = false }
        return state.isDistrusted
      }
    }
  }

  /// A library whose databases are in `folder`. `read` reads files, on a thread that may block; `orders` looks up what callers name.
  init(in folder: FilePath?, jobs: JobService, orders: BlockingThread, log: Log, read: @escaping ReadFiles) {
    (self.folder, self.jobs, self.orders, self.log, self.read) = (folder, jobs, orders, log, read)
    let damage = Damage()
    self.damage = damage
    store = StoreThread("library-store") {
      let (store, found) = try LibraryStore.open(
        in: folder?.exactText ?? "", distrusted: damage.takeDistrust())
      for file in found {
        log(.warning, "library: \(file)")
        damage.note("\(file)")
      }
      return store
    }
  }

  // MARK: Its life

  /// Whether there is a library: somebody has added a folder once. Looked up once, as only this agent can make one.
  private(set) lazy var isThere =
    folder.map { folder in
      // The second one has the folders and what only the listener knows; the first can be made again from that.
      ["library.db", "listening.db"].contains { !folder.entry($0).isMissing }
    } ?? false

  /// Looks for what has changed while no agent ran, and goes on with a scan that was cut short. Does nothing without a library.
  func begin() {
    guard isThere else { return }
    AgentLoop.task { [self] in _ = try? await scan([], priority: .upkeep) }
  }

  /// Ends all scans.
  func stop() {
    for timer in [closing, rescan, periodic] { timer?.cancel() }
    watch = nil
    jobs.stop()
  }

  /// Uses the databases. Opens them if they are not open, and makes them if there are none.
  func use<Answer: Sendable>(
    _ body: @escaping @Sendable (LibraryStore) throws -> Answer
  ) async throws(BusError) -> Answer {
    guard folder?.exactText != nil else {
      throw AgentError.cannotWrite(
        folder.map { "the library can't be kept in '\($0)', which is no text in UTF-8" }
          ?? UserFolders.reason(noneSays: "where the library is kept", "XDG_DATA_HOME"))
    }
    do {
      let answer = try await store.run(body)
      isThere = true
      closeLater()
      return answer
    } catch {
      if let error = error as? StoreError, error.isProofOfDamage {
        // The next use opens them anew, and sets aside what is damaged.
        damage.distrust()
        store.close()
      }
      throw Self.error(error)
    }
  }

  private func closeLater() {
    closing?.cancel()
    closing = AgentLoop.after(Self.idleTime) { [weak self] in
      guard let self else { return }
      self.scans.isEmpty ? self.store.close() : self.closeLater()
    }
  }

  private static func error(_ error: any Error) -> BusError {
    switch error {
    case let error as BusError: error
    case let error as StoreError where error.isInterruption:
      AgentError.refused("a later search overtook this one")
    case let error as StoreError where error.isBusy:
      AgentError.tryAgain("another program uses the library; end that one, or try again")
    case let error as StoreError: AgentError.cannotWrite(error.advice)
    default: AgentError.tryAgain("\(error)")
    }
  }

  /// Seconds since 1970 in UTC.
  nonisolated static var now: Int64 { Int64(time(nil)) }

  nonisolated static var queryTime: QueryTime {
    var (now, local) = (time(nil), tm())
    localtime_r(&now, &local)
    return QueryTime(now: Int64(now), ahead: Int64(local.tm_gmtoff))
  }

  // MARK: Folders and scans

  /// Takes a folder into the library and scans it. Throws if there is no such folder, or if it lies in another one of the library.
  func add(_ path: FilePath) async throws(BusError) -> JobID {
    let path = try await existing(path)
    let folders = try await use { try $0.folders().map(\.path) }
    if let outer = folders.first(where: path.isBelow) {
      throw AgentError.refused(
        "'\(path)' is in the library already, as a part of '\(outer)'; scan that one to find what is new")
    }
    try await use { try $0.addFolder(path, at: Self.now) }
    return try await scan([path])
  }

  /// The folder at this path, without doubled slashes and the like. Throws if there is none.
  private func existing(_ path: FilePath) async throws(BusError) -> FilePath {
    let found: Result<FilePath, BusError>
    do throws(BlockingFailure) {
      found = try await orders.run { job in
        job.looks(at: path.text)
        let path = path.tidied.withoutParents
        do throws(SystemError) {
          let kind = try HeldFile(path).kind
          return kind == .folder
            ? .success(path)
            : .failure(AgentError.refused("'\(path)' is \(kind.name); name a folder of music"))
        } catch {
          let reason = String(errno: error.code)
          return .failure(AgentError.noSuchFile("'\(path)': \(reason); name a folder that is there"))
        }
      }
    } catch { throw AgentError.tryAgain("\(error)") }
    return try found.get()
  }

  /// Takes a folder out of the library. What the user said of its items is kept, and is back when they are.
  func remove(_ path: FilePath) async throws(BusError) {
    let path = path.tidied
    // A scan would put its files back.
    let cut = scans.keys.filter { scans[$0]?.folders.contains(path) ?? false }
    for id in cut { try? jobs.obey(.cancel, id) }
    for id in cut { await jobs.untilOver(id) }
    guard isThere, let removed = try await use({ try $0.removeFolder(path) }) else {
      throw AgentError.refused("'\(path)' is no folder of the library; fermata library status lists them")
    }
    if !removed.isEmpty { changed(ChangeCounts(removed: removed.count)) }
    // What is left is scanned anew: the scan that was cut short goes on, and its folders are watched again.
    watch = nil
    if try await use({ try !$0.folders().isEmpty }) { _ = try await scan([], priority: .upkeep) }
  }

  /// Has these folders looked through, or all if there are none. Returns the job.
  func scan(_ wanted: [FilePath], priority: JobPriority = .asked) async throws(BusError) -> JobID {
    let folders = isThere ? try await use { try $0.folders().map(\.path) } : []
    if watch == nil, !folders.isEmpty { watch = FolderTreeWatch { [weak self] in self?.foldersChanged() } }
    // A folder that is named twice is looked through once.
    var seen: Set<FilePath> = []
    let chosen = (wanted.isEmpty ? folders : wanted.map(\.tidied)).filter { seen.insert($0).inserted }
    guard !chosen.isEmpty else {
      throw AgentError.refused("the library has no folders; add one first")
    }
    for path in chosen where !folders.contains(path) {
      throw AgentError.refused("'\(path)' is no folder of the library; add it first")
    }
    // One that has not begun will see all that is there by then.
    if let waiting = scans.first(where: { $0.value.folders == chosen && jobs.job($0.key)?.state == .waiting })
    {
      return waiting.key
    }
    let scan = LibraryScan(chosen, tools) { [weak self] in self?.changed($0) }
    let title =
      "Scan " + chosen.prefix(3).map(\.text).joined(separator: ", ") + (chosen.count > 3 ? " …" : "")
    do throws(JobRefusal) {
      let id = try jobs.add(JobRequest(title, priority: priority), scan)
      scans[id] = Scan(folders: chosen, start: AgentLoop.now)
      AgentLoop.task { [weak self, jobs] in
        await jobs.untilOver(id)
        self?.ended(id)
      }
      return id
    } catch { throw AgentError.tryAgain("\(error)") }
  }

  private var tools: LibraryScan.Tools {
    LibraryScan.Tools(
      thread: walking, enters: { [watch] in watch?.watch($0) }, read: read,
      known: { [self] folders in
        try await use { store in
          // A folder may lie in another one; its files are known once.
          let outer = folders.filter { folder in !folders.contains { folder.isBelow($0) } }
          return try outer.flatMap { try store.knownFiles(below: $0) }
        }
      },
      apply: { [self] changes in
        let applied = try await use { try $0.apply(changes, at: Self.now) }
        return ChangeCounts(
          added: applied.added.count, changed: applied.changed.count, removed: applied.removed.count)
      },
      finish: { [self] reports in
        let purged = try await use { store in
          for report in reports { try store.noteScan(of: report.folder, at: Self.now, why: report.why) }
          let purged = try store.purge(olderThan: Self.now - Self.hiddenSeconds)
          store.releaseMemory()
          return purged.count
        }
        for report in reports {
          if let why = report.why { log(.warning, "library: '\(report.folder)': \(why)") }
        }
        if purged > 0 {
          log(.info, "library: \(purged) items are forgotten: their files are gone for 30 days")
        }
      })
  }

  // MARK: Changes on disk

  private func foldersChanged() {
    pace.changed(at: AgentLoop.now)
    scanWhenDue()
  }

  private func scanWhenDue() {
    rescan?.cancel()
    guard let due = pace.due, scans.isEmpty else { return }
    rescan = AgentLoop.after(max(.zero, due - AgentLoop.now)) { [weak self] in self?.scanAgain() }
  }

  private func scanAgain() {
    guard scans.isEmpty else { return }
    pace.began()
    AgentLoop.task { [self] in _ = try? await scan([], priority: .upkeep) }
  }

  /// A scan is over, however it ended.
  private func ended(_ id: JobID) {
    guard let scan = scans.removeValue(forKey: id) else { return }
    // One that was suspended for hours took less than that.
    pace.ended(after: min(AgentLoop.now - scan.start, Self.longScan), at: AgentLoop.now)
    scanWhenDue()
    periodic?.cancel()
    guard watch?.trouble != nil else { return }
    periodic = AgentLoop.after(Self.period) { [weak self] in self?.scanAgain() }
  }

  /// The folders of the library, and how much there is.
  func status() async throws(BusError) -> LibraryStatus {
    guard isThere else { return LibraryStatus() }
    let (folders, counts) = try await use { (try $0.folders(), try $0.counts()) }
    return LibraryStatus(
      folders: folders.map {
        LibraryFolderFace(path: $0.path, tracks: $0.tracks, lastScan: $0.lastScan, why: $0.why)
      }, tracks: counts.tracks, albums: counts.albums, artists: counts.artists, job: scans.keys.min(),
      why: damage.last ?? watch?.trouble.map { "changes are looked for every half hour: \($0)" })
  }
}
