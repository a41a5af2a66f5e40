// SPDX-License-Identifier: MIT
import Synchronization

/// Runs jobs that may block, one after another, on a thread of its own.
///
/// The thread starts with the first job and lasts as long as the process. A disk that does not answer holds up only the thread that
/// asked it: after `yieldsAfter` the jobs behind get a new thread, and after `givesUpAfter` the caller of the hanging job gets an
/// error. At most `mostStuck` threads may hang at a time; beyond that, the jobs behind them fail as well.
package final class BlockingThread: Sendable {
  /// How long a job may show no progress before those behind it get another thread.
  private let yieldsAfter: Duration
  /// How long a job may show no progress before its caller gets `unresponsive`.
  private let givesUpAfter: Duration
  private let mostStuck: Int

  private let name: String
  private let yields: Bool
  private let mailbox = Mutex(Mailbox())
  private let signal = Wakeup()

  private struct Mailbox {
    var waiting: [Order] = []
    /// The right to take the next job, which one thread has at a time; nil before the first thread starts.
    var seat: Seat?
    /// How many threads hang in a job and have been replaced.
    var stuck = 0

    mutating func takeSeat() -> Seat {
      let new = Seat()
      seat = new
      return new
    }
  }

  private struct Order: Sendable {
    let job: BlockingJob
    let work: @Sendable () -> Void
    /// Tells the caller that no thread will do the work.
    let refuse: @Sendable () -> Void
  }

  /// Stands for one thread, and holds the job that the thread runs now. If this is no longer the mailbox's `seat`, another
  /// thread has replaced this one.
  private final class Seat: Sendable {
    let running = Mutex<BlockingJob?>(nil)
  }

  /// A thread without jobs; it is not started yet. `name` is what the system calls it, in 15 letters at most. One that is `unhurried` gets
  /// processor and disk when nobody else wants them.
  package init(
    _ name: String, unhurried: Bool = false, yieldsAfter: Duration = .seconds(3),
    givesUpAfter: Duration = .seconds(20), mostStuck: Int = 4
  ) {
    self.mostStuck = mostStuck
    self.name = name
    yields = unhurried
    self.yieldsAfter = yieldsAfter
    self.givesUpAfter = givesUpAfter
  }

  /// Runs a job on the thread and returns its result. Callers go on in the order in which they called.
  ///
  /// Throws if the job was cancelled before it was done, or if nothing answered it for too long. In both cases nobody waits for the
  /// job any more, though it may still run. Throws also if the system gives no thread; the next job asks for one again.
  @AgentLoop
  package func run<Result: Sendable>(
    _ job: BlockingJob = BlockingJob(), _ body: @escaping @Sendable (BlockingJob) -> Result
  ) async throws(BlockingFailure) -> Result {
    let answer: Swift.Result<Result, BlockingFailure> = await unsafe withUnsafeContinuation { continuation in
      let waiter = Waiter<Result> { unsafe continuation.resume(returning: $0) }
      job.sign()
      job.begin()
      post(
        Order(
          job: job,
          work: {
            let result = job.isCancelled ? nil : body(job)
            // Before the caller goes on: it may ask whether the job is under way.
            job.end()
            guard let result, !job.isCancelled else { return waiter.finish(.failure(.cancelled)) }
            waiter.finish(.success(result))
          },
          refuse: {
            job.end()
            waiter.finish(.failure(.noThread))
          }))
      watch(job, giveUp: { waiter.finish(.failure($0)) })
    }
    job.endWatch()
    return try answer.get()
  }

  private func post(_ order: Order) {
    let first: Seat? = mailbox.withLock { mailbox in
      mailbox.waiting.append(order)
      return mailbox.seat == nil ? mailbox.takeSeat() : nil
    }
    if let first { start(first) }
    signal.wake()
  }

  // MARK: Threads that hang

  /// Checks every `yieldsAfter` whether something holds up the job, until it is done. No timer runs while nobody waits.
  @AgentLoop
  private func watch(_ job: BlockingJob, giveUp: @escaping @AgentLoop (BlockingFailure) -> Void) {
    job.watch = AgentLoop.after(yieldsAfter) { [self] in
      let blocker = blocker(of: job)
      if let blocker, blocker.silence >= givesUpAfter {
        drop(job)
        return giveUp(.unresponsive(blocker.subject))
      }
      watch(job, giveUp: giveUp)
    }
  }

  /// The job that holds this one up: this one itself if it has begun, or else the one that is running. If that one has shown no
  /// progress for `yieldsAfter`, this starts a new thread for the jobs that wait and returns nil, because nothing holds them up
  /// any more.
  private func blocker(of job: BlockingJob) -> BlockingJob? {
    let (blocker, next) = mailbox.withLock { mailbox -> (BlockingJob?, Seat?) in
      guard mailbox.waiting.contains(where: { $0.job === job }) else { return (job, nil) }
      let running = mailbox.seat?.running.withLock { $0 }
      let silence = running?.silence ?? job.silence
      guard silence >= yieldsAfter, mailbox.stuck < mostStuck else { return (running ?? job, nil) }
      mailbox.stuck += 1
      return (nil, mailbox.takeSeat())
    }
    if let next { start(next) }
    return blocker
  }

  /// Cancels a job whose caller got an error, and takes it off the list, so that no thread begins it later.
  private func drop(_ job: BlockingJob) {
    job.cancel()
    mailbox.withLock { mailbox in
      guard let index = mailbox.waiting.firstIndex(where: { $0.job === job }) else { return }
      mailbox.waiting.remove(at: index)
      job.end()
    }
  }

  // MARK: The thread itself

  private func start(_ seat: Seat) {
    if WorkerThread.begin(name, yields: yields, { [self] in work(seat) }) { return }
    let refused = mailbox.withLock { mailbox in
      if mailbox.seat === seat { mailbox.seat = nil }
      defer { mailbox.waiting = [] }
      return mailbox.waiting
    }
    for order in refused { order.refuse() }
  }

  private func work(_ seat: Seat) {
    while isCurrent(seat) {
      guard let order = takeOrder(for: seat) else {
        signal.sleep()
        continue
      }
      order.work()
      seat.running.withLock { $0 = nil }
    }
    // Another thread takes the jobs now. If this thread was woken for a new job, the wake-up has to be passed on to the other one.
    signal.wake()
  }

  /// Takes the next job off the list and notes that this thread runs it. Nil if none waits, or if another thread takes the jobs now.
  private func takeOrder(for seat: Seat) -> Order? {
    mailbox.withLock { mailbox in
      guard mailbox.seat === seat, !mailbox.waiting.isEmpty else { return nil }
      let order = mailbox.waiting.removeFirst()
      order.job.sign()
      seat.running.withLock { $0 = order.job }
      return order
    }
  }

  /// Returns whether this thread still takes jobs. If another thread has replaced it, it is no longer counted as stuck; so it
  /// must ask only once then.
  private func isCurrent(_ seat: Seat) -> Bool {
    mailbox.withLock { mailbox in
      if mailbox.seat === seat { return true }
      mailbox.stuck -= 1
      return false
    }
  }

  /// The caller that waits for a job. It is answered once. A task on the loop does that: if the caller were resumed directly
  /// before it has begun to wait, it would go on ahead of callers who wait already.
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
}

/// One piece of work for a `BlockingThread`, as its caller sees it: the caller can cancel it, and the work reports its progress here.
///
/// Any thread may use it. It is good for one `run`.
package final class BlockingJob: Sendable {
  private struct State {
    var isCancelled = false
    var isUnderWay = false
    var subject: String?
    var lastSign = Duration.zero
    var watch: LoopTimer?
  }

  private let state = Mutex(State())
  /// The timer that checks whether something holds the job up; nil when nobody waits for the job.
  @AgentLoop fileprivate var watch: LoopTimer? {
    get { state.withLock { $0.watch } }
    set { state.withLock { $0.watch = newValue } }
  }

  package init() {}

  /// Cancels the job: one that waits is not begun, and one that runs should end when it sees this.
  package func cancel() { state.withLock { $0.isCancelled = true } }

  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Whether the job is still to be begun, or was begun and has not returned. That lasts for ever where a disk hangs, also when the caller was told long
  /// ago that the job had failed.
  package var isUnderWay: Bool { state.withLock { $0.isUnderWay } }

  /// The job calls this to say what it works on now, such as a file. The call counts as progress. If the job hangs, the error
  /// names the subject.
  package func looks(at subject: String) {
    state.withLock { state in
      state.subject = subject
      state.lastSign = AgentLoop.now
    }
  }

  /// Long jobs call this now and then. It counts as progress, and returns whether the job should go on.
  package func goesOn() -> Bool {
    state.withLock { state in
      state.lastSign = AgentLoop.now
      return !state.isCancelled
    }
  }

  fileprivate func begin() { state.withLock { $0.isUnderWay = true } }
  fileprivate func end() { state.withLock { $0.isUnderWay = false } }

  fileprivate func sign() { state.withLock { $0.lastSign = AgentLoop.now } }

  fileprivate var subject: String? { state.withLock { $0.subject } }

  /// The time since the job last showed progress.
  fileprivate var silence: Duration { AgentLoop.now - state.withLock { $0.lastSign } }

  @AgentLoop fileprivate func endWatch() {
    watch?.cancel()
    watch = nil
  }
}

/// Why a job that was given to a thread of this kind had no result.
package enum BlockingFailure: Error, Sendable, Equatable, CustomStringConvertible {
  case cancelled
  /// Something does not answer. The value is the subject that the job named last, if it named one.
  case unresponsive(String?)
  /// The system gives no more threads.
  case noThread

  /// The reason, worded as the end of a sentence.
  package var description: String {
    switch self {
    case .cancelled: "it was called off"
    case .unresponsive(let subject):
      "'\(subject ?? "the disk")' does not answer; is its disk or its network gone?"
    case .noThread: "the system gives no more threads; end some programs"
    }
  }
}
