// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

@testable import PlaybackLogic

@Suite("A journal of the queue")
struct QueueReplayTests {
  @Test("a stored state and the commands since make the same queue, chance, undo and all")
  func replay() throws {
    for seed in UInt64(0)..<400 {
      var commands = RandomCommands(chance: SeededGenerator(seed: seed))
      var live = PlayQueue(seed: seed, shuffle: ShuffleMode.allCases[Int(seed % 3)])
      var base = live.state
      var journal: [[UInt8]] = []
      for step in 0..<120 {
        let command = commands.next(for: live)
        if live.replay(command) { journal.append(command.encoded) }
        if step % 40 == 17 { (base, journal) = (live.state, []) }
      }
      let stored = try #require(QueueState(encoded: base.encoded), "seed \(seed)")
      try #require(stored == base, "seed \(seed)")
      var again = PlayQueue(resuming: stored)
      for bytes in journal {
        let command = try #require(QueueCommand(encoded: bytes), "seed \(seed)")
        let wasDone = again.replay(command)
        try #require(wasDone, "seed \(seed): \(command)")
      }
      try #require(again.state == live.state, "seed \(seed)")
    }
  }

  @Test("every change tells what was done")
  func commands() throws {
    for seed in UInt64(0)..<100 {
      var commands = RandomCommands(chance: SeededGenerator(seed: seed))
      var live = PlayQueue(seed: seed, shuffle: .songs)
      var copy = live
      for _ in 0..<60 {
        for command in live.told(commands.next(for: live)) {
          let wasDone = copy.replay(command)
          #expect(wasDone, "seed \(seed): \(command)")
        }
        try #require(copy.state == live.state, "seed \(seed)")
      }
    }
  }

  @Test(
    "what does not fit is not done",
    arguments: [
      QueueCommand.insert([EntrySource("x")], at: 4), .insert([], at: -1), .remove(RangeSet(2..<4)),
      .remove(RangeSet(-1..<1)), .move(0..<2, to: 2), .move(2..<4, to: 0), .move(0..<1 << 61, to: 0),
      .move(0..<1, to: -1), .redo, .jump(to: EntryID(rawValue: 77)),
      .skipIdentities(through: EntryID(rawValue: 1 << 62 + 1)),
      .skipIdentities(through: EntryID(rawValue: .max)),
      .noteLostPlace(.seconds(1), inRedo: false), .noteLeft(EntryID(rawValue: 77), .seconds(1)),
      .arrange(Arrangement(rows: [1..<4], origins: [2, 1, 0], order: "")),
      .arrange(Arrangement(rows: [0..<2], origins: [2, 1, 0], order: "")),
      .arrange(Arrangement(rows: [0..<3], origins: [2, 2, 0], order: "")),
      .arrange(Arrangement(rows: [0..<3], origins: [3, 1, 0], order: "")),
      .arrange(Arrangement(rows: [1..<3, 0..<1], origins: [2, 1, 0], order: "")),
      .arrange(Arrangement(rows: [0..<2, 1..<2], origins: [2, 1, 0], order: "")),
      .arrange(Arrangement(rows: [0..<1, .max - 2 ..< .max], origins: [2, 1, 0], order: "")),
      .arrange(Arrangement(rows: [-1..<1], origins: [1, 0], order: "")),
    ])
  func misfits(command: QueueCommand) {
    var queue = queue("a b c")
    let before = queue.state
    let wasDone = queue.replay(command)
    #expect(!wasDone)
    #expect(queue.state == before)
  }

  @Test("stored steps that join several edits are taken back and done again; nothing traps")
  func joinedSteps() throws {
    for seed in UInt64(0)..<400 {
      var commands = RandomCommands(chance: SeededGenerator(seed: seed))
      var live = PlayQueue(
        seed: seed, repeat: seed % 2 == 0 ? .all : .none, shuffle: ShuffleMode.allCases[Int(seed % 3)])
      for _ in 0..<60 { _ = live.replay(commands.next(for: live)) }
      // The program itself only joins steps of played entries, but a damaged file may hold anything.
      var state = live.state
      let undo = state.log.undo
      let joined = stride(from: 0, to: undo.count, by: 3).map { start in
        let run = undo[start..<min(undo.count, start + 3)].reversed()
        return UndoStep(parts: run.flatMap(\.parts), lostCurrent: run.first?.lostCurrent)
      }
      state.log = UndoLog(undo: joined)
      var queue = PlayQueue(resuming: state)
      for round in 0..<3 {
        while queue.undo() != nil { _ = queue.advance() }
        while queue.redo() != nil { if round % 2 == 0 { _ = queue.skipToNext() } }
      }
    }
  }

  @Test("joined steps of played entries bring back the list that steps one by one would, and weigh as much")
  func joinedConsumption() {
    for seed in UInt64(0)..<300 {
      var commands = RandomCommands(chance: SeededGenerator(seed: seed))
      var queue = PlayQueue(seed: seed, repeat: .all, shuffle: ShuffleMode.allCases[Int(seed % 3)])
      _ = queue.setConsume(true)
      // The list before each edit that can be undone.
      var lists: [[EntryID]] = []
      var isRun: [Bool] = []
      for _ in 0..<120 {
        let before = queue.entries(at: 0..<queue.count).map(\.id)
        let count = queue.log.undo.count
        let command = commands.chance.next() % 4 == 0 ? commands.next(for: queue) : played(in: &queue)
        guard command != .undo, command != .redo, queue.replay(command) else { continue }
        let isConsumed = if case .consume = command { true } else { false }
        guard queue.log.undo.count != count || isConsumed else { continue }
        lists.append(before)
        isRun.append(isConsumed)
        // What was joined comes back together.
        let run = isRun.reversed().prefix { $0 }.count
        if run > UndoLog.consumedSteps {
          let second = lists.count - run + 1
          lists.remove(at: second)
          isRun.remove(at: second)
        }
      }
      let weight = queue.log.undo.reduce(0) { $0 + $1.weight }
      #expect(queue.log.weight == weight, "seed \(seed)")
      while let list = lists.popLast(), queue.undo() != nil {
        #expect(queue.entries(at: 0..<queue.count).map(\.id) == list, "seed \(seed)")
      }
    }
  }

  /// Goes on to the next entry, and says that the one before was played.
  private func played(in queue: inout PlayQueue) -> QueueCommand {
    let played = queue.current
    _ = queue.advance()
    return played.map { .consume($0) } ?? .start
  }

  @Test("what was done counts by what it takes to do it again")
  func work() {
    var queue = queue("a b c")
    let before = queue.work
    _ = queue.append(sources("d"))
    #expect(queue.work == before + 1)
    _ = queue.append((0..<800).map { EntrySource("\($0)") })
    #expect(queue.work >= before + 102)
    #expect(queue.bulk == 804 + queue.log.weight)
  }
}

@Suite("Bytes of the queue")
struct QueueCodingTests {
  private func samples() -> [[UInt8]] {
    (UInt64(0)..<30).map { seed in
      var commands = RandomCommands(chance: SeededGenerator(seed: seed))
      var queue = PlayQueue(seed: seed, shuffle: ShuffleMode.allCases[Int(seed % 3)])
      for _ in 0..<60 { _ = queue.replay(commands.next(for: queue)) }
      return queue.state.encoded
    }
  }

  @Test("foreign bytes are refused or make a queue that works; nothing traps")
  func mutations() {
    var chance = SeededGenerator(seed: 9)
    for sample in samples() {
      for _ in 0..<100 {
        var bytes = sample
        for _ in 0..<Int.random(in: 1...3, using: &chance) {
          bytes[bytes.indices.randomElement(using: &chance) ?? 0] = UInt8.random(
            in: .min ... .max, using: &chance)
        }
        guard let state = QueueState(encoded: bytes) else { continue }
        var queue = PlayQueue(resuming: state)
        var commands = RandomCommands(chance: chance)
        for _ in 0..<20 { _ = queue.replay(commands.next(for: queue)) }
        #expect(queue.upcoming(queue.count).count <= queue.count)
      }
    }
  }

  @Test("a state or a command that is cut off, or goes on, is none")
  func lengths() throws {
    let sample = try #require(samples().first { $0.count > 100 })
    for end in stride(from: 0, to: sample.count, by: 7) {
      #expect(QueueState(encoded: Array(sample[..<end])) == nil)
    }
    #expect(QueueState(encoded: sample + [0]) == nil)
    let command = QueueCommand.insert(sources("a1 b2"), at: 3).encoded
    for end in command.indices { #expect(QueueCommand(encoded: Array(command[..<end])) == nil) }
    #expect(QueueCommand(encoded: command + [0]) == nil)
    for kind in UInt8(7)...255 where kind != 8 && !(16...22).contains(kind) && !(32...40).contains(kind) {
      #expect(QueueCommand(encoded: [kind]) == nil)
    }
  }

  @Test(
    "numbers up to the highest come back, and none beyond",
    arguments: [0, 127, 128, 1 << 62, .max] as [UInt64])
  func numbers(number: UInt64) throws {
    var writer = ByteWriter()
    writer.put(number)
    var reader = ByteReader(writer.bytes)
    #expect(try reader.number() == number)
    var beyond = ByteReader([UInt8](repeating: 0xff, count: 9) + [2])
    #expect(throws: ByteReader.Malformed.self) { try beyond.number() }
  }
}

extension PlayQueue {
  /// Does it by the method itself, and returns what the change tells.
  fileprivate mutating func told(_ command: QueueCommand) -> [QueueCommand] {
    let change: QueueChange?
    switch command {
    case .insert(let sources, let position): change = insert(sources, at: position)
    case .insertNext(let sources): change = insertNext(sources)
    case .insertFirst(let sources): change = insertFirst(sources)
    case .remove(let positions): change = remove(at: positions)
    case .move(let rows, let target): change = move(rows, to: target)
    case .replace(let sources, let shuffle): change = replace(with: sources, shuffle: shuffle)
    case .undo: change = undo()
    case .redo: change = redo()
    case .start: change = start()
    case .advance: change = advance()
    case .skipToNext: change = skipToNext()
    case .goBack: change = goBack()
    case .jump(let id): change = jump(to: id)
    case .jumpAnywhere: change = jumpAnywhere()
    case .setRepeat(let choice): change = setRepeat(choice)
    case .setShuffle(let choice): change = setShuffle(choice)
    case .shuffleList(let choice): change = shuffleList(choice)
    case .setConsume(let isOn): change = setConsume(isOn)
    case .consume(let id): change = consume(id)
    case .shuffleNow: change = shuffleNow()
    case .arrange(let arrangement): change = arrange(arrangement)
    case .noteLostPlace(let place, let inRedo): change = noteLostPlace(place, inRedo: inRedo)
    case .noteLeft(let id, let place): change = noteLeft(id, at: place)
    case .setPreferences(let repeats, let shuffle): change = setPreferences(repeat: repeats, shuffle: shuffle)
    case .relocate(let renamings): change = relocate(renamings)
    case .skipIdentities(let id): return skipIdentities(through: id) ? [command] : []
    }
    return change?.command.map { [$0] } ?? []
  }
}

/// What people might do, by chance: commands that mostly fit a queue.
struct RandomCommands {
  var chance: SeededGenerator

  mutating func next(for queue: PlayQueue) -> QueueCommand {
    switch below(35) {
    case 0, 1, 2: .insert(sources(), at: below(queue.count + 1))
    case 3, 4: .insert(sources(), at: queue.count)
    case 5: below(2) == 0 ? .insertNext(sources()) : .insertFirst(sources())
    case 6, 7: .remove(positions(in: queue))
    case 8: move(in: queue)
    case 9: below(4) == 0 ? .replace(sources(), shuffle: choice()) : .start
    case 10, 11: .undo
    case 12: .redo
    case 13: .start
    case 14, 15: .advance
    case 16: .skipToNext
    case 17, 18: .goBack
    case 19: .jump(to: id(in: queue))
    case 20: .jumpAnywhere
    case 21: .setRepeat(below(3) == 0 ? .default : .chosen(RepeatMode.allCases[below(3)]))
    case 22: mode()
    case 23: .shuffleList(choice())
    case 24: .noteLostPlace(.milliseconds(below(200_000)), inRedo: below(2) == 0)
    case 25: .shuffleNow
    case 26: .setConsume(below(3) > 0)
    case 27, 28: .consume(id(in: queue))
    case 29, 30: arrangement(in: queue)
    case 31, 32: .relocate(renamings(in: queue))
    case 33: .noteLeft(id(in: queue), .milliseconds(below(200_000)))
    default: .skipIdentities(through: EntryID(rawValue: UInt64(below(200))))
    }
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &chance) }

  private mutating func album() -> AlbumKey { AlbumKey(rawValue: UInt64(below(5))) }

  private mutating func sources() -> [EntrySource] {
    (0..<[1, 1, 2, 3, 8][below(5)]).map { _ in
      let start = UInt32(below(1_000))
      let span = [nil, CueSpan(start: start), CueSpan(start: start, end: start + 9)][below(3)]
      return EntrySource("/ä/\(below(1 << 40))", span: span, album: album())
    }
  }

  /// New locations for some files of the queue, of what was removed from it, and of a file that is in neither.
  private mutating func renamings(in queue: PlayQueue) -> [FileRenaming] {
    let removed = queue.log.undo.last?.entries.map(\.location) ?? []
    let files = (0..<below(3)).compactMap { _ in queue.isEmpty ? nil : queue[below(queue.count)].location }
    return (files + removed.prefix(2) + ["/nowhere"]).map {
      FileRenaming(from: $0, to: below(4) == 0 ? files.first ?? "/x" : "/ö/\(below(1 << 40))")
    }
  }

  private mutating func positions(in queue: PlayQueue) -> RangeSet<Int> {
    let size = below(10) == 0 ? queue.count : 1 + below(3)
    return RangeSet((0..<queue.count).shuffled(using: &chance).prefix(size).map { $0..<$0 + 1 })
  }

  private mutating func move(in queue: PlayQueue) -> QueueCommand {
    let start = below(queue.count)
    let rows = start..<min(queue.count, start + 1 + below(3))
    return .move(rows, to: below(queue.count - rows.count + 1))
  }

  private mutating func arrangement(in queue: PlayQueue) -> QueueCommand {
    let all = queue.entries(at: 0..<queue.count).map(\.id).shuffled(using: &chance)
    let some = all.prefix(below(2) == 0 ? all.count : below(all.count + 1))
    return .arrange(queue.order.arrangement(of: Array(some), order: "album"))
  }

  private mutating func id(in queue: PlayQueue) -> EntryID {
    queue.isEmpty ? EntryID(rawValue: 1) : queue[below(queue.count)].id
  }

  private mutating func choice() -> ModeChoice<ShuffleMode>? {
    [nil, .default, .chosen(ShuffleMode.allCases[below(3)])][below(3)]
  }

  private mutating func mode() -> QueueCommand {
    let shuffle = ShuffleMode.allCases[below(3)]
    if below(4) > 0 { return .setShuffle(below(4) == 0 ? .default : .chosen(shuffle)) }
    return .setPreferences(repeat: RepeatMode.allCases[below(3)], shuffle: shuffle)
  }
}
