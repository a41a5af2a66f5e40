// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import PlaybackLogic
import Synchronization

/// The store's thread. `post`, `quit` and `plan` are for any thread; `run` is the thread itself.
///
/// The thread holds a reference to its worker and lets go of it when it ends, which may be after everybody else did.
final class StoreWorker: Sendable {
  private struct Mailbox {
    var jobs: [StoreJob] = []
    var hasQuit = false
    var isClosed = false
  }

  typealias Opened = @Sendable (Result<StoredState, StoreError>) -> Void

  let plan: StorePlan
  /// The locked folder. It is let go of when the thread ends and the file is closed, so that it is free then, even if somebody still
  /// has this object.
  private let folder: Mutex<StateFolder?>
  private let path: String
  /// Whether a file that holds a queue is to be set aside, and a new one begun.
  private let isAnew: Bool
  private let report: @Sendable (StoreError) -> Void
  private let mailbox = Mutex(Mailbox())
  private let opened = Mutex<Opened?>(nil)
  /// An eventfd that is readable when there is something in the mailbox.
  private let signal: Int32

  init(
    _ folder: StateFolder, _ plan: StorePlan, isAnew: Bool, report: @escaping @Sendable (StoreError) -> Void
  ) {
    self.isAnew = isAnew
    self.folder = Mutex(folder)
    path = folder.path
    self.plan = plan
    self.report = report
    signal = eventfd(0, Int32(EFD_CLOEXEC))
    precondition(signal >= 0, "no descriptor for the store: errno \(errno)")
  }

  deinit { close(signal) }

  /// Starts the thread, which opens the file and tells what it found.
  func start(_ opened: @escaping Opened) {
    self.opened.withLock { $0 = opened }
    var thread = pthread_t()
    let failure = unsafe pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer = unsafe pointer else { return nil }
        unsafe Unmanaged<StoreWorker>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    precondition(failure == 0, "no thread for the store: \(failure)")
    pthread_detach(thread)
  }

  func post(_ job: StoreJob) {
    let isClosed = mailbox.withLock { mailbox in
      if !mailbox.isClosed { mailbox.jobs.append(job) }
      return mailbox.isClosed
    }
    if isClosed { job.done(closed) } else { wake() }
  }

  /// Has the thread end when everything that was posted is done.
  func quit() {
    mailbox.withLock { $0.hasQuit = true }
    wake()
  }

  private func wake() {
    var one: UInt64 = 1
    // Fails only when the counter is full, and then the thread is awake.
    _ = unsafe write(signal, &one, MemoryLayout<UInt64>.size)
  }

  // MARK: The thread

  private func run() {
    unsafe clinux_name_thread("store")
    // Everything is closed when this returns, and only then is anybody told of the end.
    let ending = session()
    let left = mailbox.withLock { mailbox in
      mailbox.isClosed = true
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
      let (file, stored) = try Self.open("\(path)/state.db", isAnew: isAnew)
      if stored.queue == nil { plan.demand() }
      guard let held = folder.withLock({ $0 }) else { return {} }
      let writer = StoreWriter(file, in: held, plan, hasBase: stored.queue != nil, report: report) { made in
        self.folder.withLock { $0 = made }
      }
      opened?(.success(stored))
      return serve(writer)
    } catch {
      return { opened?(.failure(error)) }
    }
  }

  /// Opens the file and reads it. A damaged one is set aside, once. With `isAnew`, so is one that holds a queue.
  private static func open(
    _ path: String, isAnew: Bool
  ) throws(StoreError) -> (StateFile, StoredState) {
    do {
      let (file, stored) = try openWhole(path)
      guard isAnew, stored.queue != nil else { return (file, stored) }
    } catch  where DamagedState.isToBlame(error) {
      let damage = try DamagedState(settingAside: error)
      var (file, stored) = try openWhole(path)
      stored.damage = damage
      return (file, stored)
    }
    let other = StoreError(.open, file: path, reason: "another queue was made before it could be opened")
    let damage = try DamagedState(settingAside: other, "it is not written over and")
    var (file, stored) = try openWhole(path)
    stored.damage = damage
    return (file, stored)
  }

  private static func openWhole(_ path: String) throws(StoreError) -> (StateFile, StoredState) {
    let file = try StateFile(path)
    return (file, try file.restore())
  }

  /// Does jobs as they come, all that wait in one transaction; in between, the work that is done in small steps. Returns the call
  /// that tells of the end.
  private func serve(_ writer: StoreWriter) -> () -> Void {
    while true {
      let (jobs, hasQuit) = mailbox.withLock { mailbox in
        defer { mailbox.jobs = [] }
        return (mailbox.jobs, mailbox.hasQuit)
      }
      writer.perform(jobs)
      if let last = jobs.first(where: \.isLast), case .finish(let queue) = last.kind {
        let error = writer.finish(last, queue)
        return { last.done(error) }
      }
      if hasQuit, jobs.isEmpty { return {} }
      if jobs.isEmpty, !writer.work() { sleepUntilWoken() }
    }
  }

  private func sleepUntilWoken() {
    var count: UInt64 = 0
    _ = unsafe read(signal, &count, MemoryLayout<UInt64>.size)
  }
}
