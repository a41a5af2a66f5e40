// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Synchronization

/// Runs Swift's jobs, timers and the watched descriptors on one thread: the sound server, the bus, signals and our own code share one
/// poll.
///
/// `enqueue`, `stop` and `isLoopThread` may be used from any thread; all else belongs to the thread in `run`.
/// It lives as long as the process.
@safe
package final class LoopExecutor: SerialExecutor, TaskExecutor {
  private let inbox = Mutex<[UnownedJob]>([])
  private let stopRequest = Mutex<Int32?>(nil)
  // The thread in `run`, or 0.
  private let owner = Atomic<UInt>(0)
  // Loop thread only: only that thread reaches the functions that use these.
  private nonisolated(unsafe) var batch: [UnownedJob] = []
  /// How many jobs of the batch have run.
  private nonisolated(unsafe) var done = 0
  private nonisolated(unsafe) var timers = TimerQueue()
  private nonisolated(unsafe) var deferrals = DeferralList()
  /// How many turns in a row have run work that libraries had put off (`LoopDeferral`), and have not looked at the descriptors.
  private nonisolated(unsafe) var blindTurns = 0
  // Any thread may call `wake` on it; everything else is for the loop's thread.
  private nonisolated(unsafe) let poll = LoopPoll()

  /// The most rounds of jobs between two polls of the descriptors. A round runs all jobs that wait; jobs that these start make the next
  /// round, which so needs no system call. The limit lets descriptors have their turn even if jobs start others for ever.
  private static let roundsPerTurn = 64
  /// After this time no further job is begun before the descriptors are polled, even in the middle of a round: a thousand jobs that wait must not
  /// hold up the sound server. A job that has begun runs to its end or to its next suspension.
  ///
  /// It is far longer than what is read of the descriptors at one time makes work for. If it were not, a client that calls without pause would give
  /// more work each time than is done until the next, and jobs and their memory would pile up.
  private static let longestTurn = Duration.milliseconds(20)
  /// The most turns in a row that run work that libraries had put off (`LoopDeferral`) without a look at the descriptors. A library that always has
  /// such work costs processor time, but everybody else is still heard.
  private static let mostBlindTurns = 16

  init() { inbox.withLock { $0.reserveCapacity(Self.roundsPerTurn) } }

  /// Whether the calling thread is the one that runs the loop. False for every thread while the loop does not run.
  package var isLoopThread: Bool { owner.load(ordering: .relaxed) == UInt(pthread_self()) }

  // MARK: Executor

  /// Takes a job from Swift's runtime; it runs on the loop's thread after those that wait already. Safe on any thread.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let wasEmpty = inbox.withLock { inbox in
      inbox.append(job)
      return inbox.count == 1
    }
    // On the loop's own thread the inbox is always emptied before the next poll.
    if wasEmpty && !isLoopThread { unsafe poll.wake() }
  }

  /// Required by `SerialExecutor`: the executor as Swift's runtime stores it for an actor.
  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    unsafe UnownedSerialExecutor(ordinary: self)
  }
  /// Required by `TaskExecutor`: the executor as Swift's runtime stores it for a task.
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
    unsafe poll.wake()
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

  /// Runs the jobs that wait and those that they add, in at most `roundsPerTurn` rounds and for `longestTurn`. Returns whether none is left.
  private func runJobs() -> Bool {
    let serial = unsafe asUnownedSerialExecutor()
    let task = unsafe asUnownedTaskExecutor()
    let begun = TimerQueue.now()
    for _ in 0..<Self.roundsPerTurn {
      // The rest of a round that was broken off comes before what came since.
      if unsafe done == batch.count {
        unsafe done = 0
        unsafe batch.removeAll(keepingCapacity: true)
        inbox.withLock { unsafe swap(&$0, &batch) }
        if unsafe batch.isEmpty { return true }
      }
      while unsafe done < batch.count {
        let job = unsafe batch[done]
        unsafe done += 1
        // With both executors named, an await that stays on the loop is a plain call; with one it costs five times more.
        unsafe job.runSynchronously(isolatedTo: serial, taskExecutor: task)
        if TimerQueue.now() - begun > Self.longestTurn { return false }
      }
    }
    return false
  }

  /// Runs the work that libraries have put off; if there is none, waits once for descriptors and timers, and handles what they bring. After many
  /// turns with such work the descriptors are looked at without waiting. Returns whether a timer fired.
  @discardableResult
  private func turn(isIdle: Bool) -> Bool {
    let hasDeferred = runDeferrals()
    unsafe blindTurns = hasDeferred ? blindTurns + 1 : 0
    if unsafe !hasDeferred || blindTurns > Self.mostBlindTurns {
      unsafe blindTurns = 0
      unsafe poll.wait(isIdle && !hasDeferred ? timers.wait(at: TimerQueue.now()) : .zero)
      // One at a time, because a handler may add watches and end others.
      while let (ready, events) = unsafe poll.next() { ready(events) }
    }
    return fireTimers()
  }

  private func runDeferrals() -> Bool {
    guard unsafe deferrals.hasEnabled else { return false }
    for id in unsafe deferrals.enabled {
      // A deferral that ran before in this loop may have ended or disabled this one.
      if let run = unsafe deferrals.body(of: id) { run() }
    }
    return true
  }

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

  // MARK: Timers, descriptors, deferrals

  func addTimer(after delay: Duration, _ fire: @escaping () -> Void) -> TimerQueue.ID {
    precondition(isLoopThread, "timers belong to the agent loop")
    return unsafe timers.add(due: TimerQueue.now() + delay, fire)
  }

  func cancelTimer(_ id: TimerQueue.ID) {
    precondition(isLoopThread, "timers belong to the agent loop")
    unsafe timers.cancel(id)
  }

  func addWatch(
    _ descriptor: Int32, _ events: LoopWatch.Events, _ ready: @escaping (LoopWatch.Events) -> Void
  ) -> LoopPoll.ID {
    precondition(isLoopThread, "watches belong to the agent loop")
    return unsafe poll.add(descriptor, events, ready)
  }

  func setEvents(_ events: LoopWatch.Events, of id: LoopPoll.ID) {
    precondition(isLoopThread, "watches belong to the agent loop")
    unsafe poll.set(events, of: id)
  }

  func removeWatch(_ id: LoopPoll.ID) {
    precondition(isLoopThread, "watches belong to the agent loop")
    unsafe poll.remove(id)
  }

  func addDeferral(_ run: @escaping () -> Void) -> DeferralList.ID {
    precondition(isLoopThread, "deferrals belong to the agent loop")
    return unsafe deferrals.add(run)
  }

  func setEnabled(_ isEnabled: Bool, deferral id: DeferralList.ID) {
    precondition(isLoopThread, "deferrals belong to the agent loop")
    unsafe deferrals.set(isEnabled, id)
  }

  func removeDeferral(_ id: DeferralList.ID) {
    precondition(isLoopThread, "deferrals belong to the agent loop")
    unsafe deferrals.remove(id)
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

  static func now() -> Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

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

  /// The time until the next timer; nil if there is no timer.
  func wait(at now: Duration) -> Duration? { items.first.map { max(.zero, $0.due - now) } }
}

/// Work that libraries put off until the loop is about to wait. Each piece of it runs once in every turn of the loop while it is enabled.
/// A turn with such work does not wait for descriptors, and most such turns don't look at them.
///
/// A value: it calls nothing by itself.
struct DeferralList {
  struct ID: Hashable, Sendable { let number: UInt64 }

  private struct Item {
    let id: ID
    let run: () -> Void
    var isEnabled = false
  }

  private var items: [Item] = []
  private var lastNumber: UInt64 = 0
  private var enabledCount = 0

  var hasEnabled: Bool { enabledCount > 0 }
  /// The pieces of work that are enabled, in the order in which they were added.
  var enabled: [ID] { items.filter(\.isEnabled).map(\.id) }

  mutating func add(_ run: @escaping () -> Void) -> ID {
    lastNumber += 1
    items.append(Item(id: ID(number: lastNumber), run: run))
    return ID(number: lastNumber)
  }

  mutating func set(_ isEnabled: Bool, _ id: ID) {
    guard let index = items.firstIndex(where: { $0.id == id }), items[index].isEnabled != isEnabled else {
      return
    }
    items[index].isEnabled = isEnabled
    enabledCount += isEnabled ? 1 : -1
  }

  mutating func remove(_ id: ID) {
    set(false, id)
    items.removeAll { $0.id == id }
  }

  /// The work to run; nil if it was removed or disabled.
  func body(of id: ID) -> (() -> Void)? { items.first { $0.id == id && $0.isEnabled }?.run }
}
