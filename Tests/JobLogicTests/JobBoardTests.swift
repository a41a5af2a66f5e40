// SPDX-License-Identifier: MIT
import FermataTestKit
import JobLogic
import Testing

@Suite("Long jobs")
struct JobBoardTests {
  private let start = Duration.seconds(100)

  private func id(_ number: UInt32) -> JobID { JobID(rawValue: number) }

  /// A board with jobs that were added in this order.
  private func board(_ requests: [JobRequest], mostRunning: Int = 1) throws -> JobBoard {
    var board = JobBoard(mostRunning: mostRunning)
    for request in requests { _ = try board.add(request, at: start) }
    return board
  }

  private func states(_ board: JobBoard) -> [JobState] { board.jobs.map(\.state) }

  @Test("the first job starts at once, the second when the first has ended")
  func oneAtATime() throws {
    var board = JobBoard()
    #expect(try board.add(JobRequest("a"), at: start) == (id(1), [.start(id(1)), .tell(id(1))]))
    #expect(try board.add(JobRequest("b"), at: start) == (id(2), [.tell(id(2))]))
    #expect(states(board) == [.running, .waiting])
    let effects = board.ended(id(1), .done, at: start)
    #expect(effects == [.start(id(2)), .tell(id(1)), .tell(id(2))])
    #expect(states(board) == [.done, .running])
  }

  @Test("as many run as there are places")
  func places() throws {
    let board = try board([JobRequest("a"), JobRequest("b"), JobRequest("c")], mostRunning: 2)
    #expect(states(board) == [.running, .running, .waiting])
  }

  @Test("what a person asked for starts before upkeep, and otherwise the older job first")
  func priorities() throws {
    var board = try board([
      JobRequest("a"), JobRequest("b", priority: .upkeep), JobRequest("c"), JobRequest("d"),
    ])
    #expect(board.ended(id(1), .done, at: start).first == .start(id(3)))
    #expect(board.ended(id(3), .done, at: start).first == .start(id(4)))
    #expect(board.ended(id(4), .done, at: start).first == .start(id(2)))
  }

  @Test("a job in the background pauses for any other one, says for which, and goes on afterwards")
  func background() throws {
    var board = try board([JobRequest("a", priority: .background)])
    #expect(
      try board.add(JobRequest("b", priority: .upkeep), at: start)
        == (id(2), [.pause(id(1)), .start(id(2)), .tell(id(2)), .tell(id(1))]))
    #expect(states(board) == [.waiting, .running] && board.job(id(1))?.why == "waits for job 2")
    // Another one in the background waits behind the first.
    #expect(
      try board.add(JobRequest("c", priority: .background), at: start) == (id(3), [.tell(id(3))]))
    #expect(board.ended(id(2), .done, at: start) == [.goOn(id(1)), .tell(id(2)), .tell(id(1))])
    #expect(states(board) == [.running, .done, .waiting] && board.job(id(1))?.why == nil)
    // What needs a job in the background does not push it aside.
    _ = try board.add(JobRequest("d", needs: [id(1)]), at: start)
    #expect(states(board) == [.running, .done, .waiting, .waiting])
    #expect(board.ended(id(1), .done, at: start).first == .start(id(4)))
  }

  @Test("a job waits for those that it needs, even if there is a place")
  func needs() throws {
    var board = try board(
      [JobRequest("a"), JobRequest("b", needs: [id(1)]), JobRequest("c", priority: .upkeep)], mostRunning: 3)
    #expect(states(board) == [.running, .waiting, .running])
    #expect(board.job(id(2))?.why == "waits for job 1")
    #expect(board.ended(id(1), .done, at: start) == [.start(id(2)), .tell(id(1)), .tell(id(2))])
  }

  @Test(
    "a job whose need was not done never starts, and neither does what needs that one",
    arguments: [
      (JobOutcome.failed("the disk is gone"), JobState.failed), (.cancelled, .cancelled),
    ])
  func chains(outcome: JobOutcome, state: JobState) throws {
    var board = try board([
      JobRequest("a"), JobRequest("b", needs: [id(1)]), JobRequest("c", needs: [id(2)]), JobRequest("d"),
    ])
    let effects = board.ended(id(1), outcome, at: start)
    #expect(states(board) == [state, state, state, .running])
    #expect(effects == [.start(id(4)), .tell(id(1)), .tell(id(2)), .tell(id(3)), .tell(id(4))])
  }

  @Test("a suspended job gives its place to the next, and goes on when there is a place again")
  func suspending() throws {
    var board = try board([JobRequest("a"), JobRequest("b")])
    #expect(
      try board.obey(.suspend, id(1), at: start) == [
        .pause(id(1)), .start(id(2)), .tell(id(1)), .tell(id(2)),
      ])
    #expect(states(board) == [.suspended, .running])
    #expect(try board.obey(.suspend, id(1), at: start) == [])
    #expect(try board.obey(.resume, id(1), at: start) == [.tell(id(1))])
    #expect(states(board) == [.waiting, .running])
    #expect(board.ended(id(2), .done, at: start) == [.goOn(id(1)), .tell(id(2)), .tell(id(1))])
    #expect(states(board) == [.running, .done])
  }

  @Test("a job that has not begun can be suspended; it starts only after it was resumed")
  func suspendingBeforeTheStart() throws {
    var board = try board([JobRequest("a"), JobRequest("b")])
    #expect(try board.obey(.suspend, id(2), at: start) == [.tell(id(2))])
    #expect(board.ended(id(1), .done, at: start) == [.tell(id(1))])
    #expect(try board.obey(.resume, id(2), at: start) == [.start(id(2)), .tell(id(2))])
  }

  @Test("a job that has not begun is cancelled at once; a running one keeps its place until it has ended")
  func cancelling() throws {
    var board = try board([JobRequest("a"), JobRequest("b"), JobRequest("c")])
    #expect(try board.obey(.cancel, id(2), at: start) == [.tell(id(2))])
    #expect(try board.obey(.cancel, id(1), at: start) == [.stop(id(1)), .tell(id(1))])
    #expect(try board.obey(.cancel, id(1), at: start) == [])
    #expect(states(board) == [.running, .cancelled, .waiting])
    #expect(board.ended(id(1), .cancelled, at: start) == [.start(id(3)), .tell(id(1)), .tell(id(3))])
  }

  @Test("a paused job that is cancelled is told to stop, and shows as suspended until it has")
  func cancellingAPausedOne() throws {
    var board = try board([JobRequest("a")])
    _ = try board.obey(.suspend, id(1), at: start)
    #expect(try board.obey(.cancel, id(1), at: start) == [.stop(id(1)), .tell(id(1))])
    #expect(states(board) == [.suspended])
    #expect(try board.obey(.resume, id(1), at: start) == [])
    _ = board.ended(id(1), .cancelled, at: start)
    #expect(states(board) == [.cancelled])
  }

  @Test(
    "while all are held nothing runs, jobs say what they wait for, and afterwards they go on where they were")
  func holding() throws {
    var board = try board([JobRequest("a"), JobRequest("b")])
    #expect(
      board.hold(for: "the plug", at: start) == [.pause(id(1)), .tell(id(1)), .tell(id(2))])
    #expect(states(board) == [.waiting, .waiting] && board.job(id(1))?.why == "waits for the plug")
    #expect(board.hold(for: "the plug", at: start) == [])
    _ = try board.add(JobRequest("c"), at: start)
    #expect(states(board) == [.waiting, .waiting, .waiting] && board.job(id(3))?.why == "waits for the plug")
    #expect(try board.obey(.suspend, id(2), at: start) == [.tell(id(2))])
    #expect(try board.obey(.cancel, id(1), at: start) == [.stop(id(1)), .tell(id(1))])
    _ = board.ended(id(1), .cancelled, at: start)
    #expect(board.hold(for: nil, at: start) == [.start(id(3)), .tell(id(2)), .tell(id(3))])
    #expect(states(board) == [.cancelled, .suspended, .running] && board.job(id(3))?.why == nil)
    _ = board.hold(for: "the plug", at: start)
    #expect(board.hold(for: nil, at: start).first == .goOn(id(3)))
  }

  @Test(
    "a machine runs on battery if one is discharging and no plug is in",
    arguments: [
      ([], false),
      ([PowerSupply(type: "Mains", online: "0"), PowerSupply(type: "Battery", status: "Discharging")], true),
      (
        [PowerSupply(type: "Mains", online: "1"), PowerSupply(type: "Battery", status: "Discharging")], false
      ),
      ([PowerSupply(type: "USB_C", online: "1"), PowerSupply(type: "Battery", status: "Charging")], false),
      ([PowerSupply(type: "Mains", online: "0"), PowerSupply(type: "Battery", status: "Full")], false),
      ([PowerSupply(type: "Battery", status: "Discharging")], true),
      ([PowerSupply(type: "", status: "Discharging")], false),
      // A wireless mouse on a desktop, and one beside the battery of a laptop; a plug that is told its voltage.
      ([PowerSupply(type: "Battery", status: "Discharging", scope: "Device")], false),
      (
        [
          PowerSupply(type: "Battery", status: "Discharging", scope: "Device"),
          PowerSupply(type: "Battery", status: "Discharging", scope: "System"),
        ], true
      ),
      ([PowerSupply(type: "USB", online: "2"), PowerSupply(type: "Battery", status: "Discharging")], false),
    ])
  func batteries(supplies: [PowerSupply], isOnBattery: Bool) {
    #expect(PowerSupply.areOnBattery(supplies) == isOnBattery)
  }

  @Test("orders for unknown jobs and for those that are over are refused with the reason")
  func refusals() throws {
    var board = try board([JobRequest("a")])
    _ = board.ended(id(1), .done, at: start)
    #expect(throws: JobRefusal.over(id(1), .done)) { try board.obey(.cancel, id(1), at: start) }
    #expect(throws: JobRefusal.unknown(id(9))) { try board.obey(.suspend, id(9), at: start) }
    #expect(JobRefusal.over(id(1), .done).description == "job 1 is done already")
  }

  @Test("no more jobs are taken than the board holds")
  func limit() throws {
    var board = JobBoard()
    for number in 0..<JobBoard.mostOpen { _ = try board.add(JobRequest("\(number)"), at: start) }
    #expect(throws: JobRefusal.tooMany(JobBoard.mostOpen)) { try board.add(JobRequest("x"), at: start) }
  }

  @Test("only the last of those that ended are remembered, and all that others still need")
  func forgetting() throws {
    var board = JobBoard(mostRunning: 2)
    let first = try board.add(JobRequest("first"), at: start).id
    let blocker = try board.add(JobRequest("blocker"), at: start).id
    let waits = try board.add(JobRequest("waits", needs: [first, blocker]), at: start).id
    _ = board.ended(first, .done, at: start)
    for _ in 0..<(2 * JobBoard.mostOver) {
      let id = try board.add(JobRequest("x"), at: start).id
      _ = board.ended(id, .done, at: start)
    }
    #expect(board.jobs.count == JobBoard.mostOver + 2)
    #expect(board.job(first)?.state == .done)
    #expect(board.ended(blocker, .done, at: start).first == .start(waits))
  }

  @Test(
    "those that ended last are remembered, also one that began long before the others",
    arguments: [true, false])
  func longJob(isCancelled: Bool) throws {
    var board = JobBoard(mostRunning: 2)
    let long = try board.add(JobRequest("long"), at: start).id
    if isCancelled { _ = try board.obey(.suspend, long, at: start) }
    var last = long
    for _ in 0...(2 * JobBoard.mostOver) {
      last = try board.add(JobRequest("x"), at: start).id
      _ = board.ended(last, .done, at: start)
    }
    if isCancelled {
      #expect(try board.obey(.cancel, long, at: start) == [.stop(long), .tell(long)])
    }
    let effects = board.ended(long, isCancelled ? .cancelled : .done, at: start)
    #expect(effects == [.tell(long)] && board.job(long)?.state == (isCancelled ? .cancelled : .done))
    #expect(board.job(last) != nil && board.jobs.count == JobBoard.mostOver)
  }

  // MARK: Progress

  @Test("progress has a rate over the last seconds, and a time that is left")
  func progress() throws {
    var board = try board([JobRequest("a")])
    for second in 0...20 {
      // Ten pieces a second, and after ten seconds a hundred.
      let done = second <= 10 ? second * 10 : 100 + (second - 10) * 100
      _ = board.progress(
        id(1), JobStep(done: done, total: 2_100, current: "\(second)"), at: start + .seconds(second))
    }
    let job = try #require(board.job(id(1)))
    #expect(job.done == 1_100 && job.total == 2_100 && job.current == "20")
    #expect(try abs(#require(job.rate) - 100) < 1)
    #expect(try abs(#require(job.remaining) / .seconds(1) - 10) < 0.2)
  }

  @Test("a pause is no slow work: the rate is measured anew after it")
  func rateAfterAPause() throws {
    var board = try board([JobRequest("a")])
    _ = board.progress(id(1), JobStep(done: 100, total: 1_000), at: start + .seconds(1))
    _ = try board.obey(.suspend, id(1), at: start + .seconds(1))
    #expect(board.job(id(1))?.rate == nil)
    _ = try board.obey(.resume, id(1), at: start + .seconds(500))
    _ = board.progress(id(1), JobStep(done: 200, total: 1_000), at: start + .seconds(501))
    #expect(board.job(id(1))?.rate == 100)
  }

  @Test("the total is never less than what is done, and no rate comes of a report that is too early")
  func oddSteps() throws {
    var board = try board([JobRequest("a")])
    _ = board.progress(id(1), JobStep(done: 7, total: 3), at: start)
    let job = try #require(board.job(id(1)))
    #expect(job.total == 7 && job.rate == nil && job.remaining == nil)
    _ = board.progress(id(1), JobStep(done: -7), at: start)
    #expect(board.job(id(1))?.done == 0)
  }

  @Test("progress is told a few times a second at most, and the end always")
  func pace() throws {
    var board = try board([JobRequest("a")])
    let told = (0..<1_000).flatMap { step in
      board.progress(id(1), JobStep(done: step), at: start + .milliseconds(step))
    }
    #expect(told == [.tell(id(1)), .tell(id(1)), .tell(id(1))])
    // The last is told some time later, if nothing else comes; once.
    #expect(board.isUntold(id(1)))
    #expect(board.tellRest(of: id(1), at: start + .milliseconds(999)) == [.tell(id(1))])
    #expect(!board.isUntold(id(1)) && board.tellRest(of: id(1), at: start + .milliseconds(999)) == [])
    #expect(board.ended(id(1), .failed("full"), at: start + .seconds(1)) == [.tell(id(1))])
    #expect(board.job(id(1))?.why == "full")
    #expect(board.progress(id(1), JobStep(done: 3), at: start + .seconds(9)) == [])
  }
}
