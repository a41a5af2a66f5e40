// SPDX-License-Identifier: MIT
package import AgentLoop
import BusModel
import FaceModel
import FileIO
import JobLogic
import Glibc
import LibraryIO
import LibraryModel
import LibraryQuery
import MediaModel
import PlaybackLogic

/// The library of the user's music: its folders, and the questions that can be asked of it. `LibraryScans` scans the folders.
///
/// All threads begin with the first use, and the databases are closed when nobody has used them for a while. So an agent without a library has no
/// thread, no file and no timer for it.
@AgentLoop
package final class LibraryService {
  /// Called when items came, changed or went.
  var changed: @AgentLoop (ChangeCounts) -> Void {
    get { scans.changed }
    set { scans.changed = newValue }
  }

  /// Has `follow` called with the files that a scan has found elsewhere than before, by each path that others may know them by.
  func followMoves(_ follow: @escaping @AgentLoop ([FileRenaming]) -> Void) {
    scans.moved = { [places = scans.places] moves in
      let real = moves.compactMap { move in
        places.realPath(of: move.from).map { FileMove(from: $0, to: places.realPath(of: move.to) ?? move.to) }
      }
      follow((moves + real).map { FileRenaming(from: $0.from.location, to: $0.to.location) })
    }
  }

  /// Where the folders really are. `placesChanged` is called when a scan has found a folder elsewhere than before.
  var folderPlaces: FolderPlaces { scans.places }
  var placesChanged: @AgentLoop () -> Void {
    get { scans.placesChanged }
    set { scans.placesChanged = newValue }
  }

  /// The character set in which tags are read that name none; nil for Latin-1. When it changes, everything is read again.
  var charset: String? {
    get { scans.charset }
    set { scans.charset = newValue }
  }

  /// The long jobs, of which scans are one kind.
  let jobs: JobService
  /// The smart playlists, which are queries with names.
  private(set) lazy var smart = SmartListService(self)
  private let databases: LibraryDatabases
  private let scans: LibraryScans
  /// Measures how loud items sound.
  private let analyses: LibraryAnalyses
  /// The thread that looks up the paths that callers name.
  let orders: BlockingThread
  /// Searches that are not answered yet, by their callers.
  var searches: [BusName: SearchTicket] = [:]

  /// A library whose databases are in `folder`. `read` reads files, on a thread that may block; `orders` looks up paths that callers name.
  init(
    in folder: FilePath?, jobs: JobService, orders: BlockingThread, log: Log,
    read: @escaping LibraryScan.ReadFiles
  ) {
    (self.jobs, self.orders) = (jobs, orders)
    databases = LibraryDatabases(in: folder, log)
    scans = LibraryScans(databases, jobs, log, read: read)
    analyses = LibraryAnalyses(databases, jobs, log)
    scans.madeAnew = { [weak self] in self?.smart.forgetOpened() }
  }

  // MARK: Its life

  /// Whether there is a library: there is one once somebody has added a folder.
  var isThere: Bool { databases.areThere }

  /// Finds the changes since the last agent ran, and completes a scan that was interrupted. Does nothing without a library.
  func begin() {
    guard isThere else { return }
    smart.begin()
    scans.begin()
  }

  /// Ends all jobs, and gives up everything that the library has open. Call `closeDatabases` first if there is time, so that each database is a single
  /// file then.
  func stop() {
    databases.stop()
    endWork()
  }

  /// Closes the databases, after all that was asked of them, and returns when that is done.
  func closeDatabases() async { await databases.close() }

  /// Ends all jobs, and whatever is done without being asked for.
  func endWork() {
    scans.stop()
    smart.stop()
    jobs.stop()
  }

  /// Runs `body` with the databases.
  func use<Answer: Sendable>(
    _ body: @escaping @Sendable (LibraryStore) throws -> Answer
  ) async throws(BusError) -> Answer { try await databases.use(body) }

  /// Seconds since 1970 in UTC.
  nonisolated static var now: Int64 { Int64(time(nil)) }

  nonisolated static var queryTime: QueryTime {
    QueryTime(now: now) { shown in
      var (seconds, clock) = (time_t(shown), tm())
      guard unsafe gmtime_r(&seconds, &clock) != nil else { return shown }
      // Whether that is summer time is for the C library to find out.
      clock.tm_isdst = -1
      return Int64(unsafe mktime(&clock))
    }
  }

  // MARK: Folders

  /// Adds a folder to the library and scans it; folders of the library that lie in it are parts of it from then on. Throws if there is no such folder,
  /// or if it lies in another one of the library.
  func add(_ path: FilePath, _ job: BlockingJob = BlockingJob()) async throws(BusError) -> JobID {
    let (path, real) = try await existing(path, job)
    let folders = try await use { try $0.folderPaths() }
    if !folders.contains(path), let same = folders.first(where: real.isAtOrBelow),
      path != real
    {
      throw AgentError.refused(
        "'\(path)' is '\(real)', which is in the library already, by the folder '\(same)'; scan that one to find what is new"
      )
    }
    // A folder where the scan of another one does not look is one of its own.
    if let outer = folders.first(where: { path.isBelow($0) && !path.isHidden(in: $0) }) {
      throw AgentError.refused(
        "'\(path)' is in the library already, as a part of '\(outer)'; scan that one to find what is new")
    }
    if job.isCancelled { throw AgentError.tryAgain("\(BlockingFailure.cancelled)") }
    var parts: [FilePath] = []
    // A folder that is reached by a link, or is not there now, stays a folder of its own. So does one where a scan of this one does not look.
    for inner in folders where inner.isBelow(path) && !inner.isHidden(in: path) {
      let place = FilePath(real.bytes + inner.bytes.dropFirst(path.bytes.count))
      if let found = try? await existing(inner, job), found.real == place { parts.append(inner) }
    }
    try await use { [parts] store in
      try store.addFolder(path, at: Self.now)
      for part in parts { _ = try store.removeFolder(part) }
    }
    return try await scans.scan([path])
  }

  /// Removes a folder from the library. The user's ratings, notes and counts for its items are kept, and apply again when the items come back. If
  /// the job is cancelled in time, nothing is removed.
  func remove(_ path: FilePath, _ job: BlockingJob = BlockingJob()) async throws(BusError) {
    let path = try await named([path])[0]
    let noFolder = AgentError.refused(
      "'\(path)' is no folder of the library; 'fermata library status' lists them")
    // A scan that runs is ended only for a folder that is there.
    guard isThere, try await use({ try $0.folderPaths() }).contains(path) else { throw noFolder }
    scans.cancel(through: path)
    let removed: [MediaItem.ID]?
    let given: Int
    do throws(BusError) {
      (removed, given) = try await use {
        (try $0.removeFolder(path, isInterrupted: { job.isCancelled }), try $0.handOver(in: []).count)
      }
    } catch {
      try? await scans.beginAnew()
      throw error
    }
    guard let removed else { throw noFolder }
    if !removed.isEmpty { changed(ChangeCounts(changed: given, removed: removed.count)) }
    try await scans.beginAnew()
  }

  /// Scans these folders, or all if `wanted` is empty. Returns the job.
  func scan(_ wanted: [FilePath]) async throws(BusError) -> JobID {
    try await scans.scan(try await named(wanted))
  }

  // MARK: Loudness

  /// Measures the items that a query finds and whose tags say nothing of their loudness. With `again`, items that were measured before are measured
  /// once more. Returns the job.
  func analyze(_ query: ItemQuery, again: Bool) async throws(BusError) -> JobID {
    guard isThere, try await use({ try !$0.folders().isEmpty }) else {
      throw AgentError.refused("the library has no folders; add one with 'fermata library add DIR'")
    }
    return try await analyses.analyze(query, again: again)
  }

  /// A function that looks up the loudness that was measured of a file; call it on a thread that may block. Nil without a library.
  var measuredGains: (@Sendable (FilePath) -> Loudness?)? {
    guard isThere else { return nil }
    return { [databases] path in
      databases.ask(within: Self.gainsTake) { try $0.measuredGains(at: path) }
    }
  }

  /// A function that looks up files and parts in the library; call it on a thread that may block. Nil without a library. With `asksDisk` it waits for the
  /// disks of files that the library may know by another path.
  func listings(asksDisk: Bool) -> ItemService.Listings? {
    guard isThere else { return nil }
    return { [databases, places = scans.places] sources in
      let found = databases.ask(within: Self.listingsTake) { try $0.listings(of: sources) }
      guard var found else { return nil }
      let others = found.indices.filter { found[$0] == nil }.compactMap { index in
        places.libraryPath(of: sources[index].path, asksDisk: asksDisk).map {
          (index: index, source: ItemSource($0, part: sources[index].part))
        }
      }
      guard !others.isEmpty else { return found }
      let more = databases.ask(within: Self.listingsTake) { try $0.listings(of: others.map(\.source)) }
      guard let more else { return nil }
      for (other, listing) in zip(others, more) { found[other.index] = listing }
      return found
    }
  }

  /// A function that looks up where files stand on their albums, if they are unchanged since they were scanned; call it on a thread that may block. Nil
  /// without a library.
  var places: Sources.LibraryPlaces? {
    guard isThere else { return nil }
    return { [databases] files in
      let stamps = files.map { try? FileStatus(of: $0) }
      let there = files.indices.filter { stamps[$0] != nil }
      let asked = zip(files, stamps).compactMap { file, status in
        status.map { (path: file, stamp: FileStamp($0, tellsStatus: false)) }
      }
      let found = databases.ask(within: Self.listingsTake) { try $0.places(of: asked) }
      guard let found else { return nil }
      var places = [TrackPlace?](repeating: nil, count: files.count)
      for (index, place) in zip(there, found) { places[index] = place }
      return places
    }
  }

  /// How long the reading of a track's tags waits for the library to tell the track's number and rating. A library that is busy with a scan may not
  /// answer in time; it is asked again a little later.
  private nonisolated static let listingsTake = Duration.milliseconds(100)

  /// How long a track waits for its measured loudness to be looked up before it begins without it. The databases are busy for that long only while a
  /// large scan is written.
  private nonisolated static let gainsTake = Duration.milliseconds(500)

  // MARK: Paths

  /// The paths in the form in which the library stores them: without doubled slashes and the like, and with `..` resolved. They need not exist.
  private func named(_ paths: [FilePath]) async throws(BusError) -> [FilePath] {
    let tidied = paths.map(\.tidied)
    guard tidied.contains(where: \.hasDoubleDot) else { return tidied }
    return try await look { job in
      tidied.map { path in
        job.looks(at: path.text)
        return path.withoutParents
      }
    }
  }

  /// The folder at this path, in the form in which the library stores it, and where it is after all links. Throws if there is no such folder.
  private func existing(
    _ path: FilePath, _ job: BlockingJob
  ) async throws(BusError) -> (path: FilePath, real: FilePath) {
    let found: Result<(path: FilePath, real: FilePath), BusError> = try await look(job) { job in
      job.looks(at: path.text)
      let path = path.tidied.withoutParents
      do throws(SystemError) {
        let kind = try HeldFile(path).kind
        return kind == .folder
          ? .success((path, path.real ?? path))
          : .failure(AgentError.refused("'\(path)' is \(kind.name); name a folder of music"))
      } catch {
        let reason = String(errno: error.code)
        return .failure(AgentError.noSuchFile("'\(path)': \(reason); name a folder that is there"))
      }
    }
    return try found.get()
  }

  private func look<Answer: Sendable>(
    _ job: BlockingJob = BlockingJob(), _ body: @escaping @Sendable (BlockingJob) -> Answer
  ) async throws(BusError) -> Answer {
    do throws(BlockingFailure) { return try await orders.run(job, body) } catch {
      throw AgentError.tryAgain("\(error)")
    }
  }

  /// The folders of the library, and the numbers of its items.
  func status() async throws(BusError) -> LibraryStatus {
    guard isThere else { return LibraryStatus() }
    let found = try await databases.usePatiently { try $0.overview(isInterrupted: $1) }
    return LibraryStatus(
      folders: found.folders.map {
        LibraryFolderFace(path: $0.path, tracks: $0.tracks, lastScan: $0.lastScan, why: $0.why)
      }, tracks: found.counts.tracks, albums: found.counts.albums, artists: found.counts.artists,
      job: scans.job, why: databases.trouble ?? scans.why, unmeasured: found.loudness.unmeasured,
      unfit: found.loudness.unfit, whyUnfit: found.loudness.example)
  }
}
