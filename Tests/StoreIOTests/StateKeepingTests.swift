// SPDX-License-Identifier: MIT
import FermataTestKit
import PlaybackLogic
@testable import SQLiteIO
import StoreIO
import Testing

@Suite("When state is stored, and when not")
struct StateKeepingTests {
  /// One thing that happens. Turns end by themselves.
  enum Step {
    case edit, undo, redo, skip, volume, nothing
    /// Somebody waits for all so far, or wants to edit.
    case waits(Int), wantsToEdit(Int)
    case wrote(Int), failed(Int), caughtUp(Int), stillFailed(Int)
    /// The disk has a queue of two, and five identities were given.
    case readBack, unreadable
    case timer, begin
    case openedEmpty, opened, notOpened
    /// The place at a second: while music plays, or one that stands still.
    case plays(Int), stands(Int)
    case placeKept, placeFailed, folderGone
    case end, endEmpty, closed, notClosed
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let hasStore: Bool
    let steps: [(Step, String)]

    init(_ name: String, hasStore: Bool = true, _ steps: [(Step, String)]) {
      (testDescription, self.hasStore, self.steps) = (name, hasStore, steps)
    }
  }

  private static let failure: [(Step, String)] = [
    (.edit, "write 1: insert"), (.waits(1), ""),
    (.failed(1), "say notStored; read back"),
  ]
  private static let takenBack =
    failure + [(.readBack, "take back to 2; refuse 1; timer 1; announce")]
  private static let stuck =
    failure + [(.unreadable, "say unreadable; refuse 1; timer 1; announce")]

  static let rows: [Row] = [
    // Written and answered.
    Row(
      "a turn is written when it ends, and whoever waits is answered when it is on disk",
      [
        (.edit, "write 1: insert"), (.waits(1), ""), (.skip, "write 2: skipToNext"), (.waits(2), ""),
        (.wrote(1), "answer 1"), (.wrote(2), "answer 2"),
      ]),
    Row(
      "nobody waits where all is stored, or where nothing was done",
      [
        (.nothing, ""), (.waits(1), "answer 1"), (.wantsToEdit(2), "answer 2"),
      ]),
    Row(
      "an edit is stored although its caller is gone",
      [
        (.edit, "write 1: insert"), (.wrote(1), ""),
      ]),
    // Refused.
    Row("an edit that cannot be written is taken back, then refused", takenBack),
    Row(
      "one whose caller is gone is taken back as well",
      [
        (.edit, "write 1: insert"), (.failed(1), "say notStored; read back"),
        (.readBack, "take back to 2; timer 1; announce"),
      ]),
    Row(
      "the first failure is dealt with for all; an undo behind a lost edit is lost with it, a skip is not",
      [
        (.edit, "write 1: insert"), (.waits(1), ""), (.undo, "write 2: undo"), (.waits(2), ""),
        (.redo, "write 3: redo"), (.skip, "write 4: skipToNext"),
        (.failed(1), "say notStored; read back"), (.failed(2), ""), (.failed(3), ""), (.failed(4), ""),
        (.readBack, "take back to 2; refuse 1; refuse 2; timer 1; announce"),
        (.timer, "timer none; catch up 5: skipToNext skipIdentities volume"),
      ]),
    Row(
      "a skip that cannot be written is kept and tried again; nothing is read back for it",
      [
        (.skip, "write 1: skipToNext"), (.failed(1), "say notStored; timer 1; announce"),
        (.waits(1), "answer 1"), (.timer, "timer none; catch up 1: skipToNext volume"),
        (.stillFailed(1), "timer 2; announce"), (.timer, "timer none; catch up 1: skipToNext volume"),
        (.caughtUp(1), "say storedAgain; announce"), (.skip, "write 2: skipToNext"),
      ]),
    // Tried again.
    Row(
      "after a failure each turn tries again, and what comes meanwhile is written after it",
      takenBack + [
        (.skip, "timer none; catch up 3: skipIdentities skipToNext volume"), (.volume, ""),
        (.caughtUp(3), "say storedAgain; write 4: volume; announce"), (.wrote(4), ""),
      ]),
    Row(
      "an edit begins when the disk can be written again",
      takenBack + [
        (.wantsToEdit(2), "timer none; catch up 2: skipIdentities volume"), (.wantsToEdit(3), ""),
        (.caughtUp(2), "say storedAgain; answer 2; answer 3; announce"),
        (.edit, "write 3: insert"),
      ]),
    Row(
      "and is refused before it is begun while the disk cannot",
      takenBack + [
        (.wantsToEdit(2), "timer none; catch up 2: skipIdentities volume"),
        (.stillFailed(2), "timer 2; refuse 2; announce"),
      ]),
    Row(
      "an edit that came all the same is taken back",
      takenBack + [
        (.edit, "timer none; catch up 3: skipIdentities insert volume"), (.waits(2), ""),
        (.stillFailed(3), "read back"), (.readBack, "take back to 2; refuse 2; timer 2; announce"),
      ]),
    // Neither written nor read.
    Row(
      "an edit that can be neither written nor taken back is refused, and never written later",
      stuck + [
        (.timer, "timer none; read back"), (.unreadable, "timer 2; announce"),
        (.timer, "timer none; read back"), (.readBack, "take back to 2; timer 0"),
        (.timer, "timer none; catch up 2: skipIdentities volume"),
        (.caughtUp(2), "say storedAgain; announce"),
      ]),
    Row(
      "whoever wants to edit then waits until it is taken back and something else was written",
      stuck + [
        (.wantsToEdit(2), "timer none; read back"), (.readBack, "take back to 2; timer 0"),
        (.timer, "timer none; catch up 2: skipIdentities volume"),
        (.caughtUp(2), "say storedAgain; answer 2; announce"),
      ]),
    Row(
      "an edit on top of it is refused with it; a skip is kept",
      stuck + [
        (.skip, "timer none; read back"), (.edit, ""), (.waits(3), ""),
        (.readBack, "take back to 2; refuse 3; timer 0"),
        (.timer, "timer none; catch up 4: skipToNext skipIdentities volume"),
      ]),
    Row(
      "at the end it is taken back before the store is closed",
      stuck + [
        (.end, "timer none; read back"),
        (.readBack, "take back to 2; timer 0; announce; timer none; close: skipIdentities"),
        (.closed, "timer none; let go; ended safe"),
      ]),
    Row(
      "or the store is left as it is: the edit was refused, so nothing is lost",
      stuck + [
        (.end, "timer none; read back"),
        (.unreadable, "timer 2; announce; announce; timer none; let go; ended safe"),
      ]),
    Row(
      "but what nobody was told of is",
      stuck + [
        (.skip, "timer none; read back"), (.end, ""),
        (.unreadable, "timer 2; announce; announce; timer none; let go; ended with a loss"),
      ]),
    // The end.
    Row(
      "at the end all that is under way is waited for",
      [
        (.edit, "write 1: insert"), (.waits(1), ""), (.end, ""),
        (.wrote(1), "answer 1; timer none; close: nothing"),
        (.closed, "timer none; let go; ended safe"),
      ]),
    Row(
      "an edit that fails at the end is taken back and refused, which is no loss",
      [
        (.edit, "write 1: insert"), (.waits(1), ""), (.end, ""), (.failed(1), "say notStored; read back"),
        (
          .readBack,
          "take back to 2; refuse 1; timer 1; announce; announce; timer none; close: skipIdentities"
        ),
        (.notClosed, "say notStored; timer none; let go; ended safe"),
      ]),
    Row(
      "what is unsaved at the end is tried once more, and is a loss if that fails",
      [
        (.volume, "write 1: volume"), (.failed(1), "say notStored; timer 1; announce"),
        (.end, "announce; timer none; close: volume"),
        (.notClosed, "say notStored; timer none; let go; ended with a loss"),
      ]),
    Row(
      "a place that is not kept is a loss",
      [
        (.stands(3), "write place 3"), (.placeFailed, ""), (.end, "timer none; close: nothing"),
        (.closed, "timer none; let go; ended with a loss"),
      ]),
    // No store.
    Row(
      "without a store nothing is waited for, and a queue that nobody edited gives way to the stored one",
      hasStore: false,
      [
        (.begin, "timer 1"), (.skip, ""), (.waits(1), "answer 1"), (.timer, "timer none; open"),
        (.skip, ""), (.opened, "adopt 2; say storedAgain; announce"),
        (.skip, "write 3: skipToNext"),
      ]),
    Row(
      "and a volume that was set meanwhile stays", hasStore: false,
      [
        (.begin, "timer 1"), (.volume, ""), (.timer, "timer none; open"),
        (.opened, "adopt 2 at its own volume; say storedAgain; announce; write 1: volume"),
        (.wrote(1), ""),
      ]),
    Row(
      "one that was edited sets the stored one aside, and is written whole", hasStore: false,
      [
        (.begin, "timer 1"), (.edit, ""), (.waits(1), "answer 1"), (.timer, "timer none; open anew"),
        (.openedEmpty, "write 1: volume"), (.edit, ""), (.waits(2), "answer 2"),
        (.wrote(1), "say storedAgain; write 2: insert; announce"),
      ]),
    Row(
      "also if it was edited while a folder that hangs was opened", hasStore: false,
      [
        (.begin, "timer 1"), (.timer, "timer none; open"), (.edit, ""),
        (.opened, "let go; timer 2; announce"), (.timer, "timer none; open anew"),
      ]),
    Row(
      "a folder that is found late and cannot be written is let go of; the edits since then count",
      hasStore: false,
      [
        (.begin, "timer 1"), (.timer, "timer none; open"), (.openedEmpty, "write 0: volume"), (.edit, ""),
        (.failed(0), "let go; timer 2; announce"), (.timer, "timer none; open anew"),
        (.notOpened, "let go; timer 4; announce"), (.end, "timer none; let go; ended with a loss"),
      ]),
    Row(
      "an end without a store and without a queue is no loss", hasStore: false,
      [
        (.begin, "timer 1"), (.endEmpty, "timer none; let go; ended safe"),
      ]),
    Row(
      "a store that comes after the end is not used", hasStore: false,
      [
        (.begin, "timer 1"), (.timer, "timer none; open"), (.endEmpty, "timer none; let go; ended safe"),
        (.opened, ""), (.notOpened, ""),
      ]),
    // The place.
    Row(
      "while music plays the place is written before it is five seconds old",
      [
        (.plays(0), "write place 0"), (.plays(2), ""), (.plays(4), "write place 4"), (.plays(6), ""),
        (.stands(7), "write place 7"), (.placeKept, ""), (.stands(7), ""),
      ]),
    Row(
      "a place that could not be written is tried again",
      [
        (.stands(7), "write place 7"), (.placeFailed, ""), (.stands(7), "write place 7"),
      ]),
    Row(
      "a folder that is gone and cannot be made again is noticed by the place, and told by the store",
      [
        (.plays(0), "write place 0"), (.folderGone, "write 1: volume"), (.folderGone, ""),
        (.failed(1), "say notStored; timer 1; announce"),
      ]),
    Row("without a store no place is kept", hasStore: false, [(.plays(0), ""), (.stands(1), "")]),
  ]

  @Test("each event has the effects of its row", arguments: rows)
  func table(row: Row) {
    var keeping =
      row.hasStore
      ? StateKeeping(volume: 0.5)
      : StateKeeping(absentBecause: "no folder", mayOpenLater: true, volume: 0.5)
    for (number, (step, expected)) in row.steps.enumerated() {
      let effects = step.events.flatMap { keeping.handle($0) }
      #expect(effects.map(\.text).joined(separator: "; ") == expected, "step \(number + 1): \(step)")
    }
  }

  @Test(
    "refills write now and then, and always before what is on disk is five seconds old",
    arguments: [
      (1_000, 4_000), (1_300, 3_900), (1_900, 3_800), (2_000, 4_000), (2_400, 4_800), (2_600, 2_600),
    ])
  func refills(refill: Int, written: Int) {
    var keeping = StateKeeping(volume: 1)
    let moments = stride(from: 0, to: 40_000, by: refill).filter { moment in
      let place = PositionFile.Record(EntryID(rawValue: 1), .milliseconds(moment), isWanted: true)
      return !keeping.handle(.place(place, atOnce: false, at: .milliseconds(100_000 + moment))).isEmpty
    }
    #expect(Set(zip(moments, moments.dropFirst()).map { $1 - $0 }) == [written])
  }

  @Test("a Play and another entry are written at once: a crash right after it finds that music was wanted")
  func wanted() {
    var keeping = StateKeeping(volume: 1)
    let written = [(0, true), (100, true), (200, false), (300, true), (400, true)].filter {
      moment, isWanted in
      let place = PositionFile.Record(
        EntryID(rawValue: 1), .milliseconds(moment), isWanted: isWanted)
      return !keeping.handle(.place(place, atOnce: !isWanted, at: .milliseconds(100_000 + moment))).isEmpty
    }
    #expect(written.map(\.0) == [0, 200, 300])
    let next = PositionFile.Record(EntryID(rawValue: 2), .zero, isWanted: true)
    #expect(!keeping.handle(.place(next, atOnce: false, at: .milliseconds(100_500))).isEmpty)
  }

  @Test("until somebody decides whether music is wanted, what was stored stays so")
  func wantedBefore() {
    var queue = PlayQueue(seed: 1)
    _ = queue.append([EntrySource("/one"), EntrySource("/two")])
    _ = queue.start()
    for (isWanted, was) in [(true, true), (false, false), (nil, true)] as [(Bool?, Bool)] {
      let place = PositionFile.Record(EntryID(rawValue: 1), .seconds(7), isWanted: isWanted)
      var stored = StoredState()
      stored.place = place
      #expect(stored.wasWanted(in: queue) == was && stored.position(in: queue) == .seconds(7))
      #expect(stored.isWanted(.paused(by: .restored), in: queue) == was)
      #expect(stored.isWanted(.playing, in: queue))
      #expect(!stored.isWanted(.paused(by: .user), in: queue) && !stored.isWanted(.stopped, in: queue))
    }
    var other = StoredState()
    other.place = PositionFile.Record(EntryID(rawValue: 2), .seconds(7), isWanted: true)
    #expect(!other.wasWanted(in: queue) && other.position(in: queue) == .zero)
  }

  @Test("what doctor is told: the reason as long as something is not stored")
  func trouble() {
    var keeping = StateKeeping(volume: 0.5)
    #expect(keeping.trouble == nil && keeping.isWritable)
    for step: Step in [.edit, .failed(1)] { for event in step.events { _ = keeping.handle(event) } }
    #expect(keeping.trouble == "state.db: disk is full; make room" && !keeping.isWritable)
    for step: Step in [.readBack, .timer, .caughtUp(2)] {
      for event in step.events { _ = keeping.handle(event) }
    }
    #expect(keeping.trouble == nil && keeping.isWritable)
    let absent = StateKeeping(absentBecause: "no folder", mayOpenLater: false, volume: 1)
    #expect(absent.trouble == "no folder" && absent.isWritable)
  }

  @Test(
    "on a disk that fails at any time, an edit is on it just where its caller was told so",
    arguments: 0..<400 as Range<UInt64>)
  func promises(seed: UInt64) throws {
    var run = FailingDisk(seed: seed)
    for _ in 0..<80 {
      run.step()
      try #require(run.storedAlthoughRefused.isEmpty, "seed \(seed)")
    }
    run.end()
    try #require(run.storedAlthoughRefused.isEmpty && run.lostAlthoughAnswered.isEmpty, "seed \(seed)")
    #expect(run.isEveryoneAnswered, "seed \(seed)")
    #expect(run.isSafe == false || run.isAllOnDisk, "seed \(seed)")
  }
}

extension StateKeepingTests.Step {
  private static let full = StoreError(.write, file: "state.db", reason: "full", cause: .full)

  var events: [StateKeeping.Event] {
    switch self {
    case .edit: [.changed(.insert([], at: 0)), .turnEnded]
    case .undo: [.changed(.undo), .turnEnded]
    case .redo: [.changed(.redo), .turnEnded]
    case .skip: [.changed(.skipToNext), .turnEnded]
    case .volume: [.volume(0.25), .turnEnded]
    case .nothing: [.turnEnded]
    case .waits(let caller): [.waits(caller)]
    case .wantsToEdit(let caller): [.wantsToEdit(caller)]
    case .wrote(let turn): [.wrote(upTo: turn, nil)]
    case .failed(let turn): [.wrote(upTo: turn, Self.full)]
    case .caughtUp(let turn): [.caughtUp(upTo: turn, nil)]
    case .stillFailed(let turn): [.caughtUp(upTo: turn, Self.full)]
    case .readBack: [.readBack(Self.queue, lastIdentity: EntryID(rawValue: 5))]
    case .unreadable: [.unreadable(StoreError(.read, file: "state.db", reason: "broken"))]
    case .timer: [.retryTimer]
    case .begin: [.begin]
    case .openedEmpty: [.opened(nil, volume: nil)]
    case .opened: [.opened(Self.queue, volume: 0.75)]
    case .notOpened: [.notOpened(reason: "no folder")]
    case .plays(let second): [.place(Self.place(second), atOnce: false, at: .seconds(100 + second))]
    case .stands(let second): [.place(Self.place(second), atOnce: true, at: .seconds(100 + second))]
    case .placeKept: [.placeWritten(.kept)]
    case .placeFailed: [.placeWritten(.failed)]
    case .folderGone: [.placeWritten(.folderIsGone)]
    case .end: [.end(isQueueEmpty: false)]
    case .endEmpty: [.end(isQueueEmpty: true)]
    case .closed: [.closed(nil)]
    case .notClosed: [.closed(Self.full)]
    }
  }

  /// Two entries, of which the first is current.
  private static var queue: PlayQueue {
    var queue = PlayQueue(seed: 1)
    _ = queue.append([EntrySource("/one"), EntrySource("/two"), EntrySource("/three")])
    _ = queue.remove([EntryID(rawValue: 3)])
    _ = queue.start()
    return queue
  }

  private static func place(_ second: Int) -> PositionFile.Record {
    PositionFile.Record(EntryID(rawValue: 1), .seconds(second), isWanted: true)
  }
}

extension StateKeeping.Effect {
  fileprivate var text: String {
    switch self {
    case .write(let changes, let turn): "write \(turn): \(Self.text(changes))"
    case .catchUp(let changes, let turn): "catch up \(turn): \(Self.text(changes))"
    case .readBack: "read back"
    case .takeBack(let queue): "take back to \(queue.count)"
    case .open(let isAnew): isAnew ? "open anew" : "open"
    case .adopt(let queue, let volume): "adopt \(queue.count)" + (volume == nil ? " at its own volume" : "")
    case .letGo: "let go"
    case .writePlace(let record): "write place \(record.position.components.seconds)"
    case .answer(let caller, let error): "\(error == nil ? "answer" : "refuse") \(caller)"
    case .timer(let delay): delay.map { "timer \($0.components.seconds)" } ?? "timer none"
    case .say(let remark): "say " + Self.name("\(remark)")
    case .announce: "announce"
    case .close(let changes): "close: " + (changes.isEmpty ? "nothing" : Self.text(changes))
    case .ended(let isSafe): isSafe ? "ended safe" : "ended with a loss"
    }
  }

  private static func text(_ changes: [StoreChange]) -> String {
    changes.map { if case .queue(let command) = $0 { name("\(command)") } else { "volume" } }
      .joined(separator: " ")
  }

  private static func name(_ description: String) -> String { String(description.prefix { $0 != "(" }) }
}

/// A machine with a player and a disk that at times can be neither written nor read, by chance.
private struct FailingDisk {
  private enum Job {
    case write([StoreChange], Int, isCatchUp: Bool)
    case readBack
    case close([StoreChange])
  }

  private var chance: SeededGenerator
  private var keeping = StateKeeping(volume: 1)
  private var memory = PlayQueue(seed: 1)
  private var disk = PlayQueue(seed: 1)
  private var hasFailed = false
  private var hasRoom = true
  private var isReadable = true
  private var jobs: [Job] = []
  private var answers: [StateKeeping.Event] = []
  /// The file that each caller adds.
  private var files: [Int: String] = [:]
  private var asked: Set<Int> = []
  private var refused: Set<String> = []
  private var stored: Set<String> = []
  private var callers = 0
  private(set) var isSafe: Bool?

  init(seed: UInt64) {
    chance = SeededGenerator(seed: seed)
    add("first")
    _ = disk.replay(.insert([EntrySource("first")], at: 0))
    _ = keeping.handle(.turnEnded)
    send(.wrote(upTo: 1, nil))
  }

  private var onDisk: Set<String> { Set(disk.entries(at: 0..<disk.count).map(\.location)) }
  var storedAlthoughRefused: Set<String> { refused.intersection(onDisk) }
  var lostAlthoughAnswered: Set<String> { stored.subtracting(onDisk) }
  var isEveryoneAnswered: Bool { asked.isEmpty }
  var isAllOnDisk: Bool {
    memory.entries(at: 0..<memory.count).map(\.location).filter { !refused.contains($0) }
      == disk.entries(at: 0..<disk.count).map(\.location) && memory.current == disk.current || !isReadable
  }

  mutating func step() {
    switch Int.random(in: 0..<12, using: &chance) {
    case 0, 1, 2: edit()
    case 3: skip()
    case 4: hasRoom.toggle()
    case 5: if !hasRoom { isReadable.toggle() } else { isReadable = true }
    case 6: if !keeping.isWritable { send(.retryTimer) }
    case 7, 8, 9: work()
    default: if !answers.isEmpty { send(answers.removeFirst()) }
    }
  }

  mutating func end() {
    send(.end(isQueueEmpty: memory.isEmpty))
    while isSafe == nil, !jobs.isEmpty || !answers.isEmpty {
      work()
      if !answers.isEmpty { send(answers.removeFirst()) }
    }
  }

  private mutating func edit() {
    callers += 1
    asked.insert(callers)
    if keeping.isWritable {
      files[callers] = "file \(callers)"
      add("file \(callers)")
      send(.turnEnded)
      send(.waits(callers))
    } else {
      send(.wantsToEdit(callers))
    }
  }

  private mutating func add(_ file: String) {
    if let command = memory.append([EntrySource(file)]).command { _ = keeping.handle(.changed(command)) }
  }

  private mutating func skip() {
    if let command = memory.skipToNext().command { _ = keeping.handle(.changed(command)) }
    send(.turnEnded)
  }

  private mutating func send(_ event: StateKeeping.Event) {
    for effect in keeping.handle(event) { perform(effect) }
  }

  private mutating func perform(_ effect: StateKeeping.Effect) {
    switch effect {
    case .write(let changes, let turn): jobs.append(.write(changes, turn, isCatchUp: false))
    case .catchUp(let changes, let turn): jobs.append(.write(changes, turn, isCatchUp: true))
    case .readBack: jobs.append(.readBack)
    case .close(let changes): jobs.append(.close(changes))
    case .takeBack(let queue): memory = queue
    case .answer(let caller, let error): answer(caller, error)
    case .ended(let isSafe): self.isSafe = isSafe
    case .open, .adopt, .letGo, .writePlace, .timer, .say, .announce: break
    }
  }

  private mutating func answer(_ caller: Int, _ error: StoreError?) {
    asked.remove(caller)
    guard let file = files[caller] else { return }
    if error == nil { stored.insert(file) } else { refused.insert(file) }
  }

  /// The disk does the next job.
  private mutating func work() {
    guard !jobs.isEmpty else { return }
    let error = StoreError(.write, file: "state.db", reason: "full", cause: .full)
    switch jobs.removeFirst() {
    case .write(let changes, let turn, let isCatchUp):
      if isCatchUp { hasFailed = false }
      hasFailed = hasFailed || !hasRoom
      if !hasFailed { replay(changes) }
      answers.append(
        isCatchUp
          ? .caughtUp(upTo: turn, hasFailed ? error : nil) : .wrote(upTo: turn, hasFailed ? error : nil))
    case .readBack:
      answers.append(isReadable ? .readBack(disk, lastIdentity: memory.lastIdentity) : .unreadable(error))
    case .close:
      if hasRoom { disk = memory }
      answers.append(.closed(hasRoom ? nil : error))
    }
  }

  private mutating func replay(_ changes: [StoreChange]) {
    for case .queue(let command) in changes { _ = disk.replay(command) }
  }
}
