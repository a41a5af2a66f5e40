// SPDX-License-Identifier: MIT

/// Decides which long jobs run and which wait, and what is reported about them. It starts nothing itself: it returns effects.
///
/// A job waits until the jobs that it needs are done and a place is free. At most `mostRunning` have a place. A suspended job gives up its place and
/// waits for one again when it is resumed. So does a job in the background as soon as another job can run. A job that is told to stop keeps its place
/// until its worker reports that it has ended.
package struct JobBoard: Sendable {
  /// An order for the worker of a job, or a report to others.
  package enum Effect: Sendable, Hashable {
    /// Start the job.
    case start(JobID)
    /// Halt after the present piece of work, and keep what was done.
    case pause(JobID)
    /// Go on after a pause.
    case goOn(JobID)
    /// End as soon as possible, and then send `ended`. A paused job may get this too.
    case stop(JobID)
    /// Report the present state of the job.
    case tell(JobID)
  }

  /// An order that somebody gives for a job.
  package enum Order: Sendable, Hashable {
    case suspend, resume, cancel
  }

  private enum Phase: Sendable, Hashable {
    /// The job waits for its turn. `hasBegun` means that it was paused and has to go on rather than start.
    case waiting(hasBegun: Bool)
    case running
    case suspended(hasBegun: Bool)
    /// The job was told to stop. `holdsPlace` means that it was running then.
    case stopping(holdsPlace: Bool)
    case over(JobOutcome)

    /// Whether the job counts as running. Only some jobs may run at a time.
    var holdsPlace: Bool {
      switch self {
      case .running, .stopping(true): true
      case .waiting, .suspended, .stopping(false), .over: false
      }
    }

    var state: JobState {
      switch self {
      case .waiting: .waiting
      case .running, .stopping(true): .running
      case .suspended, .stopping(false): .suspended
      case .over(let outcome): outcome.state
      }
    }
  }

  private struct Row: Sendable, Hashable {
    let id: JobID
    let request: JobRequest
    var phase = Phase.waiting(hasBegun: false)
    var step = JobStep(done: 0)
    var meter = ProgressMeter()
    /// When the job's state was last reported, so that reports don't come too often.
    var told: Duration
    /// Whether the worker has reported progress since `told`, of which nobody knows yet.
    var isUntold = false
    /// A number that grows with each job that ends; nil while this one is not over.
    var endNumber: Int?
  }

  /// How many jobs run at a time.
  private let mostRunning: Int
  /// The jobs in the order of their numbers. There are few at a time, so they are searched one by one.
  private var rows: [Row] = []
  private var lastNumber: UInt32 = 0
  /// How many jobs have ended.
  private var ends = 0
  /// Why no job may run for now, worded as the end of "waits for"; nil if jobs may run.
  private var hold: String?

  /// The most jobs that may wait, run or be suspended at a time. Further ones are refused.
  package static let mostOpen = 256
  /// How many jobs that are over are remembered.
  package static let mostOver = 32
  /// The shortest time between two reports of a job's progress.
  package static let pace = Duration.milliseconds(250)

  /// A board without jobs.
  package init(mostRunning: Int = 1) {
    precondition(mostRunning > 0, "no job could ever run")
    self.mostRunning = mostRunning
  }

  // MARK: What is seen

  /// All jobs in the order of their numbers: those that are not over, and those that ended most recently.
  package var jobs: [Job] { rows.map(face) }

  /// The job with this number; nil if there is none, or if it is forgotten.
  package func job(_ id: JobID) -> Job? { index(id).map { face(rows[$0]) } }

  package var isIdle: Bool { rows.allSatisfy { $0.phase.state.isOver } }

  private func face(_ row: Row) -> Job {
    let isRunning = row.phase.state == .running
    let total = row.step.total.map { max($0, row.step.done) }
    let rest = total.map { $0 - row.step.done }
    return Job(
      id: row.id, title: row.request.title, state: row.phase.state, done: row.step.done, total: total,
      current: isRunning ? row.step.current : nil, rate: isRunning ? row.meter.rate : nil,
      remaining: isRunning ? rest.flatMap(row.meter.time) : nil, why: why(row))
  }

  private func why(_ row: Row) -> String? {
    switch row.phase {
    case .over(.failed(let reason)): return reason
    case .waiting:
      if let hold { return "waits for \(hold)" }
      var open = row.request.needs.filter { state($0).map { !$0.isOver } ?? false }
      if open.isEmpty, row.request.priority == .background {
        open = rows.filter { $0.phase.holdsPlace && $0.request.priority > .background }.map(\.id)
      }
      return open.isEmpty ? nil : "waits for job \(open.map { "\($0.rawValue)" }.joined(separator: ", "))"
    default: return nil
    }
  }

  // MARK: What happens

  /// Adds a job. If one of its `needs` is unknown, that job ended so long ago that it is forgotten, and it counts as done. Throws if too many jobs
  /// wait.
  package mutating func add(
    _ request: JobRequest, at now: Duration
  ) throws(JobRefusal) -> (id: JobID, effects: [Effect]) {
    guard rows.count(where: { !$0.phase.state.isOver }) < Self.mostOpen else {
      throw .tooMany(Self.mostOpen)
    }
    lastNumber += 1
    let id = JobID(rawValue: lastNumber)
    rows.append(Row(id: id, request: request, told: now))
    var effects = [Effect.tell(id)]
    effects += settle(at: now)
    return (id, Self.unrepeated(effects))
  }

  /// Carries out an order for a job. An order that changes nothing is no error, except for a job that is over.
  package mutating func obey(
    _ order: Order, _ id: JobID, at now: Duration
  ) throws(JobRefusal) -> [Effect] {
    guard let index = index(id) else { throw .unknown(id) }
    let state = rows[index].phase.state
    guard !state.isOver else { throw .over(id, state) }
    var effects: [Effect]
    switch order {
    case .suspend: effects = suspend(index)
    case .resume: effects = resume(index)
    case .cancel: effects = cancel(index)
    }
    guard !effects.isEmpty else { return [] }
    effects += [.tell(id)] + settle(at: now)
    return Self.unrepeated(effects)
  }

  /// Takes a progress report from the worker of a job. A late report, after the job's end, is ignored.
  package mutating func progress(_ id: JobID, _ step: JobStep, at now: Duration) -> [Effect] {
    guard let index = index(id), !rows[index].phase.state.isOver else { return [] }
    rows[index].step = step
    rows[index].step.done = max(0, step.done)
    if rows[index].phase == .running { rows[index].meter.report(done: step.done, at: now) }
    guard now - rows[index].told >= Self.pace else {
      rows[index].isUntold = true
      return []
    }
    return tell(index, at: now)
  }

  /// Whether progress of a job was held back, because the last report was less than `pace` ago. The owner of the board then calls `tellRest` when that
  /// time is over.
  package func isUntold(_ id: JobID) -> Bool { index(id).map { rows[$0].isUntold } ?? false }

  /// Reports the progress of a job that was held back, if any still is.
  package mutating func tellRest(of id: JobID, at now: Duration) -> [Effect] {
    guard let index = index(id), rows[index].isUntold, !rows[index].phase.state.isOver else { return [] }
    return tell(index, at: now)
  }

  private mutating func tell(_ index: Int, at now: Duration) -> [Effect] {
    (rows[index].told, rows[index].isUntold) = (now, false)
    return [.tell(rows[index].id)]
  }

  /// Call when the worker of a job has ended. A worker that was told to stop may still have finished its work.
  package mutating func ended(_ id: JobID, _ outcome: JobOutcome, at now: Duration) -> [Effect] {
    guard let index = index(id), !rows[index].phase.state.isOver else { return [] }
    end(index, outcome)
    rows[index].meter.pause()
    return Self.unrepeated([.tell(id)] + settle(at: now))
  }

  /// Keeps all jobs from running until this is called with nil; `reason` says what they wait for. Running jobs pause, and go on afterwards.
  package mutating func hold(for reason: String?, at now: Duration) -> [Effect] {
    guard reason != hold else { return [] }
    hold = reason
    var effects: [Effect] = []
    for index in rows.indices where !rows[index].phase.state.isOver {
      if reason != nil, rows[index].phase == .running {
        rows[index].phase = .waiting(hasBegun: true)
        rows[index].meter.pause()
        effects.append(.pause(rows[index].id))
      }
      effects.append(.tell(rows[index].id))
    }
    return Self.unrepeated(effects + settle(at: now))
  }

  // MARK: One job

  private mutating func suspend(_ index: Int) -> [Effect] {
    switch rows[index].phase {
    case .waiting(let hasBegun):
      rows[index].phase = .suspended(hasBegun: hasBegun)
      return [.tell(rows[index].id)]
    case .running:
      rows[index].phase = .suspended(hasBegun: true)
      rows[index].meter.pause()
      return [.pause(rows[index].id)]
    case .suspended, .stopping, .over: return []
    }
  }

  private mutating func resume(_ index: Int) -> [Effect] {
    guard case .suspended(let hasBegun) = rows[index].phase else { return [] }
    rows[index].phase = .waiting(hasBegun: hasBegun)
    return [.tell(rows[index].id)]
  }

  private mutating func cancel(_ index: Int) -> [Effect] {
    let id = rows[index].id
    switch rows[index].phase {
    case .waiting(false), .suspended(false):
      end(index, .cancelled)
      return [.tell(id)]
    case .waiting(true), .suspended(true):
      rows[index].phase = .stopping(holdsPlace: false)
      return [.stop(id)]
    case .running:
      rows[index].phase = .stopping(holdsPlace: true)
      return [.stop(id)]
    case .stopping, .over: return []
    }
  }

  private mutating func end(_ index: Int, _ outcome: JobOutcome) {
    rows[index].phase = .over(outcome)
    rows[index].endNumber = ends
    ends += 1
  }

  // MARK: All jobs

  /// Ends jobs whose needs failed, starts those that can start, and forgets those that ended longest ago.
  private mutating func settle(at now: Duration) -> [Effect] {
    let effects = endHopeless() + startNext(at: now)
    for case .tell(let id) in effects {
      if let index = index(id) { (rows[index].told, rows[index].isUntold) = (now, false) }
    }
    forget()
    return effects
  }

  /// Ends jobs that can never start. A job's needs have lower numbers than the job, so one pass in order finds a whole chain of them.
  private mutating func endHopeless() -> [Effect] {
    var effects: [Effect] = []
    for index in rows.indices {
      guard !rows[index].phase.state.isOver, let outcome = hopeless(rows[index]) else { continue }
      switch rows[index].phase {
      case .waiting(false), .suspended(false):
        end(index, outcome)
        effects.append(.tell(rows[index].id))
      case .waiting, .suspended, .running, .stopping, .over: break  // it has begun, so its needs were done
      }
    }
    return effects
  }

  /// The outcome of a job that can never start, because one of its needs failed; nil for any other job.
  private func hopeless(_ row: Row) -> JobOutcome? {
    for need in row.request.needs {
      switch state(need) {
      case .failed: return .failed("job \(need.rawValue), which has to be done before, has failed")
      case .cancelled: return .cancelled
      case .waiting, .running, .suspended, .done, nil: break
      }
    }
    return nil
  }

  private mutating func startNext(at now: Duration) -> [Effect] {
    guard hold == nil else { return [] }
    var effects: [Effect] = []
    while let index = next(), hasPlace(for: rows[index].request.priority, &effects) {
      let id = rows[index].id
      let hasBegun = rows[index].phase == .waiting(hasBegun: true)
      rows[index].phase = .running
      rows[index].meter.report(done: rows[index].step.done, at: now)
      effects += [hasBegun ? .goOn(id) : .start(id), .tell(id)]
    }
    return effects
  }

  /// Whether a job may start. If no place is free, a running job in the background is paused to make room for any other job.
  private mutating func hasPlace(for priority: JobPriority, _ effects: inout [Effect]) -> Bool {
    if rows.count(where: { $0.phase.holdsPlace }) < mostRunning { return true }
    guard priority > .background,
      let index = rows.lastIndex(where: { $0.phase == .running && $0.request.priority == .background })
    else { return false }
    rows[index].phase = .waiting(hasBegun: true)
    rows[index].meter.pause()
    effects += [.pause(rows[index].id), .tell(rows[index].id)]
    return true
  }

  /// The job that is to run next: of the waiting jobs whose needs are done, the first of the most urgent ones.
  private func next() -> Int? {
    rows.indices.filter { index in
      guard case .waiting = rows[index].phase else { return false }
      return rows[index].request.needs.allSatisfy { state($0).map { $0 == .done } ?? true }
    }.max { rows[$0].request.priority < rows[$1].request.priority || sameButLater($0, $1) }
  }

  private func sameButLater(_ left: Int, _ right: Int) -> Bool {
    rows[left].request.priority == rows[right].request.priority && left > right
  }

  private mutating func forget() {
    let surplus = rows.count { $0.endNumber != nil } - Self.mostOver
    guard surplus > 0 else { return }
    // A job that is over is remembered while a job that needs it waits.
    let needed = Set(rows.filter { $0.endNumber == nil }.flatMap(\.request.needs))
    let ends = rows.compactMap { needed.contains($0.id) ? nil : $0.endNumber }.sorted().prefix(surplus)
    guard let last = ends.last else { return }
    rows.removeAll { row in
      guard let end = row.endNumber else { return false }
      return end <= last && !needed.contains(row.id)
    }
  }

  private func state(_ id: JobID) -> JobState? { index(id).map { rows[$0].phase.state } }

  private func index(_ id: JobID) -> Int? { rows.firstIndex { $0.id == id } }

  /// The effects with each `tell` once, at the end, so that a listener sees the result of all decisions.
  private static func unrepeated(_ effects: [Effect]) -> [Effect] {
    var (acts, tells) = ([Effect](), [Effect]())
    for effect in effects {
      if case .tell = effect {
        if !tells.contains(effect) { tells.append(effect) }
      } else {
        acts.append(effect)
      }
    }
    return acts + tells
  }
}
