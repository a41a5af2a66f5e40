// SPDX-License-Identifier: MIT
import AgentLoop
import FileIO
import JobLogic
import MediaModel

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

/// Holds long jobs while the machine runs on its battery, if the user has set it so.
///
/// It reads the state of the battery when a job is added, and every half minute while there is a job; never otherwise. The kernel reports changes
/// only on a kind of socket that the service is not allowed to open.
@AgentLoop
final class JobPower {
  /// Whether jobs run on battery as well; then the state of the battery is not read.
  var runsOnBattery = true {
    didSet { if runsOnBattery != oldValue { look() } }
  }

  private let jobs: JobService
  private let thread: BlockingThread
  private let folder: FilePath
  private var timer: LoopTimer?
  private var isLooking = false

  private static let pause = Duration.seconds(30)
  private nonisolated static let reason = "the plug, as the setting jobs-on-battery says"

  /// `thread` may block, because some batteries take a while to answer. `folder` is where the kernel lists power supplies.
  init(_ jobs: JobService, on thread: BlockingThread, in folder: FilePath = "/sys/class/power_supply") {
    (self.jobs, self.thread, self.folder) = (jobs, thread, folder)
    jobs.added = { [weak self] in self?.look() }
  }

  private func look() {
    timer?.cancel()
    guard !runsOnBattery else { return jobs.hold(for: nil) }
    guard !jobs.isIdle, !isLooking else { return }
    isLooking = true
    AgentLoop.task { [weak self, thread, folder] in
      let isOnBattery = try? await thread.run { _ in Self.isOnBattery(folder) }
      self?.take(isOnBattery ?? false)
    }
  }

  private func take(_ isOnBattery: Bool) {
    isLooking = false
    jobs.hold(for: isOnBattery && !runsOnBattery ? Self.reason : nil)
    guard !runsOnBattery, !jobs.isIdle else { return }
    timer = AgentLoop.after(Self.pause) { [weak self] in self?.look() }
  }

  private nonisolated static func isOnBattery(_ folder: FilePath) -> Bool {
    var supplies: [PowerSupply] = []
    guard let held = try? HeldFile(folder), held.kind == .folder, var listing = try? held.openFolder() else {
      return false
    }
    while let (name, _) = try? listing.next() {
      guard name.bytes.first != UInt8(ascii: ".") else { continue }
      let supply = folder.entry(name)
      func content(_ file: FilePath) -> String {
        guard let file = try? OpenFile(supply.entry(file)), let bytes = try? file.head(64) else { return "" }
        return String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
      }
      supplies.append(
        PowerSupply(
          type: content("type"), online: content("online"), status: content("status"),
          scope: content("scope")))
    }
    return PowerSupply.areOnBattery(supplies)
  }
}
