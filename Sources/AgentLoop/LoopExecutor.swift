// SPDX-License-Identifier: MIT
package import CPulse
import Glibc
import Synchronization

/// Runs Swift's jobs on libpulse's main loop, so that the sound server, the bus, timers, signals and our own code share
/// one thread and one poll.
///
/// `enqueue`, `stop` and `isLoopThread` may be used from any thread; all else belongs to the thread in `run`.
/// It lives as long as the process.
@safe
package final class LoopExecutor: SerialExecutor, TaskExecutor {
  // The pointer never changes. The only function that other threads call with it is pa_mainloop_wakeup, which allows that.
  private nonisolated(unsafe) let mainloop: OpaquePointer
  private let inbox = Mutex<[UnownedJob]>([])
  private let stopRequest = Mutex<Int32?>(nil)
  // The thread in `run`, or 0.
  private let owner = Atomic<UInt>(0)
  // Loop thread only: only that thread reaches the functions that use these.
  private nonisolated(unsafe) var batch: [UnownedJob] = []
  private nonisolated(unsafe) var timers = TimerQueue()

  /// The most rounds of jobs between two polls of the descriptors. A round runs all jobs that wait; jobs that these start make the next
  /// round, which so needs no system call. The limit lets descriptors have their turn even if jobs start others for ever.
  private static let roundsPerTurn = 64

  init() {
    // This allocates one small struct and a pipe. Without them the program cannot run.
    guard let mainloop = unsafe pa_mainloop_new() else {
      fatalError("no main loop: out of memory or descriptors")
    }
    unsafe self.mainloop = mainloop
    inbox.withLock { $0.reserveCapacity(Self.roundsPerTurn) }
  }

  /// libpulse's table of event functions, for the adapters that plug C libraries into the loop. Loop thread only.
  package var api: UnsafeMutablePointer<pa_mainloop_api> { unsafe pa_mainloop_get_api(mainloop) }

  /// Whether the caller runs on the loop's thread. False on every thread if the loop does not run, that is outside of `run`.
  package var isLoopThread: Bool { owner.load(ordering: .relaxed) == UInt(pthread_self()) }

  // MARK: Executor

  /// Takes a job from Swift's runtime; it runs on the loop's thread after those that wait already. Any thread.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let wasEmpty = inbox.withLock { inbox in
      inbox.append(job)
      return inbox.count == 1
    }
    // On the loop's own thread the inbox is always emptied before the next poll.
    if wasEmpty && !isLoopThread { unsafe pa_mainloop_wakeup(mainloop) }
  }

  /// What Swift's runtime asks of an actor's executor.
  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    unsafe UnownedSerialExecutor(ordinary: self)
  }
  /// What Swift's runtime asks of a task's executor.
  package func asUnownedTaskExecutor() -> UnownedTaskExecutor {
    unsafe UnownedTaskExecutor(ordinary: self)
  }

  // C callbacks run on the loop's thread but outside of any job, so both of these check only which thread is running.
  /// Traps on any thread but the loop's.
  package func checkIsolated() { precondition(isLoopThread, "not on the agent loop") }
  /// Whether the caller is on the loop's thread, in a job or not.
  package func isIsolatingCurrentContext() -> Bool? { isLoopThread }

  // MARK: Running

  func stop(_ code: Int32) {
    stopRequest.withLock { $0 = $0 ?? code }
    unsafe pa_mainloop_wakeup(mainloop)
  }

  func run() -> Int32 {
    let (entered, _) = owner.compareExchange(
      expected: 0, desired: UInt(pthread_self()), ordering: .acquiringAndReleasing)
    precondition(entered, "the agent loop runs already")
    defer { owner.store(0, ordering: .releasing) }
    while true {
      let isIdle = runJobs()
      if let code = takeStopRequest() { return code }
      // If a timer fired, one more turn comes before the jobs, so that libpulse first sends what the timer ordered. Jobs wait for one
      // such turn at most.
      if turn(isIdle: isIdle) { turn(isIdle: false) }
    }
  }

  private func takeStopRequest() -> Int32? {
    stopRequest.withLock { request in
      defer { request = nil }
      return request
    }
  }

  /// Runs the jobs in the inbox and those that they add, in at most `roundsPerTurn` rounds. Returns whether the inbox ended up empty.
  private func runJobs() -> Bool {
    let serial = unsafe asUnownedSerialExecutor()
    let task = unsafe asUnownedTaskExecutor()
    for _ in 0..<Self.roundsPerTurn {
      inbox.withLock { unsafe swap(&$0, &batch) }
      if unsafe batch.isEmpty { return true }
      // With both executors named, an await that stays on the loop is a plain call; with one it costs five times more.
      for job in unsafe batch { unsafe job.runSynchronously(isolatedTo: serial, taskExecutor: task) }
      unsafe batch.removeAll(keepingCapacity: true)
    }
    return false
  }

  /// Waits once for descriptors and timers, and handles what they bring. Returns whether a timer fired.
  @discardableResult
  private func turn(isIdle: Bool) -> Bool {
    let timeout = isIdle ? unsafe timers.pollTimeout(at: TimerQueue.now()) : 0
    check(unsafe pa_mainloop_prepare(mainloop, timeout))
    // Preparing empties the wake-up pipe, so a wake-up since `runJobs` is gone by now: look again.
    if hasWork { unsafe pa_mainloop_wakeup(mainloop) }
    check(unsafe pa_mainloop_poll(mainloop))
    check(unsafe pa_mainloop_dispatch(mainloop))
    return fireTimers()
  }

  private var hasWork: Bool { inbox.withLock { !$0.isEmpty } || stopRequest.withLock { $0 != nil } }

  /// Traps if the main loop failed. It fails only if poll(2) fails for a reason other than a signal, and that means broken descriptors.
  private func check(_ result: Int32) { precondition(result >= 0, "the main loop failed: errno \(errno)") }

  private func fireTimers() -> Bool {
    guard unsafe !timers.isEmpty else { return false }
    let now = TimerQueue.now()
    var hasFired = false
    // `fire` is called when `timers` is not being changed: it may add or cancel others.
    while let fire = unsafe timers.popDue(at: now) {
      fire()
      hasFired = true
    }
    return hasFired
  }

  // MARK: Timers

  func addTimer(after delay: Duration, _ fire: @escaping () -> Void) -> TimerQueue.ID {
    precondition(isLoopThread, "timers belong to the agent loop")
    return unsafe timers.add(due: TimerQueue.now() + delay, fire)
  }

  func cancelTimer(_ id: TimerQueue.ID) {
    precondition(isLoopThread, "timers belong to the agent loop")
    unsafe timers.cancel(id)
  }
}

/// The loop's timers, soonest first. There are few at any time, so a sorted array beats a heap.
///
/// A value: it calls nothing by itself. Timers that are due at the same instant fire in the order in which they were added.
struct TimerQueue {
  struct ID: Hashable, Sendable { let number: UInt64 }

  private struct Item {
    let due: Duration
    let id: ID
    let fire: () -> Void
  }

  private var items: [Item] = []
  private var lastNumber: UInt64 = 0

  var isEmpty: Bool { items.isEmpty }

  static func now() -> Duration { .microseconds(pa_rtclock_now()) }

  mutating func add(due: Duration, _ fire: @escaping () -> Void) -> ID {
    lastNumber += 1
    let item = Item(due: due, id: ID(number: lastNumber), fire: fire)
    items.insert(item, at: items.firstIndex { $0.due > due } ?? items.endIndex)
    return item.id
  }

  mutating func cancel(_ id: ID) {
    if let index = items.firstIndex(where: { $0.id == id }) { items.remove(at: index) }
  }

  mutating func popDue(at now: Duration) -> (() -> Void)? {
    guard let first = items.first, first.due <= now else { return nil }
    return items.removeFirst().fire
  }

  /// The timeout for the poll, in microseconds; −1 waits for ever. It is rounded up: waking too early would cost one more wake-up.
  func pollTimeout(at now: Duration) -> Int32 {
    guard let first = items.first else { return -1 }
    let wait = max(.zero, first.due - now)
    let (seconds, attoseconds) = wait.components
    let microseconds = seconds.multipliedReportingOverflow(by: 1_000_000)
    guard !microseconds.overflow, microseconds.partialValue < Int64(Int32.max) - 1_000_000 else {
      return Int32.max
    }
    return Int32(microseconds.partialValue + (attoseconds + 999_999_999_999) / 1_000_000_000_000)
  }
}
