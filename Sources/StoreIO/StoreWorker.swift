// SPDX-License-Identifier: MIT
import AgentLoop
import Glibc
import PlaybackLogic
import SQLiteIO
import Synchronization

/// The store's thread. `post`, `keep`, `quit` and `plan` are for any thread; `run` is the thread itself.
///
/// The thread holds a reference to its worker and releases it when the thread ends, which may be after all others have released it.
final class StoreWorker: Sendable {
  private struct Mailbox {
    var jobs: [StoreJob] = []
    /// The newest place of playback that is not written yet.
    var place: WaitingPlace?
    var hasQuit = false
    var isClosed = false
  }

  private struct WaitingPlace {
    let record: PositionFile.Record
    let tell: @Sendable (StateKeeping.PlaceOutcome) -> Void
  }

  typealias Opened = @Sendable (Result<StoredState, StoreError>) -> Void

  let plan: StorePlan
  /// The locked folder. Set to nil when the file is closed and the thread ends, so that the folder is unlocked then even if this object still exists.
  private let folder: Mutex<StateFolder?>
  private let path: String
  /// Whether a file that holds a queue is to be set aside, and a new one begun.
  private let isAnew: Bool
  private let report: @Sendable (StoreError) -> Void
  private let mailbox = Mutex(Mailbox())
  private let opened = Mutex<Opened?>(nil)
  private let signal = Wakeup()

  init(
    _ folder: StateFolder, _ plan: StorePlan, isAnew: Bool, report: @escaping @Sendable (StoreError) -> Void
  ) {
    self.isAnew = isAnew
    self.folder = Mutex(folder)
    path = folder.path
    self.plan = plan
    self.report = report
  }

  /// Starts the thread, which opens the file and calls `opened` with the result.
  func start(_ opened: @escaping Opened) {
    self.opened.withLock { $0 = opened }
    WorkerThread.start("store") { [self] in run() }
  }

  func post(_ job: StoreJob) {
    let isClosed = mailbox.withLock { mailbox in
      if !mailbox.isClosed { mailbox.jobs.append(job) }
      return mailbox.isClosed
    }
    if isClosed { job.done(closed) } else { signal.wake() }
  }

  /// Has this place written before the jobs that are posted later. It takes the position of an earlier one that still waits.
  func keep(
    _ record: PositionFile.Record, _ tell: @escaping @Sendable (StateKeeping.PlaceOutcome) -> Void
  ) {
    mailbox.withLock { $0.place = WaitingPlace(record: record, tell: tell) }
    signal.wake()
  }

  /// Makes the thread end when everything that was posted is done. Does not wait for that.
  func quit() {
    mailbox.withLock { $0.hasQuit = true }
    signal.wake()
  }

  // MARK: The thread

  private func run() {
    // Everything is closed when this returns, and only then may anybody learn of the end.
    let ending = session()
    let left = mailbox.withLock { mailbox in
      mailbox.isClosed = true
      mailbox.place = nil
      defer { mailbox.jobs = [] }
      return mailbox.jobs
    }
    folder.withLock { $0 = nil }
    for job in left { job.done(closed) }
    ending()
  }

  private var closed: StoreError { StoreError(.write, file: path, reason: "the store is closed") }

  /// Opens the file, does the jobs until the end, and closes it. Returns the call that then tells the outcome.
  private func session() -> () -> Void {
    let opened = opened.withLock { opened in
      defer { opened = nil }
      return opened
    }
    do {
      var (file, stored) = try Self.open("\(path)/state.db", isAnew: isAnew)
      if stored.queue == nil { plan.demand() }
      guard let held = folder.withLock({ $0 }) else { return {} }
      let writer = StoreWriter(file, in: held, plan, hasBase: stored.queue != nil, report: report) { made in
        self.folder.withLock { $0 = made }
      }
      stored.place = writer.place
      opened?(.success(stored))
      return serve(writer)
    } catch {
      return { opened?(.failure(error)) }
    }
  }

  /// Opens the file and reads it. A damaged file is set aside, and a new one is made; if that fails as well, the error is
  /// thrown. With `isAnew`, the same happens to a file that holds a queue.
  private static func open(
    _ path: String, isAnew: Bool
  ) throws(StoreError) -> (StateFile, StoredState) {
    do {
      let (file, stored) = try openWhole(path)
      guard isAnew, stored.queue != nil else { return (file, stored) }
    } catch  where DamagedFile.isToBlame(error) {
      let damage = try DamagedFile(settingAside: error)
      var (file, stored) = try openWhole(path)
      stored.damage = damage
      return (file, stored)
    }
    let other = StoreError(.open, file: path, reason: "another queue was made before it could be opened")
    let damage = try DamagedFile(settingAside: other, "it is not written over and")
    var (file, stored) = try openWhole(path)
    stored.damage = damage
    return (file, stored)
  }

  private static func openWhole(_ path: String) throws(StoreError) -> (StateFile, StoredState) {
    // SQLite would open it for reading only, and then name other reasons.
    if let error = StoreError(forbidding: path, .open) { throw error }
    let file = try StateFile(path)
    return (file, try file.restore())
  }

  /// Does jobs as they come; changes that wait together are stored in one transaction. While none waits, does work that can be cut into small steps.
  /// Returns the call that tells of the end.
  private func serve(_ writer: StoreWriter) -> () -> Void {
    var wasKept = true
    while true {
      let (jobs, place, hasQuit) = mailbox.withLock { mailbox in
        defer { (mailbox.jobs, mailbox.place) = ([], nil) }
        return (mailbox.jobs, mailbox.place, mailbox.hasQuit)
      }
      if let place {
        let outcome = writer.keep(place.record)
        if !wasKept || outcome != .kept { place.tell(outcome) }
        wasKept = outcome == .kept
      }
      writer.perform(jobs)
      if let last = jobs.first(where: \.isLast), case .finish(let queue) = last.kind {
        let error = writer.finish(last, queue)
        return { last.done(error) }
      }
      if hasQuit, jobs.isEmpty { return {} }
      if jobs.isEmpty, !writer.work() { signal.sleep() }
    }
  }
}

/// Carries out the jobs of the store's thread. Belongs to that thread; every call blocks.
///
/// After a failure nothing more is appended, because the journal would lack a command: plain changes are refused with the same error until a job
/// brings all missing ones.
final class StoreWriter {
  private var file: StateFile
  private var folder: StateFolder
  private let plan: StorePlan
  private let report: @Sendable (StoreError) -> Void
  /// Called with the state folder if that had to be made again. The owner of the writer must keep it, and so its lock, until the file is closed.
  private let hold: (StateFolder) -> Void
  /// Whether the queue was ever written whole. Before that, no command can be added to the journal.
  private var hasBase: Bool
  /// The failure since which nothing can be added to the journal; nil if nothing has failed.
  private var failure: StoreError?
  /// The queue that is being written whole, part by part; nil if none is.
  private var growing: NewBase?
  // An earlier agent may have left parts of a queue that it did not finish to write whole.
  private var isUntidy = true
  /// The file for the place of playback; nil if it could not be opened yet.
  private var placeFile: PositionFile?
  /// The place of playback that was passed last.
  private var lastPlace: PositionFile.Record?

  init(
    _ file: StateFile, in folder: StateFolder, _ plan: StorePlan, hasBase: Bool,
    report: @escaping @Sendable (StoreError) -> Void, hold: @escaping (StateFolder) -> Void
  ) {
    self.hold = hold
    self.file = file
    self.folder = folder
    self.plan = plan
    self.report = report
    self.hasBase = hasBase
    placeFile = try? PositionFile(in: folder.path)
  }

  /// Does these jobs in their order and tells each its outcome. A `finish` job is left to `finish`.
  func perform(_ jobs: [StoreJob]) {
    var rest = jobs[...]
    while let first = rest.first {
      let plain = rest.prefix(while: \.isPlain)
      if !plain.isEmpty {
        rest = rest.dropFirst(hasBase || failure != nil ? append(plain) : begin(plain))
        continue
      }
      switch first.kind {
      case .readBack(let tell): tell(readBack())
      case .resume(let queue): resume(first, queue)
      case .finish, .append: break  // the one is done by `finish`, the other above
      }
      rest = rest.dropFirst()
    }
  }

  /// Writes the whole queue, taken from the last of these jobs that has one; if none has, all fail. Returns how many of the jobs are done by that.
  private func begin(_ jobs: ArraySlice<StoreJob>) -> Int {
    guard let last = jobs.lastIndex(where: { $0.base != nil }), let queue = jobs[last].base else {
      plan.demand()
      let error = StoreError(.write, file: file.database.path, reason: "the queue was never stored")
      for job in jobs { job.done(error) }
      return jobs.count
    }
    let settled = jobs[...last]
    settle(settled) { () throws(StoreError) in
      try rewrite(queue, volume: settled.lazy.compactMap(\.volume).last)
    }
    return settled.count
  }

  /// Adds the changes to the journal, and begins to write the queue whole if a job brings it. Returns how many of the jobs are done by that.
  private func append(_ jobs: ArraySlice<StoreJob>) -> Int {
    if let failure {
      for job in jobs { job.done(failure) }
      return jobs.count
    }
    // The queue that this job brings holds everything up to the job, so the jobs after it wait for the next transaction.
    let last = jobs.firstIndex { $0.base != nil } ?? jobs.index(before: jobs.endIndex)
    let batch = jobs[...last]
    settle(batch) { () throws(StoreError) in try file.commit(batch.flatMap(\.changes)) }
    if failure == nil, let queue = jobs[last].base { grow(queue) }
    return batch.count
  }

  private func resume(_ job: StoreJob, _ queue: PlayQueue) {
    failure = nil
    settle([job]) { () throws(StoreError) in
      if hasBase { try file.commit(job.changes) } else { try rewrite(queue, volume: job.volume) }
    }
  }

  private func settle(_ jobs: ArraySlice<StoreJob>, _ body: () throws(StoreError) -> Void) {
    do {
      try makeAgainIfGone()
      try body()
      renewPlace()
      for job in jobs { job.done(nil) }
    } catch {
      (failure, growing) = (error, nil)
      for job in jobs { job.done(error) }
    }
  }

  private func rewrite(_ queue: PlayQueue, volume: Double?) throws(StoreError) {
    try file.rewrite(queue, volume: volume)
    (hasBase, growing, isUntidy) = (true, nil, true)
  }

  private func readBack() -> Result<PlayQueue?, StoreError> {
    do {
      return .success(try file.restore().queue)
    } catch {
      return .failure(error)
    }
  }

  /// Does the last job: makes sure that all changes are stored, as a whole queue if possible. If that cannot be written, the changes have to be in
  /// the journal at least. Returns the error if not even that works.
  func finish(_ job: StoreJob, _ queue: PlayQueue) -> StoreError? {
    do {
      try makeAgainIfGone()
      if failure != nil || !hasBase || !file.isWhole || !job.changes.isEmpty {
        try rewrite(queue, volume: job.volume)
      }
    } catch {
      guard hasBase, (try? makeAgainIfGone()) != nil, (try? file.commit(job.changes)) != nil else {
        return error
      }
      report(error)
    }
    renewPlace()
    return nil
  }

  // MARK: The place of playback

  /// The place that is on disk; nil if none is, or it is damaged.
  var place: PositionFile.Record? { placeFile?.read() }

  /// Writes the place. If somebody deleted its file or the whole folder, that is made again before.
  func keep(_ record: PositionFile.Record) -> StateKeeping.PlaceOutcome {
    lastPlace = record
    do throws(StoreError) {
      if placeFile?.isGone == true {
        placeFile = nil
        try makeAgainIfGone()
      }
    } catch {
      return .folderIsGone
    }
    do throws(StoreError) {
      if placeFile == nil { placeFile = try PositionFile(in: folder.path) }
      try placeFile?.write(record)
      return .kept
    } catch {
      return .failed
    }
  }

  /// Writes the last place once more if its file is missing: it was deleted, or could not be made before there was room on the disk.
  private func renewPlace() {
    guard let lastPlace, placeFile?.isGone ?? true else { return }
    _ = keep(lastPlace)
  }

  // MARK: Deleted files

  /// If somebody deleted or moved the file or its folder, makes both again with the stored state, because nobody would find changes that are written
  /// to the deleted file.
  private func makeAgainIfGone() throws(StoreError) {
    guard file.isLost || !folder.isInPlace else { return }
    let kept = try file.restore()
    let new = folder.isInPlace ? folder : try StateFolder(folder.path)
    let path = new.file("state.db")
    let gone = StoreError(.write, file: path, reason: "it was deleted or moved while it was in use")
    // A new file that has this name by now is not ours, so it is set aside and not overwritten.
    if unsafe access(path, F_OK) == 0 { _ = try DamagedFile(settingAside: gone) }
    let made = try StateFile(path)
    if let queue = kept.queue { try made.rewrite(queue, volume: kept.volume) }
    (file, folder, hasBase, growing) = (made, new, kept.queue != nil, nil)
    hold(new)
    if !hasBase { plan.demand() }
    report(StoreError(.write, file: path, reason: "\(gone.reason), and was made again"))
  }

  // MARK: In small steps

  private func grow(_ queue: PlayQueue) {
    quietly { () throws(StoreError) in
      growing = try file.base(of: queue)
      isUntidy = true
    }
  }

  /// Does one step of the work that no change waits for, such as writing a part of the whole queue. Returns whether there is more of it.
  func work() -> Bool {
    quietly { () throws(StoreError) in
      guard var new = growing else {
        if isUntidy { isUntidy = try file.tidy() }
        return
      }
      let isLast = try file.writePart(of: &new)
      if isLast { try file.adopt(new) }
      growing = isLast ? nil : new
    }
    return growing != nil || isUntidy
  }

  /// Does work that no change waits for. If that fails, the journal just grows on, and the queue is written whole after as many edits again.
  private func quietly(_ body: () throws(StoreError) -> Void) {
    do {
      try body()
    } catch {
      (growing, isUntidy) = (nil, false)
      report(error)
    }
  }
}
