// SPDX-License-Identifier: MIT
import FermataTestKit
import JobLogic
import Testing

/// Workers who do what a board tells them, at random times, and check that each effect fits what they were doing.
private struct Workers {
  enum Doing: Equatable { case working, pausing, stopping }

  private(set) var doing: [JobID: Doing] = [:]
  private(set) var complaints: [String] = []

  mutating func perform(_ effects: [JobBoard.Effect]) {
    for effect in effects {
      switch effect {
      case .start(let id): turn(id, from: [nil], to: .working, "start")
      case .pause(let id): turn(id, from: [.working], to: .pausing, "pause")
      case .goOn(let id): turn(id, from: [.pausing], to: .working, "goOn")
      case .stop(let id): turn(id, from: [.working, .pausing], to: .stopping, "stop")
      case .tell: break
      }
    }
  }

  mutating func end(_ id: JobID) { doing[id] = nil }

  private mutating func turn(_ id: JobID, from old: [Doing?], to new: Doing, _ what: String) {
    if !old.contains(doing[id]) {
      complaints.append("\(what) for job \(id.rawValue), which is \(doing[id] as Any)")
    }
    doing[id] = new
  }
}

@Suite("Long jobs, at random")
struct JobBoardPropertyTests {
  @Test(
    "whatever is ordered, places, needs and priorities hold, and everything ends",
    arguments: 0..<60 as Range<UInt64>)
  func anything(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let places = Int.random(in: 1...3, using: &random)
    var (board, workers, now) = (JobBoard(mostRunning: places), Workers(), Duration.zero)
    var needs: [JobID: [JobID]] = [:]
    var background: Set<JobID> = []
    var ended: [JobID: JobState] = [:]
    var known: [JobID] = []

    func check(_ note: String) throws {
      #expect(workers.complaints == [], "seed \(seed), \(note)")
      let jobs = board.jobs
      #expect(jobs.map(\.id) == jobs.map(\.id).sorted())
      #expect(jobs.count { $0.state == .running } <= places, "seed \(seed), \(note)")
      for job in jobs {
        if job.state == .running || workers.doing[job.id] != nil {
          #expect(needs[job.id, default: []].allSatisfy { ended[$0] == .done }, "seed \(seed), \(note)")
        }
        if let state = ended[job.id] { #expect(job.state == state, "an end is final: seed \(seed), \(note)") }
        if job.state.isOver { ended[job.id] = job.state }
      }
      // No place stays free while a job could have it.
      let ready = jobs.filter { job in
        job.state == .waiting && needs[job.id, default: []].allSatisfy { ended[$0] == .done }
      }
      #expect(ready.isEmpty || jobs.count { $0.state == .running } == places, "seed \(seed), \(note)")
      // None in the background runs while another could. One that was told to end keeps its place a little longer.
      let couldPause = jobs.contains {
        $0.state == .running && background.contains($0.id) && workers.doing[$0.id] == .working
      }
      #expect(!couldPause || ready.allSatisfy { background.contains($0.id) }, "seed \(seed), \(note)")
    }

    for step in 0..<300 {
      now += .milliseconds(Int.random(in: 0...700, using: &random))
      switch Int.random(in: 0..<10, using: &random) {
      case 0...2:
        let wanted = known.filter { _ in random.chance(10) }
        let priority = JobPriority.allCases.randomElement(using: &random) ?? .asked
        if let (id, effects) = try? board.add(
          JobRequest("\(step)", priority: priority, needs: wanted), at: now)
        {
          // A need that is forgotten counts as done.
          needs[id] = wanted.filter { board.job($0) != nil }
          known.append(id)
          if priority == .background { background.insert(id) }
          workers.perform(effects)
        }
      case 3...6:
        guard let id = known.randomElement(using: &random) else { break }
        let order =
          [JobBoard.Order.suspend, .resume, .resume, .cancel].randomElement(using: &random) ?? .resume
        if let effects = try? board.obey(order, id, at: now) { workers.perform(effects) }
      case 7:
        guard let id = workers.doing.keys.sorted().randomElement(using: &random) else { break }
        workers.perform(board.progress(id, JobStep(done: step, total: 300), at: now))
      default:
        guard let id = workers.doing.keys.sorted().randomElement(using: &random) else { break }
        let isStopping = workers.doing[id] == .stopping
        let outcome = isStopping ? JobOutcome.cancelled : random.chance(20) ? .failed("x") : .done
        workers.end(id)
        ended[id] = outcome.state
        workers.perform(board.ended(id, outcome, at: now))
      }
      try check("step \(step)")
    }
    // Resume everything and let the workers finish: nothing may be left waiting.
    for id in known { if let effects = try? board.obey(.resume, id, at: now) { workers.perform(effects) } }
    while let id = workers.doing.keys.min() {
      workers.end(id)
      ended[id] = .done
      workers.perform(board.ended(id, .done, at: now))
    }
    try check("the end")
    #expect(board.isIdle, "seed \(seed)")
  }
}
