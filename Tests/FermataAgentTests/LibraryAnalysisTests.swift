// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import FaceModel
import FermataTestKit
import JobLogic
import LibraryIO
import MediaModel
import ReaderIO
import ReaderModel
import SQLiteIO
import Synchronization
import Testing

@testable import FermataAgent

@Suite("An analysis", .serialized, .endsAnyway)
struct LibraryAnalysisTests {
  @Test("each item is measured once and written, and progress ends with all of them")
  func whole() async throws {
    let (outcome, bench) = try await run(200) { _ in }
    #expect(outcome == .done && bench.written.sorted() == Array(1...200) && bench.measured.count == 200)
    #expect(bench.steps.last == JobStep(done: 200, total: 200) && bench.rests == 1)
    #expect(bench.steps.map(\.done) == bench.steps.map(\.done).sorted())
  }

  @Test("two threads measure at the same time, also where few items are left")
  func together() async throws {
    for count in [2, 66] {
      let (outcome, bench) = try await run(count) { $0.meets(count - 1, count) }
      #expect(outcome == .done && bench.met == 2, "\(count): \(bench.met)")
    }
  }

  @Test("what is missing for now, or on a disk that fails, is passed over and not written")
  func passedOver() async throws {
    let (outcome, bench) = try await run(20) { bench in
      bench.fails(3, LoudnessFailure(.missing, "needs FFmpeg"))
      bench.fails(4, LoudnessFailure(.unreadable, "can't be opened"))
      bench.fails(5, LoudnessFailure(.unfit, "is damaged"))
    }
    let why = outcome.why
    let whys = ["'/3' needs FFmpeg", "'/4' can't be opened"].map { "2 of 20 could not be measured: \($0)" }
    #expect(whys.contains(why) && bench.steps.last == JobStep(done: 20, total: 20))
    #expect(bench.written.sorted() == (1...20).filter { $0 != 3 && $0 != 4 })
    #expect(Set(bench.missed) == ["/3", "/4", "/5"])
  }

  @Test("where something is missing for all, a few are named and all are counted")
  func missingForAll() async throws {
    let (outcome, bench) = try await run(200) { bench in
      for number in 1...200 { bench.fails(number, LoudnessFailure(.missing, "needs FFmpeg")) }
    }
    let why = outcome.why
    #expect(why.hasPrefix("200 of 200 could not be measured: '/") && why.hasSuffix("' needs FFmpeg"))
    #expect(bench.written.isEmpty && bench.missed.count == 10)
  }

  @Test("a disk that does not answer ends it after a few files, and one silent file among others does not")
  func silentDisk() async throws {
    for (silent, isOver) in [(Array(1...200), true), ([20, 40, 60, 80, 100], false)] {
      let (outcome, bench) = try await run(200) { bench in
        for number in silent {
          bench.fails(number, LoudnessFailure(.silent, "is on a disk that does not answer"))
        }
      }
      let why = outcome.why
      #expect(why.contains("is on a disk that does not answer"))
      #expect(isOver ? bench.measured.count < 6 : bench.written.count == 195, "\(bench.measured.count)")
    }
  }

  @Test("if nothing can be measured at all, the job fails with the reason and what to do")
  func noProcess() async throws {
    let (outcome, bench) = try await run(20) { bench in
      for number in 1...20 {
        bench.fails(
          number, LoudnessFailure(.noProcess, "can't be measured: it is not there; install fermata again"))
      }
    }
    #expect(outcome == .failed("loudness can't be measured: it is not there; install fermata again"))
    #expect(bench.written.isEmpty && bench.missed.isEmpty)
  }

  @Test("if the library can't be written, the job fails with the reason")
  func fullDisk() async throws {
    let (outcome, bench) = try await run(20) { $0.fillsDisk() }
    #expect(outcome == .failed("the disk is full") && bench.written.isEmpty && bench.rests == 1)
  }

  @Test("a short pause holds up the files in hand, and they are measured to their end")
  func heldUp() async throws {
    let (outcome, bench) = try await run(60) { bench in
      bench.patience = .seconds(60)
      bench.pauses(in: 7)
      bench.whenPausing = { bench in
        bench.analysis?.pause()
        AgentLoop.after(.milliseconds(50)) { bench.analysis?.goOn() }
      }
    }
    #expect(outcome == .done && bench.written.sorted() == Array(1...60))
    #expect(bench.measured.sorted() == Array(1...60) && bench.hasGoneOn)
    #expect(bench.asksForItems == 1 && bench.rests == 1)
  }

  @Test("whoever asks for one that waits has it try what was missing")
  func triedAgain() async throws {
    let (outcome, bench) = try await run(20) { bench in
      bench.fails(3, LoudnessFailure(.missing, "needs FFmpeg"))
      bench.whenWritten = { bench, count in
        guard count == 10 else { return }
        bench.analysis?.pause()
        bench.whenResting = { bench in
          bench.whenResting = { _ in }
          bench.mends(3)
          bench.analysis?.tryMissedAgain()
          bench.analysis?.goOn()
        }
      }
    }
    #expect(outcome == .done && bench.written.sorted() == Array(1...20))
  }

  @Test(
    "a long pause lets go of the files in hand, and afterwards all the rest is measured, and nothing twice")
  func paused() async throws {
    let (outcome, bench) = try await run(60) { bench in
      // What was tried in vain stays in the library as not measured, and is not tried again.
      for number in 1...3 { bench.fails(number, LoudnessFailure(.missing, "needs FFmpeg")) }
      bench.whenWritten = { bench, count in
        if count == 10 {
          bench.analysis?.pause()
          bench.whenResting = { bench in
            bench.whenResting = { _ in }
            bench.analysis?.goOn()
          }
        }
      }
    }
    let why = outcome.why
    #expect(why.hasPrefix("3 of 60 could not be measured: ") && bench.written.sorted() == Array(4...60))
    #expect(bench.missed.sorted() == ["/1", "/2", "/3"])
    #expect(bench.asksForItems == 2 && bench.rests == 2)
    #expect(bench.steps.last == JobStep(done: 60, total: 60))
  }

  @Test("one that is stopped ends, also in a pause, and keeps what was written")
  func stopped() async throws {
    for pausesFirst in [false, true] {
      let (outcome, bench) = try await run(60) { bench in
        bench.whenWritten = { bench, count in
          guard count == 10 else { return }
          if pausesFirst {
            bench.analysis?.pause()
            bench.whenResting = { $0.analysis?.stop() }
          } else {
            bench.analysis?.stop()
          }
        }
      }
      #expect(outcome == .cancelled && (10...12).contains(bench.written.count), "\(bench.written.count)")
    }
  }

  /// Runs an analysis of so many items, after `prepare`.
  private func run(
    _ count: Int, _ prepare: @escaping @Sendable @AgentLoop (AnalysisBench) -> Void
  ) async throws -> (JobOutcome, AnalysisBench) {
    try await onLoop { @AgentLoop in
      let bench = AnalysisBench(count)
      prepare(bench)
      return (await bench.run(), bench)
    }
  }
}

extension JobOutcome {
  /// Why a job failed; empty if it did not.
  fileprivate var why: String { if case .failed(let why) = self { why } else { "" } }
}

/// An analysis with a library and processes that do as a test says. The files are called by the numbers of their items.
private final class AnalysisBench: Sendable {
  private struct State {
    var failures: [Int: LoudnessFailure] = [:]
    var written: [Int] = []
    var measured: [Int] = []
    var missed: [String] = []
    var steps: [JobStep] = []
    var rests = 0
    var asksForItems = 0
    var diskIsFull = false
    /// The numbers of two files of which each waits for the other to be begun.
    var meeting: [Int] = []
    var met = 0
    /// The number of the file in whose middle the analysis is paused.
    var pausing: Int?
    var hasGoneOn = false
  }

  private let gates = [Wakeup(), Wakeup()]
  private let paused = Wakeup()
  private let count: Int
  private let state = Mutex(State())
  @AgentLoop private(set) var analysis: LibraryAnalysis?
  /// Called on the loop when an item was written, with how many there are by now.
  @AgentLoop var whenWritten: @AgentLoop (AnalysisBench, Int) -> Void = { _, _ in }
  /// Called on the loop, in a turn of its own, when nothing is measured any more.
  @AgentLoop var whenResting: @AgentLoop (AnalysisBench) -> Void = { _ in }

  @AgentLoop var patience = Duration.milliseconds(20)
  /// Called on the loop in the middle of the file that `pauses` names.
  @AgentLoop var whenPausing: @AgentLoop (AnalysisBench) -> Void = { _ in }

  init(_ count: Int) { self.count = count }

  var written: [Int] { state.withLock { $0.written } }
  var measured: [Int] { state.withLock { $0.measured } }
  var missed: [String] { state.withLock { $0.missed } }
  var steps: [JobStep] { state.withLock { $0.steps } }
  var rests: Int { state.withLock { $0.rests } }
  var asksForItems: Int { state.withLock { $0.asksForItems } }

  func fails(_ number: Int, _ failure: LoudnessFailure) { state.withLock { $0.failures[number] = failure } }
  func meets(_ one: Int, _ other: Int) { state.withLock { $0.meeting = [one, other] } }
  var met: Int { state.withLock { $0.met } }
  func mends(_ number: Int) { state.withLock { $0.failures[number] = nil } }
  func pauses(in number: Int) { state.withLock { $0.pausing = number } }
  /// Whether the file that `pauses` names was to be measured on after the pause.
  var hasGoneOn: Bool { state.withLock { $0.hasGoneOn } }
  func fillsDisk() { state.withLock { $0.diskIsFull = true } }

  @AgentLoop
  func run() async -> JobOutcome {
    let analysis = LibraryAnalysis(tools, patience: patience)
    self.analysis = analysis
    defer { self.analysis = nil }
    return await analysis.run { step in self.state.withLock { $0.steps.append(step) } }
  }

  @AgentLoop
  private var tools: LibraryAnalysis.Tools {
    LibraryAnalysis.Tools(
      threads: [BlockingThread("test-loud"), BlockingThread("test-loud-2")],
      items: {
        self.state.withLock { state in
          state.asksForItems += 1
          return (1...self.count).filter { !state.written.contains($0) }.map {
            MediaItem.ID(rawValue: Int64($0))
          }
        }
      },
      files: { items in
        items.compactMap { id in FilePath("/\(id.rawValue)").map { FileToMeasure(id: id, path: $0) } }
      },
      measure: { [self] (file, goesOn) throws(LoudnessFailure) in try measure(file, goesOn) },
      write: { id, _ in
        if self.state.withLock({ $0.diskIsFull }) { throw AgentError.cannotWrite("the disk is full") }
        let count = self.state.withLock { state in
          state.written.append(Int(id.rawValue))
          return state.written.count
        }
        self.whenWritten(self, count)
      },
      rest: { [self] in
        state.withLock { $0.rests += 1 }
        AgentLoop.task { AgentLoop.after(.zero) { self.whenResting(self) } }
      },
      missed: { file, _ in self.state.withLock { $0.missed.append(file.text) } })
  }

  private func measure(
    _ file: FilePath, _ goesOn: () -> Bool
  ) throws(LoudnessFailure) -> LoudnessClient.Answer {
    let number = Int(file.text.dropFirst()) ?? 0
    guard goesOn() else { throw LoudnessFailure(.calledOff, "was called off") }
    let failure = state.withLock { state in
      state.measured.append(number)
      return state.failures[number]
    }
    if let place = state.withLock({ $0.meeting.firstIndex(of: number) }) {
      gates[1 - place].wake()
      if gates[place].wait(atMost: .patience) { state.withLock { $0.met += 1 } }
    }
    if state.withLock({ $0.pausing == number }) {
      AgentLoop.task { [self] in
        whenPausing(self)
        paused.wake()
      }
      _ = paused.wait(atMost: .patience)
      guard goesOn() else { throw LoudnessFailure(.calledOff, "was called off") }
      state.withLock { $0.hasGoneOn = true }
    }
    guard let failure else {
      let found = MeasuredLoudness(integrated: nil, peak: 0, blocks: LoudnessBlocks())
      return LoudnessClient.Answer(size: 1, modified: 1, found: .success(found))
    }
    guard failure.isOfTheFile else { throw failure }
    return LoudnessClient.Answer(size: 1, modified: 1, found: .failure(failure))
  }
}

@Suite("Questions to a database by threads that block")
struct StoreAskTests {
  @Test("an answer comes if it comes soon; one that is late is dropped, and the next question is answered")
  func asked() {
    let store = StoreThread<Int>("test-store") { 7 }
    #expect(store.ask(within: .patience) { $0 + 1 } == 8)
    let gate = Wakeup()
    let late = store.ask(within: .milliseconds(20)) { number -> Int? in
      _ = gate.wait(atMost: .patience)
      return number
    }
    #expect(late == nil)
    gate.wake()
    #expect(store.ask(within: .patience) { $0 + 2 } == 9)
  }

  @Test("a database that can't be opened, and a question that fails, have no answer")
  func failing() {
    struct Broken: Error {}
    let closed = StoreThread<Int>("test-store") { throw Broken() }
    #expect(closed.ask(within: .patience) { $0 } == nil)
    let open = StoreThread<Int>("test-store") { 7 }
    #expect(open.ask(within: .patience) { _ -> Int? in throw Broken() } == nil)
  }

  @Test("who asks several things of a database that is locked waits for it once")
  func locked() async throws {
    struct Locked: Error {}
    let openings = Mutex(0)
    let nobody = Wakeup()
    try await onLoop { @AgentLoop in
      let store = StoreThread<Int>("test-store") {
        openings.withLock { $0 += 1 }
        _ = nobody.wait(atMost: .milliseconds(1_100))
        throw Locked()
      }
      for _ in 0..<5 { await #expect(throws: Locked.self) { try await store.run { $0 } } }
    }
    #expect(openings.withLock { $0 } == 1)
  }

  private final class Rounds: Sendable {
    private let counts = Mutex((starts: 0, done: 0))
    var starts: Int { counts.withLock { $0.starts } }
    var done: Int { counts.withLock { $0.done } }
    func begin() { counts.withLock { $0.starts += 1 } }
    func end() { counts.withLock { $0.done += 1 } }
  }

  @Test("work that is patient gives way to other work, but not for ever")
  func patient() async throws {
    try await onLoop { @AgentLoop in
      let store = StoreThread<Int>("test-store") { 7 }
      let rounds = Rounds()
      let answer = try await store.runPatiently { number, isInterrupted in
        rounds.begin()
        // Urgent work comes as soon as the patient work has begun.
        AgentLoop.task { try? await store.run { _ in rounds.end() } }
        let deadline = Deadline.after(.patience)
        while rounds.starts < 6, !deadline.hasPassed {
          if isInterrupted() { throw StoreError.interrupted("test") }
        }
        return number + rounds.done
      }
      #expect(answer == 7 + 5 && rounds.starts == 6)
    }
  }
}
