// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Synchronization

/// Does what may block, one job after another, on a thread of its own.
///
/// The thread begins with the first job and lasts as long as the process. A disk that does not answer keeps the thread that asked it,
/// and nobody else: those who wait behind it get another thread after `yieldsAfter`, and who waits for the disk itself is answered
/// after `givesUpAfter`. Threads that hang are never more than `mostStuck`; beyond that the jobs behind them are given up as well.
package final class BlockingThread: Sendable {
  /// How long a job may show no progress before those behind it get another thread.
  private let yieldsAfter: Duration
  /// How long it may show none before its caller is told that nothing answers.
  private let givesUpAfter: Duration
  private static let mostStuck = 4

  private let name: String
  private let mailbox = Mutex(Mailbox())
  private let signal = Semaphore()

  private struct Mailbox {
    var waiting: [Order] = []
    /// The thread that takes the next job; nil before the first.
    var seat: Seat?
    /// How many threads were left to jobs that do not end.
    var stuck = 0
  }

  private struct Order: Sendable {
    let job: BlockingJob
    let work: @Sendable () -> Void
  }

  /// One thread, and what it does now.
  private final class Seat: Sendable {
    let running = Mutex<BlockingJob?>(nil)
  }

  /// A thread that has nothing to do yet. `name` is what the system calls it, in 15 letters at most.
  package init(
    _ name: String, yieldsAfter: Duration = .seconds(3), givesUpAfter: Duration = .seconds(20)
  ) {
    self.name = name
    self.yieldsAfter = yieldsAfter
    self.givesUpAfter = givesUpAfter
  }

  /// Runs a job there and returns what it returns. On the loop, who came first goes on first.
  ///
  /// Throws where the job was cancelled before it was done, and where nothing answered it for too long; what it does then is
  /// no longer waited for.
  @AgentLoop
  package func run<Result: Sendable>(
    _ job: BlockingJob = BlockingJob(), _ body: @escaping @Sendable (BlockingJob) -> Result
  ) async throws(BlockingFailure) -> Result {
    let answer: Swift.Result<Result, BlockingFailure> = await unsafe withUnsafeContinuation { continuation in
      let waiter = Waiter<Result> { unsafe continuation.resume(returning: $0) }
      job.sign()
      post(
        Order(job: job) {
          guard !job.isCancelled else { return waiter.finish(.failure(.cancelled)) }
          let result = body(job)
          waiter.finish(job.isCancelled ? .failure(.cancelled) : .success(result))
        })
      watch(job, giveUp: { waiter.finish(.failure($0)) })
    }
    job.endWatch()
    return try answer.get()
  }

  private func post(_ order: Order) {
    let needsThread = mailbox.withLock { mailbox in
      mailbox.waiting.append(order)
      defer { if mailbox.seat == nil { mailbox.seat = Seat() } }
      return mailbox.seat == nil
    }
    if needsThread { start() }
    signal.post()
  }

  // MARK: Threads that hang

  /// Looks at the job again and again until it is done; nothing runs while nobody waits.
  @AgentLoop
  private func watch(_ job: BlockingJob, giveUp: @escaping @AgentLoop (BlockingFailure) -> Void) {
    job.watch = AgentLoop.after(yieldsAfter) { [self] in
      let blocker = blocker(of: job)
      if let blocker, blocker.silence >= givesUpAfter { return giveUp(.unresponsive(blocker.subject)) }
      watch(job, giveUp: giveUp)
    }
  }

  /// The job that keeps this one from its end: itself, or the one that is under way. Where that shows no progress, those behind it get
  /// another thread, and nothing keeps them any more.
  private func blocker(of job: BlockingJob) -> BlockingJob? {
    let (blocker, needsThread) = mailbox.withLock { mailbox -> (BlockingJob?, Bool) in
      guard mailbox.waiting.contains(where: { $0.job === job }) else { return (job, false) }
      let running = mailbox.seat?.running.withLock { $0 }
      let silence = running?.silence ?? job.silence
      guard silence >= yieldsAfter, mailbox.stuck < Self.mostStuck else { return (running ?? job, false) }
      mailbox.stuck += 1
      mailbox.seat = Seat()
      return (nil, true)
    }
    if needsThread { start() }
    return blocker
  }

  // MARK: The thread itself

  private func start() {
    var thread = pthread_t()
    let failure = unsafe pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer = unsafe pointer else { return nil }
        unsafe Unmanaged<BlockingThread>.fromOpaque(pointer).takeRetainedValue().work()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    precondition(failure == 0, "no thread for what blocks: \(failure)")
    pthread_detach(thread)
  }

  private func work() {
    unsafe name.withCString { unsafe clinux_name_thread($0) }
    guard let seat = mailbox.withLock({ $0.seat }) else { return }
    while let order = next(for: seat) {
      order.work()
      seat.running.withLock { $0 = nil }
    }
  }

  /// The next job for a thread; nil where another one has taken its place.
  private func next(for seat: Seat) -> Order? {
    guard isCurrent(seat) else { return nil }
    signal.wait()
    let (order, isCurrent) = mailbox.withLock { mailbox -> (Order?, Bool) in
      guard mailbox.seat === seat else {
        mailbox.stuck -= 1
        return (nil, false)
      }
      let order = mailbox.waiting.isEmpty ? nil : mailbox.waiting.removeFirst()
      order?.job.sign()
      seat.running.withLock { $0 = order?.job }
      return (order, true)
    }
    // The signal was meant for the thread that took over.
    if !isCurrent { signal.post() }
    return order
  }

  private func isCurrent(_ seat: Seat) -> Bool {
    mailbox.withLock { mailbox in
      if mailbox.seat === seat { return true }
      mailbox.stuck -= 1
      return false
    }
  }

  /// Whoever waits for a job: answered once, by way of the loop, since who has not even begun to wait would go on at once, past
  /// those who wait.
  private final class Waiter<Result: Sendable>: Sendable {
    typealias Answer = @Sendable (Swift.Result<Result, BlockingFailure>) -> Void
    private let waiting: Mutex<Answer?>

    init(_ answer: @escaping Answer) { waiting = Mutex(answer) }

    func finish(_ result: Swift.Result<Result, BlockingFailure>) {
      let answer = waiting.withLock { waiting in
        defer { waiting = nil }
        return waiting
      }
      if let answer { AgentLoop.task { answer(result) } }
    }
  }

  /// POSIX's own, at an address that stays.
  @safe
  private final class Semaphore: @unchecked Sendable {
    // Unchecked: a semaphore is made to be used by several threads.
    private let raw = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { unsafe sem_init(raw, 0, 0) }

    deinit {
      unsafe sem_destroy(raw)
      unsafe raw.deallocate()
    }

    func post() { unsafe sem_post(raw) }
    func wait() { while unsafe sem_wait(raw) != 0 {} }
  }
}

/// One piece of work for a `BlockingThread`, as those see it who wait for it: it can be cancelled, and shows how far it is.
///
/// Any thread may use it. It is good for one `run`.
package final class BlockingJob: Sendable {
  private struct State {
    var isCancelled = false
    var subject: String?
    var lastSign = Duration.zero
  }

  private let state = Mutex(State())
  // Loop only.
  @AgentLoop fileprivate var watch: LoopTimer? {
    get { watchBox.withLock { $0 } }
    set { watchBox.withLock { $0 = newValue } }
  }
  private let watchBox = Mutex<LoopTimer?>(nil)

  /// A job that nobody has begun or cancelled.
  package init() {}

  /// Nobody wants it any more: one that waits is not begun, and one that runs should end when it sees this.
  package func cancel() { state.withLock { $0.isCancelled = true } }

  /// Whether nobody wants it any more.
  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Says what the job looks at now: it goes on, and this is to be named if it does not come back.
  package func looks(at subject: String) {
    state.withLock { state in
      state.subject = subject
      state.lastSign = AgentLoop.now
    }
  }

  /// To be asked now and then by long jobs: says that this one goes on, and answers whether it should.
  package func goesOn() -> Bool {
    state.withLock { state in
      state.lastSign = AgentLoop.now
      return !state.isCancelled
    }
  }

  fileprivate func sign() { state.withLock { $0.lastSign = AgentLoop.now } }

  fileprivate var subject: String? { state.withLock { $0.subject } }

  /// How long it has shown no progress.
  fileprivate var silence: Duration { AgentLoop.now - state.withLock { $0.lastSign } }

  @AgentLoop fileprivate func endWatch() {
    watch?.cancel()
    watch = nil
  }
}

/// Why a job came to nothing.
package enum BlockingFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// Whoever wanted it does not want it any more.
  case cancelled
  /// It waits for something that does not answer: what it looked at last, where it said so.
  case unresponsive(String?)

  /// A sentence's rest.
  package var description: String {
    switch self {
    case .cancelled: "it was called off"
    case .unresponsive(let subject):
      "'\(subject ?? "the disk")' does not answer; is its disk or its network gone?"
    }
  }
}
