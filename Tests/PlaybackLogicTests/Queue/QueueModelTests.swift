// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import Testing

@testable import PlaybackLogic

/// The real queue and the naive one side by side, and a client that only hears of changes.
private struct Pair {
  var real: PlayQueue
  var naive: NaiveQueue
  var client: [Entry] = []
  var chance: SeededGenerator
  var told: String = ""

  init(seed: UInt64) {
    chance = SeededGenerator(seed: seed)
    real = PlayQueue(seed: seed, repeat: .none, shuffle: .off, chunkSize: [2, 4, 512][Int(seed % 3)])
    naive = NaiveQueue(seed: seed)
  }

  mutating func sources() -> [EntrySource] {
    (0..<[1, 1, 1, 2, 3, 6][below(6)]).map { _ in
      EntrySource("/\(below(100))", album: AlbumKey(rawValue: UInt64(below(5))))
    }
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &chance) }

  /// One thing done to both.
  mutating func step() -> String? {
    let (list, before) = (client, real)
    let kind = below(27)
    let change = act(kind)
    told += " \(kind)"
    change?.apply(to: &client)
    if let dissent = dissent(after: change, before, list) { return dissent }
    return keepPlace(lostBy: change)
  }

  /// As the player does it, after an edit that took the current entry away.
  private mutating func keepPlace(lostBy change: QueueChange?) -> String? {
    guard let change, !change.edits.isEmpty, change.current?.from != nil else { return nil }
    let place = Duration.seconds(below(300))
    naive.noteLostPlace(place, inRedo: change.command == .undo)
    let note = real.noteLostPlace(place, inRedo: change.command == .undo)
    return note.isEmpty && note.command != nil ? nil : "noted place"
  }

  private mutating func act(_ kind: Int) -> QueueChange? {
    let count = real.count
    switch kind {
    case 0, 1: return add(at: count)
    case 2, 3: return add(at: below(count + 1))
    case 4, 5: return add(at: nil)
    case 6, 7, 8: return remove(below(4) == 0 ? count / 2 : 1)
    case 9: return move()
    case 10 where below(3) == 0: return remove(count)
    case 11 where below(3) == 0: return replace()
    case 12: naive.moved = moving(real.log.undo); naive.undo(isRedo: false); return real.undo()
    case 13: naive.moved = moving(real.log.redo); naive.undo(isRedo: true); return real.redo()
    case 14: return modes()
    case 15: naive.start(); return real.start()
    case 16: naive.advance(); return real.advance()
    case 17: naive.skip(); return real.skipToNext()
    case 18: return back()
    case 19: return jump()
    case 20: return annotate()
    case 21 where below(4) == 0:
      real = PlayQueue(restoring: real.state); return nil
    case 22: return shuffleList()
    // There and back again, as somebody does who has a listen elsewhere.
    case 23: return below(2) == 0 ? jump() : back()
    case 24, 25: return arrange()
    case 26: return playAdded()
    default: naive.advance(); return real.advance()
    }
  }

  /// All rows or some of them, in any order.
  private mutating func arrange() -> QueueChange {
    let some = below(2) == 0 ? real.count : below(real.count + 1)
    let ids = Array(naive.rows.shuffled(using: &chance).prefix(some))
    naive.arrange(ids)
    return real.arrange(ids)
  }

  private mutating func add(at position: Int?) -> QueueChange {
    let sources = sources()
    let isFirst = position == nil && below(2) == 0
    naive.add(sources.map(\.album), at: position, beforeOthers: isFirst)
    if isFirst { return real.insertFirst(sources) }
    return position.map { real.insert(sources, at: $0) } ?? real.insertNext(sources)
  }

  private mutating func remove(_ size: Int) -> QueueChange {
    let positions = RangeSet((0..<real.count).shuffled(using: &chance).prefix(size).map { $0..<$0 + 1 })
    naive.become(naive.rows.indices.filter { !positions.contains($0) }.map { naive.rows[$0] })
    return real.remove(at: positions)
  }

  private mutating func move() -> QueueChange? {
    if real.isEmpty { return nil }
    let start = below(real.count)
    let rows = start..<start + 1 + below(min(3, real.count - start))
    let target = below(real.count - rows.count + 1)
    var list = naive.rows
    naive.moved = Array(list[rows])
    list.removeSubrange(rows)
    list.insert(contentsOf: naive.moved, at: target)
    naive.become(list)
    // Rows that go to where they are are no edit; the naive queue sees that by itself.
    return real.move(rows, to: target)
  }

  private mutating func replace() -> QueueChange {
    let sources = below(5) == 0 ? [] : sources()
    let shuffle = choice()
    naive.replace(sources.map(\.album), shuffle)
    return real.replace(with: sources, shuffle: shuffle)
  }

  private mutating func choice() -> ModeChoice<ShuffleMode>? {
    below(3) == 0 ? .chosen(ShuffleMode.allCases[below(3)]) : below(5) == 0 ? .default : nil
  }

  private mutating func shuffleList() -> QueueChange {
    let shuffle = choice()
    naive.setListShuffle(shuffle)
    naive.settle()
    return real.shuffleList(shuffle)
  }

  private mutating func modes() -> QueueChange {
    let (repeats, shuffle) = (RepeatMode.allCases[below(3)], ShuffleMode.allCases[below(3)])
    naive.repeatMode = repeats
    naive.settle()
    _ = real.setRepeat(.chosen(repeats))
    naive.setModes(repeats, shuffle)
    return real.setShuffle(.chosen(shuffle))
  }

  private mutating func jump() -> QueueChange? {
    guard !real.isEmpty else { return nil }
    let id = real[below(real.count)].id
    naive.jump(id)
    return real.jump(to: id)
  }

  /// Plays the last row, as though the last edit had added it to be played.
  private mutating func playAdded() -> QueueChange? {
    guard let left = real.current, let last = naive.rows.last, last != left else { return nil }
    naive.jump(last)
    let change = real.jump(to: last)
    let place = Duration.seconds(below(300))
    if real.canUndo { naive.noteLeft(left, at: place) }
    _ = real.noteLeft(left, at: place)
    return change
  }

  private mutating func back() -> QueueChange {
    naive.back()
    return real.goBack()
  }

  private mutating func annotate() -> QueueChange? {
    guard !real.isEmpty else { return nil }
    let position = below(real.count)
    _ = real.setMissing(below(2) == 0, of: real[position].id)
    client[position] = real[position]
    return nil
  }

  private func moving(_ log: [UndoStep]) -> [EntryID] {
    guard case .move(let rows, _, _)? = log.last?.parts.first else { return [] }
    return real.entries(at: rows).map(\.id)
  }

  // MARK: Agreement

  /// What the two do not agree on.
  private func dissent(after change: QueueChange?, _ before: PlayQueue, _ list: [Entry]) -> String? {
    var back = client
    for edit in change?.inverseEdits ?? [] { edit.apply(to: &back) }
    let told = change == nil ? real.current : change?.current == nil ? before.current : change?.current?.to
    let place: Duration? = if case .restored(let place)? = change?.current?.cause { place } else { nil }
    let isUndo = change?.command == .undo || change?.command == .redo
    let checks = [
      ("list", real.entries(at: 0..<real.count) == client && client.map(\.id) == naive.rows),
      ("positions", client.indices.allSatisfy { real.position(of: client[$0].id) == $0 }),
      ("current", real.current == naive.current && real.opening == naive.opening),
      ("order", real.upcoming(real.count) == naive.upcoming),
      ("asked", Set(real.order.asked.map { real.order.table[$0].id }) == naive.asked),
      ("shuffle", real.shuffleMode == naive.shuffleMode && real.order.modes.listShuffle == naive.listShuffle),
      ("restored place", !isUndo || place == naive.restored),
      ("following", real.following == naive.following && real.next == naive.next),
      ("previous", real.previous == naive.previous),
      ("log", real.log.undo.count == naive.undoSteps.count && real.log.redo.count == naive.redoSteps.count),
      ("difference", change == nil || back == list),
      ("told", told == real.current && (change.map { $0.following == real.following } ?? true)),
    ]
    return checks.first { !$0.1 }?.0
  }
}

@Suite("The queue against a naive one")
struct QueueModelTests {
  /// More where time is no matter: `FERMATA_SEQUENCES=100000`.
  static var sequences: UInt64 {
    unsafe getenv("FERMATA_SEQUENCES").flatMap { unsafe UInt64(String(cString: $0)) } ?? 1_500
  }

  @Test("whatever is done, both agree on the list, the order, the current entry and the differences")
  func agreement() {
    for seed in 0..<Self.sequences {
      var pair = Pair(seed: seed)
      for _ in 0..<40 {
        guard let dissent = pair.step() else { continue }
        Issue.record("seed \(seed), the \(dissent) after\(pair.told)")
        return
      }
    }
  }
}

@Suite("Slots in a row")
struct RankedSlotsTests {
  @Test("rank and slot answer as an array would, after any edits", arguments: [2, 3, 8, 512])
  func edits(chunkSize: Int) {
    for seed in UInt64(0)..<40 {
      var chance = SeededGenerator(seed: seed)
      var (ranked, plain) = (RankedSlots(chunkSize: chunkSize), [Slot]())
      for _ in 0..<60 { edit(&ranked, &plain, &chance) }
      #expect(ranked.all == plain, "seed \(seed)")
      #expect(plain.indices.allSatisfy { ranked[$0] == plain[$0] }, "seed \(seed)")
      #expect(plain.indices.allSatisfy { ranked.rank(of: plain[$0]) == $0 }, "seed \(seed)")
      #expect(ranked.ranks(of: plain) == plain.indices.map { UInt32($0) }, "seed \(seed)")
      let part = plain.count / 3..<plain.count / 3 * 2
      #expect(ranked.slots(part) == Array(plain[part]), "seed \(seed)")
    }
  }

  private func edit(_ ranked: inout RankedSlots, _ plain: inout [Slot], _ chance: inout SeededGenerator) {
    let free = Set(0..<Slot(400)).subtracting(plain).sorted()
    // Now and then so many that several chunks are concerned.
    let many = Int.random(in: 0..<8, using: &chance) == 0
    if Bool.random(using: &chance) {
      let new = Array(free.shuffled(using: &chance).prefix(many ? 100 : 3))
      let ranks = RangeSet(
        (0..<plain.count + new.count).shuffled(using: &chance).prefix(new.count).map { $0..<$0 + 1 })
      ranked.insert(new, at: ranks)
      plain.merge(new, at: ranks)
    } else {
      let gone = RangeSet(plain.indices.shuffled(using: &chance).prefix(many ? 100 : 4).map { $0..<$0 + 1 })
      for rank in gone.ranges.joined().reversed() { ranked.remove(at: rank) }
      plain.removeSubranges(gone)
    }
    guard plain.count > 3 else { return }
    let start = Int.random(in: 0..<plain.count - 2, using: &chance)
    let target = Int.random(in: 0..<plain.count - 1, using: &chance)
    ranked.move(start..<start + 2, to: target)
    let moved = plain[start..<start + 2]
    plain.removeSubrange(start..<start + 2)
    plain.insert(contentsOf: moved, at: target)
  }
}
