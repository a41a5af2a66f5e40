// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import FaceModel
import JobLogic
import LibraryIO
import LibraryQuery
import MediaModel
import ReaderIO
import ReaderModel
import Synchronization

/// One analysis: has the loudness of items measured, and stores each result as soon as it is known.
///
/// Several threads measure one file each. When told to stop, each gives up its present file within a few seconds of that file's sound, and nothing
/// else is lost. In a short pause the files wait, in a longer one they are given up too: otherwise an analysis that scans interrupt every minute
/// would never finish a book. After a pause the analysis asks anew which items are left. Loop only; it lives until `run` returns.
@AgentLoop
final class LibraryAnalysis: JobWorker {
  /// The functions and threads that an analysis works with.
  struct Tools: Sendable {
    /// The threads that measure files; each of them may block.
    var threads: [BlockingThread]
    /// Returns the items whose loudness is to be measured.
    var items: @AgentLoop () async throws -> [MediaItem.ID]
    /// Returns the files of those of these items that are still to be measured.
    var files: @AgentLoop (ArraySlice<MediaItem.ID>) async throws -> [FileToMeasure]
    /// Measures the loudness of a file, and gives up soon after its second argument has returned false. Blocks.
    var measure: @Sendable (FilePath, () -> Bool) throws(LoudnessFailure) -> LoudnessClient.Answer
    /// Stores the result of measuring an item's file.
    var write: @AgentLoop (MediaItem.ID, LoudnessClient.Answer) async throws -> Void
    /// Ends the processes that measure, when there is no more to measure for now. Blocks for a moment.
    var rest: @Sendable () -> Void
    /// Called with the reason when a file was not measured. Of files that may be measured some other time, only the first ones are named.
    var missed: @AgentLoop (FilePath, LoudnessFailure) -> Void
  }

  private let tools: Tools
  private var tell: @AgentLoop (JobStep) -> Void = { _ in }
  private var waiting: ArraySlice<MediaItem.ID> = []
  /// The items that were tried in vain and of which nothing was stored. After a pause they count as left, but this analysis does not try them again.
  private var missed: Set<MediaItem.ID> = []
  /// The files of the next items, looked up ahead.
  private var files: ArraySlice<FileToMeasure> = []
  /// The task that looks up more files; nil if none does.
  private var looking: Task<Void, any Error>?
  /// The jobs that measure now, by the numbers of their threads, so that they can be cancelled.
  private var running: [Int: BlockingJob] = [:]
  private var step = JobStep(done: 0)
  private var isPaused = false
  private let hold: Hold
  /// If a pause lasts longer than this, files that are half measured are given up. The process that measures them ends by itself after half a minute
  /// without an order, so this has to be shorter.
  private let patience: Duration
  private var grace: LoopTimer?
  /// Whether the threads have to leave the files that they measure, because a pause lasted longer than `patience`. It becomes false when all have done
  /// so. Then they begin these files anew.
  private var mustHalt = false
  /// Whether somebody has asked for what this analysis measures since it has last asked for its items, so that there may be others.
  private var asksAnew = false
  private var isStopped = false
  /// Those who wait for the end of a pause.
  private let pausing = WaitingCallers()
  /// Why no more items can be measured; nil if they can.
  private var failure: String?
  /// The number of files that could not be measured although nothing is wrong with their sound, and why the first could not; nil if there is none.
  private var passedOver: (count: Int, why: String)?
  /// How many files in a row were on a disk that did not answer.
  private var silentFiles = 0

  /// The files of this many items are looked up at once.
  private static let itemsAtOnce = 64
  /// After so many files in a row whose disk did not answer, no more are tried: each takes minutes.
  private static let mostSilentFiles = 3
  /// So many files are named that were passed over. Where something is missing, it is missing for all of them.
  private static let mostNamed = 10

  init(_ tools: Tools, patience: Duration = .seconds(20)) {
    (self.tools, self.patience) = (tools, patience)
    hold = Hold(threads: tools.threads.count)
  }

  // MARK: Orders

  func pause() {
    isPaused = true
    hold.begin()
    grace?.cancel()
    grace = AgentLoop.after(patience) { [weak self] in self?.halt() }
  }

  /// Gives up the files in hand, because the pause lasts.
  private func halt() {
    mustHalt = true
    letGo()
  }

  func goOn() {
    isPaused = false
    grace?.cancel()
    wake()
  }

  private func wake() {
    hold.end()
    pausing.resume()
  }

  func stop() {
    isStopped = true
    letGo()
    goOn()
  }

  /// Tries the items once more that could not be measured. Call it while the analysis waits: it then asks anew which items are left.
  func tryMissedAgain() { (missed, passedOver, asksAnew) = ([], nil, true) }

  /// Has all threads leave the file that they measure or wait with.
  private func letGo() {
    for job in running.values { job.cancel() }
    wake()
  }

  // MARK: The work

  func run(tell: @escaping @AgentLoop (JobStep) -> Void) async -> JobOutcome {
    self.tell = tell
    while true {
      await measureAll()
      // The processes start again when the next analysis measures something.
      _ = try? await tools.threads[0].run { [rest = tools.rest] _ in rest() }
      if isStopped { return .cancelled }
      if let failure { return .failed(failure) }
      if !mustHalt, !asksAnew { return outcome }
      while isPaused, !isStopped { await pausing.wait() }
      if isStopped { return .cancelled }
      mustHalt = false
    }
  }

  /// The outcome when no item is left.
  private var outcome: JobOutcome {
    guard let (count, why) = passedOver else { return .done }
    return .failed("\(count) of \(step.done) could not be measured: \(why)")
  }

  private var goesOn: Bool { !mustHalt && !isStopped && failure == nil }

  /// Measures until nothing is left, or until it is told to halt.
  private func measureAll() async {
    asksAnew = false
    do { waiting = try await tools.items().filter { !missed.contains($0) }[...] } catch {
      return failure = Self.text(error)
    }
    files = []
    step = JobStep(done: step.done, total: step.done + waiting.count)
    tell(step)
    let lanes = tools.threads.indices.map { index in AgentLoop.task { [self] in await measure(on: index) } }
    for lane in lanes { await lane.value }
    step.current = nil
    tell(step)
  }

  /// Measures one file after another on the thread of this number.
  private func measure(on index: Int) async {
    do {
      while goesOn, let file = try await next() {
        while isPaused, goesOn { await pausing.wait() }
        guard goesOn else { return }
        step.current = file.path.text
        tell(step)
        guard let answer = await measure(file, on: index) else { continue }
        try await tools.write(file.id, answer)
        if case .failure(let failure) = answer.found { tools.missed(file.path, failure) }
        count()
      }
    } catch {
      failure = failure ?? Self.text(error)
      letGo()
    }
  }

  /// The next file to measure; nil if none is left.
  private func next() async throws -> FileToMeasure? {
    while files.isEmpty {
      if looking == nil {
        guard !waiting.isEmpty else { return nil }
        looking = AgentLoop.task(throwing: { [self] () throws -> Void in try await lookUp() })
      }
      // Another thread's search for its next file may have begun this task.
      try await looking?.value
    }
    return files.popFirst()
  }

  private func lookUp() async throws {
    defer { looking = nil }
    let items = waiting.prefix(Self.itemsAtOnce)
    waiting = waiting.dropFirst(Self.itemsAtOnce)
    let found = try await tools.files(items)
    files += found
    // Items for which no file came back were measured or removed since this analysis began.
    step.done += items.count - found.count
  }

  private func count() {
    step.done += 1
    tell(step)
  }

  /// The result of measuring a file; nil if no result is to be stored.
  private func measure(_ file: FileToMeasure, on index: Int) async -> LoudnessClient.Answer? {
    let job = BlockingJob()
    running[index] = job
    defer { running[index] = nil }
    job.looks(at: file.path.text)
    do {
      let result: Result<LoudnessClient.Answer, LoudnessFailure> = try await tools.threads[index].run(job) {
        [measure = tools.measure, hold] job in
        Result { () throws(LoudnessFailure) in
          try measure(file.path) {
            hold.pass(index)
            return job.goesOn()
          }
        }
      }
      return take(result, of: file)
    } catch {
      // A file that was cancelled, or whose disk does not answer, has no result; the next analysis tries it again.
      if error != .cancelled { take(LoudnessFailure(.silent, "can't be measured: \(error)"), of: file) }
      return nil
    }
  }

  private func take(
    _ result: Result<LoudnessClient.Answer, LoudnessFailure>, of file: FileToMeasure
  ) -> LoudnessClient.Answer? {
    switch result {
    case .success(let answer):
      silentFiles = 0
      return answer
    case .failure(let failure):
      take(failure, of: file)
      return nil
    }
  }

  private func take(_ failure: LoudnessFailure, of file: FileToMeasure) {
    switch failure.kind {
    case .calledOff: break
    case .noProcess:
      self.failure = "loudness \(failure.reason)"
      letGo()
    case .missing, .unreadable, .silent:
      passOver(file, failure)
    case .unfit, .died:
      missed.insert(file.id)
      tools.missed(file.path, failure)
      count()
    }
  }

  /// Leaves out a file that may be measured some other time. Ends the analysis if a disk seems to be gone.
  private func passOver(_ file: FileToMeasure, _ failure: LoudnessFailure) {
    missed.insert(file.id)
    let known = passedOver?.count ?? 0
    passedOver = (known + 1, passedOver?.why ?? "'\(file.path)' \(failure.reason)")
    if known < Self.mostNamed { tools.missed(file.path, failure) }
    count()
    silentFiles = failure.kind == .silent ? silentFiles + 1 : 0
    guard silentFiles >= Self.mostSilentFiles else { return }
    self.failure = "'\(file.path)' \(failure.reason); what was measured is kept"
    letGo()
  }

  private static func text(_ error: any Error) -> String {
    switch error {
    case let refused as BusError: refused.message
    default: "\(error)"
    }
  }
}

/// Holds up the threads that measure, in a pause. Any thread may call it.
private final class Hold: Sendable {
  private let isOn = Atomic<Bool>(false)
  private let bells: [Wakeup]

  init(threads: Int) { bells = (0..<threads).map { _ in Wakeup() } }

  func begin() { isOn.store(true, ordering: .releasing) }

  func end() {
    isOn.store(false, ordering: .releasing)
    for bell in bells { bell.wake() }
  }

  /// Returns when nothing holds up the thread of this number.
  func pass(_ thread: Int) {
    // A former pause may have left a wake-up behind.
    while isOn.load(ordering: .acquiring) { bells[thread].sleep() }
  }
}

/// Measures the loudness of items of the library when somebody asks for it. Each analysis is a job in the background. Owns the threads and the
/// processes that measure.
@AgentLoop
final class LibraryAnalyses {
  private let databases: LibraryDatabases
  private let jobs: JobService
  private let log: Log
  private let client: LoudnessClient
  /// The threads that measure. They have a low priority, so that the music comes first. There are two because a file that makes the process that
  /// measures it hang holds up its thread for minutes.
  private let threads = ["loudness", "loudness-2"].map {
    BlockingThread($0, unhurried: true, yieldsAfter: .seconds(60), givesUpAfter: .seconds(150))
  }
  /// The analyses that have not ended, with their queries, by their jobs.
  private var open: [JobID: (query: ItemQuery, analysis: LibraryAnalysis)] = [:]

  init(
    _ databases: LibraryDatabases, _ jobs: JobService, _ log: Log, client: LoudnessClient = LoudnessClient()
  ) {
    (self.databases, self.jobs, self.log, self.client) = (databases, jobs, log, client)
  }

  /// Measures the loudness of the items that a query finds. With `again`, items that were measured before are measured once more. Returns the job.
  func analyze(_ query: ItemQuery, again: Bool) async throws(BusError) -> JobID {
    if again { try await databases.use { try $0.remeasure(query, at: LibraryService.queryTime) } }
    // If an analysis of the same query waits to begin, it will find these items too, so no second one is added.
    if let (job, waiting) = open.first(where: {
      $0.value.query == query && jobs.job($0.key)?.state == .waiting
    }) {
      waiting.analysis.tryMissedAgain()
      return job
    }
    let title = "Measure loudness" + (query.predicate.map { " where \($0)" } ?? "")
    do throws(JobRefusal) {
      let analysis = LibraryAnalysis(tools(query))
      let id = try jobs.add(JobRequest(title, priority: .background), analysis)
      open[id] = (query, analysis)
      AgentLoop.task { [weak self, jobs] in
        await jobs.untilOver(id)
        self?.open[id] = nil
      }
      return id
    } catch { throw AgentError.tryAgain("\(error)") }
  }

  private func tools(_ query: ItemQuery) -> LibraryAnalysis.Tools {
    LibraryAnalysis.Tools(
      threads: threads,
      items: { [databases] in
        try await databases.use { try $0.unmeasured(of: query, at: LibraryService.queryTime) }
      },
      files: { [databases] items in try await databases.use { try $0.toMeasure(items) } },
      measure: { [client] (file, goesOn) throws(LoudnessFailure) in try client.measure(file, goesOn: goesOn)
      },
      write: { [databases] id, answer in
        let found = answer.found.mapError { UnfitSound(reason: $0.reason) }
        try await databases.use {
          _ = try $0.note(found, of: id, size: answer.size, modified: answer.modified)
        }
      },
      rest: { [client] in client.rest() },
      missed: { [log] file, failure in
        let remedy =
          failure.isOfTheFile ? "it is left alone until it changes" : "the next analysis tries again"
        log(.warning, "library: no loudness of '\(file)': it \(failure.reason); \(remedy)")
      })
  }
}
