// SPDX-License-Identifier: MIT
import AgentLoop
import JobLogic

/// Does the work of one long job, such as a scan of the library. Its functions are called on the loop.
@AgentLoop
protocol JobWorker: AnyObject {
  /// Does the work, and returns how it ended. Called once. The worker calls `tell` now and then with how far the work has come.
  func run(tell: @escaping @AgentLoop (JobStep) -> Void) async -> JobOutcome
  /// Asks the worker to halt after the present piece of work.
  func pause()
  /// Lets the worker go on after a pause.
  func goOn()
  /// Asks the worker to end after the present piece of work, even during a pause.
  func stop()
}

/// Runs long jobs in the order that `JobBoard` decides, and reports their progress. Loop only; without jobs it costs nothing.
@AgentLoop
final class JobService {
  /// Called when a job was added, has progressed or has ended.
  var news: @AgentLoop (Job) -> Void = { _ in }

  private var board = JobBoard()
  /// The workers of the jobs that are not over.
  private var workers: [JobID: any JobWorker] = [:]
  /// The tasks that wait for the end of a job.
  private var waiting: [JobID: WaitingCallers] = [:]
  /// For each job whose last progress is not told yet: when it will be.
  private var rests: [JobID: LoopTimer] = [:]

  init() {}

  /// Called when a job was added.
  var added: @AgentLoop () -> Void = {}

  /// Whether all jobs are over.
  var isIdle: Bool { board.isIdle }

  /// Keeps every job from running until this is called with nil. `reason` says what they wait for.
  func hold(for reason: String?) { perform(board.hold(for: reason, at: AgentLoop.now)) }

  /// All jobs that are known, in the order of their numbers.
  var jobs: [Job] { board.jobs }

  func job(_ id: JobID) -> Job? { board.job(id) }

  /// Adds a job, and starts it when its turn comes.
  func add(_ request: JobRequest, _ worker: any JobWorker) throws(JobRefusal) -> JobID {
    let (id, effects) = try board.add(request, at: AgentLoop.now)
    workers[id] = worker
    perform(effects)
    added()
    return id
  }

  /// Carries out an order for a job, such as to pause it.
  func obey(_ order: JobBoard.Order, _ id: JobID) throws(JobRefusal) {
    perform(try board.obey(order, id, at: AgentLoop.now))
  }

  /// Returns when a job is over.
  func untilOver(_ id: JobID) async {
    guard board.job(id).map({ !$0.state.isOver }) ?? false else { return }
    let callers = waiting[id] ?? WaitingCallers()
    waiting[id] = callers
    await callers.wait()
  }

  /// Tells all jobs to end, because the agent ends.
  func stop() {
    for job in board.jobs where !job.state.isOver { try? obey(.cancel, job.id) }
  }

  private func perform(_ effects: [JobBoard.Effect]) {
    for effect in effects {
      switch effect {
      case .start(let id): start(id)
      case .pause(let id): workers[id]?.pause()
      case .goOn(let id): workers[id]?.goOn()
      case .stop(let id): workers[id]?.stop()
      case .tell(let id): tell(id)
      }
    }
  }

  private func start(_ id: JobID) {
    guard let worker = workers[id] else { return }
    AgentLoop.task { [self] in
      let outcome = await worker.run { [weak self] step in self?.progress(id, step) }
      perform(board.ended(id, outcome, at: AgentLoop.now))
    }
  }

  private func progress(_ id: JobID, _ step: JobStep) {
    perform(board.progress(id, step, at: AgentLoop.now))
    // A file may take minutes: the last that was reported before has to be seen meanwhile.
    guard board.isUntold(id), rests[id] == nil else { return }
    rests[id] = AgentLoop.after(JobBoard.pace) { [weak self] in
      guard let self else { return }
      rests[id] = nil
      perform(board.tellRest(of: id, at: AgentLoop.now))
    }
  }

  private func tell(_ id: JobID) {
    let job = board.job(id)
    // One that is forgotten already is over too: of very many that end at once, not all are remembered.
    if job?.state.isOver ?? true {
      workers[id] = nil
      waiting.removeValue(forKey: id)?.resume()
    }
    if let job { news(job) }
  }
}
