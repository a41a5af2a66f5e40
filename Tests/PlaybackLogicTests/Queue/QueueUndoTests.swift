// SPDX-License-Identifier: MIT
@testable import PlaybackLogic
import FermataTestKit
import Testing

@Suite("Undo of queue edits")
struct QueueUndoTests {
  @Test("a removed entry comes back as it was, and the present one stays current")
  func removal() {
    var queue = queue("a b c", at: 1)
    let before = queue.entries(at: 0..<3)
    _ = queue.remove([queue.id("b")])
    let change = queue.undo()
    #expect(queue.entries(at: 0..<3) == before)
    #expect(change?.current == nil && queue.name(queue.current) == "c")
    let again = queue.redo()
    #expect(queue.names == "a c" && again?.current == nil)
  }

  @Test("a clear comes back with its mark, and nothing plays", arguments: ShuffleMode.allCases)
  func clear(shuffle: ShuffleMode) {
    var queue = queue("a1 b2 c1 d e2", at: 2, shuffle: shuffle)
    let (coming, current) = (queue.coming, queue.current)
    _ = queue.clear()
    let change = queue.undo()
    #expect(queue.names == "a1 b2 c1 d e2" && queue.coming == coming)
    #expect(change?.current == CurrentChange(from: nil, to: current, cause: .restored(at: .zero)))
    #expect(queue.redo()?.current?.cause == .ended)
    #expect(queue.isEmpty)
  }

  @Test(
    "of a list that comes back into another shuffle mode, all but the current entry are to come",
    arguments: 1...10)
  func clearThenMode(seed: Int) {
    for mode in [ShuffleMode.songs, .albums] {
      for former in ShuffleMode.allCases where former != mode {
        var queue = queue("a1 b2 c1 d2 e3 f3", at: 3, shuffle: former, seed: UInt64(seed))
        _ = queue.replace(with: sources("x y"))
        _ = queue.setShuffle(.chosen(mode))
        _ = queue.undo()
        #expect(queue.name(queue.current) == "d2")
        let coming = queue.coming.split(separator: " ")
        if mode == .songs { #expect(coming.count == 5) }
        let albums = coming.map { $0.suffix(1) }
        let changes = zip(albums, albums.dropFirst()).count { $0 != $1 }
        if mode == .albums { #expect(albums.contains("1") && albums.contains("3") && changes < 3) }
      }
    }
  }

  @Test("a replaced list comes back as one, and what had replaced it stops")
  func replacement() {
    var queue = queue("a b", at: 0)
    _ = queue.replace(with: sources("x y z"))
    _ = queue.start()
    #expect(queue.undo()?.current?.cause == .restored(at: .zero))
    #expect(queue.names == "a b" && queue.name(queue.current) == "a")
    _ = queue.redo()
    #expect(queue.names == "x y z" && queue.name(queue.current) == "x")
  }

  @Test("in the same shuffled pass, what was to come is to come where it was; what is past stays past")
  func sameOrder() {
    var queue = queue("a b c d e f", at: 0, shuffle: .songs)
    _ = queue.skipToNext()
    let coming = queue.coming
    let ids = [queue.order.history.entries[0], queue.upcoming(9)[1]]
    _ = queue.remove(ids)
    _ = queue.undo()
    #expect(queue.coming == coming)
  }

  @Test("what comes back had been asked for next, and is so again", arguments: ShuffleMode.allCases)
  func askedAgain(shuffle: ShuffleMode) {
    var queue = queue("a1 b2 c3 d4", at: 0, shuffle: shuffle)
    _ = queue.insertNext(sources("x y z"))
    let coming = queue.coming
    for names in ["x", "y", "z", "x y", "x y z", "b2 x", "a1 x y z b2 c3 d4"] {
      let before = queue.state.asked
      _ = queue.remove(names.split(separator: " ").map { queue.id(String($0)) })
      _ = queue.undo()
      #expect(queue.coming == coming && queue.state.asked == before, "after \(names)")
    }
    _ = queue.insertNext(sources("w"))
    #expect(queue.coming.hasPrefix("x y z w "))
  }

  @Test(
    "what was to come next stays so when what plays has gone on meanwhile", arguments: ShuffleMode.allCases)
  func askedLater(shuffle: ShuffleMode) {
    var queue = queue("a1 b2 c3 d4", at: 0, shuffle: shuffle)
    _ = queue.insertNext(sources("x y z"))
    _ = queue.remove([queue.id("y")])
    _ = queue.skipToNext()
    _ = queue.undo()
    #expect(queue.name(queue.current) == "x" && queue.coming.hasPrefix("y z "))
    _ = queue.insertNext(sources("w"))
    #expect(queue.coming.hasPrefix("y z w "))
  }

  @Test("a move out of the run that is taken back, and what was moved is next again")
  func movedBack() {
    var queue = queue("a b c", at: 0)
    _ = queue.insertNext(sources("x y"))
    _ = queue.move(1..<2, to: 4)
    #expect(queue.names == "a y b c x")
    _ = queue.undo()
    _ = queue.insertNext(sources("z"))
    #expect(queue.names == "a x y z b c")
  }

  @Test("the place that is noted of what an edit took away comes back with it, both ways")
  func places() {
    var queue = queue("a b", at: 0)
    _ = queue.replace(with: sources("x"))
    #expect(queue.noteLostPlace(.milliseconds(83_000), inRedo: false).command != nil)
    _ = queue.start()
    #expect(queue.undo()?.current?.cause == .restored(at: .seconds(83)))
    _ = queue.noteLostPlace(.seconds(2), inRedo: true)
    queue = PlayQueue(resuming: queue.state)
    #expect(queue.redo()?.current?.cause == .restored(at: .seconds(2)))
    _ = queue.append(sources("y"))
    #expect(queue.noteLostPlace(.seconds(1), inRedo: false).command == nil)
  }

  @Test("an edit that added what plays now is taken back together with that: what played before goes on")
  func left() {
    for (added, row) in [("x", 1), ("x y", 2)] {
      var queue = queue("a b", at: 0)
      _ = queue.append(sources(added))
      _ = queue.jump(to: queue[1 + row].id)
      #expect(queue.noteLeft(queue[0].id, at: .seconds(83)).command != nil)
      queue = PlayQueue(resuming: queue.state)
      #expect(queue.undo()?.current?.cause == .restored(at: .seconds(83)))
      #expect(queue.names == "a b" && queue.current == queue[0].id)
      // Whoever has gone on to a row that stays is not led away from it.
      _ = queue.redo()
      #expect(queue.current == queue[0].id)
    }
    var queue = queue("a b", at: 0)
    _ = queue.append(sources("x"))
    _ = queue.jump(to: queue[2].id)
    _ = queue.noteLeft(queue[0].id, at: .seconds(83))
    _ = queue.jump(to: queue[1].id)
    #expect(queue.undo()?.current == nil && queue.current == queue[1].id)
  }

  @Test("how a list was shuffled goes with it and comes back with it")
  func listShuffle() {
    var queue = queue("a b c d e f", at: 0)
    _ = queue.replace(with: sources("u v w x y z"), shuffle: .chosen(.songs))
    #expect(queue.shuffleMode == .songs && queue.shuffleChoice == .default)
    _ = queue.start()
    let coming = queue.coming
    _ = queue.replace(with: sources("k l m"))
    #expect(queue.shuffleMode == .off && queue.names == "k l m")
    _ = queue.undo()
    #expect(queue.shuffleMode == .songs && queue.coming == coming)
    _ = queue.undo()
    #expect(queue.shuffleMode == .off && queue.name(queue.current) == "a" && queue.coming == "b c d e f")
    _ = queue.redo()
    #expect(queue.shuffleMode == .songs)
    _ = queue.redo()
    #expect(queue.shuffleMode == .off && queue.names == "k l m")
  }

  @Test("a mode that is chosen counts at once and for all lists")
  func chosenAnew() {
    var queue = queue("a b c", at: 0)
    _ = queue.shuffleList(.chosen(.songs))
    _ = queue.setShuffle(.chosen(.albums))
    #expect(queue.shuffleMode == .albums)
    _ = queue.replace(with: sources("x y"))
    #expect(queue.shuffleMode == .albums)
  }

  @Test("what an edit did is counted, for whoever takes it back")
  func counts() {
    var queue = queue("a b c", at: 0)
    #expect((queue.undo()?.inverseEdits).map(EditCounts.init) == EditCounts(added: 3))
    _ = queue.redo()
    _ = queue.remove([queue.id("b")])
    #expect((queue.undo()?.inverseEdits).map(EditCounts.init) == EditCounts(removed: 1))
    _ = queue.move(0..<2, to: 1)
    #expect((queue.undo()?.inverseEdits).map(EditCounts.init) == EditCounts(moved: 2))
    _ = queue.replace(with: sources("x y"))
    #expect((queue.undo()?.inverseEdits).map(EditCounts.init) == EditCounts(added: 2, removed: 3))
    #expect((queue.redo()?.edits).map(EditCounts.init) == EditCounts(added: 2, removed: 3))
    _ = queue.shuffleNow()
    #expect((queue.undo()?.inverseEdits).map(EditCounts.init) == EditCounts(moved: 2))
  }

  @Test("taking an addition back is a removal like any other")
  func addition() {
    var queue = queue("a", at: 0)
    _ = queue.append(sources("b c"))
    _ = queue.jump(to: queue.id("b"))
    #expect(queue.undo()?.current?.cause == .ended)
    #expect(queue.names == "a" && queue.current == nil)
    _ = queue.redo()
    #expect(queue.names == "a b c" && queue.name(queue.current) == "b")
  }

  @Test("a new edit ends what could be done again; playing does not")
  func redoEnds() {
    var queue = queue("a b c", at: 0)
    _ = queue.remove([queue.id("c")])
    _ = queue.undo()
    _ = queue.skipToNext()
    #expect(queue.canRedo)
    _ = queue.append(sources("d"))
    #expect(!queue.canRedo && queue.redo() == nil)
  }

  @Test("a hundred edits can be taken back, and no identity is ever given twice")
  func depth() {
    var queue = PlayQueue(seed: 1)
    for _ in 0..<150 { _ = queue.append(sources("a")) }
    var count = 0
    while queue.undo() != nil { count += 1 }
    #expect(count == 100 && queue.count == 50)
    _ = queue.append(sources("b"))
    #expect(queue[50].id == EntryID(rawValue: 151))
  }

  @Test("the log holds so many entries and no more, but always the latest edit")
  func weight() {
    let entry = Entry(id: EntryID(rawValue: 1), source: EntrySource(""))
    // The same entries a hundred times, so that the test itself takes no memory.
    let entries = Array(repeating: entry, count: 6_000)
    let part = UndoStep.Part.insert(entries, at: RangeSet(0..<6_000), places: nil)
    let step = UndoStep(parts: Array(repeating: part, count: 100))
    let larger = UndoStep(parts: step.parts + step.parts)
    var log = UndoLog(undo: [step, step])
    #expect(log.undo.count == 1)
    log.record(larger)
    #expect(log.undo == [larger])
    log.record(UndoStep(parts: [.move(0..<1, to: 1)]))
    #expect(log.undo.count == 1 && log.pop(isRedo: false)?.weight == 1)
  }
}

@Suite("A queue stored and restored")
struct QueueStateTests {
  @Test("everything is as it was, and goes on as it would have", arguments: ShuffleMode.allCases)
  func roundTrip(shuffle: ShuffleMode) {
    var queue = queue("a1 b2 c1 d e2 f", at: 2, repeat: .all, seed: 7)
    _ = queue.setShuffle(.chosen(shuffle))
    _ = queue.setRepeat(.chosen(.all))
    _ = queue.insertNext(sources("x"))
    _ = queue.remove([queue.id("d")])
    _ = queue.setMissing(true, of: queue.id("f"))
    var restored = PlayQueue(resuming: queue.state)
    #expect(restored.state == queue.state)
    #expect(restored.undo()?.edits == queue.undo()?.edits)
    #expect(restored.playOut(20) == queue.playOut(20))
  }

  @Test("what comes back into a shuffled order stands where it stood, before those that were asked for")
  func beforeAskedFor() {
    var queue = queue("a b c d e f", at: 0, shuffle: .songs)
    _ = queue.skipToNext()
    _ = queue.insertNext(sources("x y"))
    _ = queue.goBack()
    let before = queue.coming
    #expect(!before.hasPrefix("x"))
    let first = queue.id(String(before.prefix(1)))
    _ = queue.remove([first])
    #expect(queue.coming.hasPrefix("x y"))
    _ = queue.undo()
    #expect(queue.coming == before)
  }

  @Test("a change of the settings meanwhile is obeyed")
  func preferences() {
    let queue = queue("a b c d", at: 1, shuffle: .songs)
    let restored = PlayQueue(restoring: queue.state, repeat: .one, shuffle: .off)
    #expect(restored.coming == "c d" && restored.following == restored.current)
  }

  @Test("no stored state breaks it; the entries stay", arguments: 0..<300)
  func nonsense(seed: UInt64) {
    var chance = SeededGenerator(seed: seed)
    var state = queue("a1 b2 c1 d e2 f", at: 2, repeat: .all, shuffle: .albums, seed: seed).state
    func number() -> Int { [-1, 0, 1, 5, 6, .max, .min].randomElement(using: &chance) ?? 0 }
    let twin = Entry(id: EntryID(rawValue: UInt64.max), source: EntrySource("z"))
    state.entries += [state.entries[0], twin, twin].shuffled(using: &chance).prefix(2)
    state.order?.positions = (0..<8).shuffled(using: &chance)
    if seed % 2 == 0 { state.order?.positions[3] = 4_000_000_000 }
    (state.current, state.nextFirst) = (number(), number())
    state.asked = (0..<Int(seed % 6)).map { _ in number() }
    (state.isOver, state.lastID, state.passes) = (seed % 3 == 0, .max, .max)
    state.history = [twin.id, state.entries[1].id, twin.id]
    let rows = RangeSet([min(number(), 3)..<4, 5..<max(number(), 6)])
    let places = UndoStep.OrderPlaces(pass: 1, cursor: number(), ranks: [.max, 7])
    state.log = UndoLog(
      undo: [
        UndoStep(
          parts: [.insert([twin, state.entries[0]], at: rows, places: places, asked: rows)],
          lostCurrent: twin.id),
        UndoStep(parts: [.move(min(0, number())..<3, to: number(), asked: rows)]),
        UndoStep(parts: [.remove(rows), .shuffleList(.chosen(.songs))]),
      ].shuffled(using: &chance))
    var queue = PlayQueue(restoring: state, repeat: .all, shuffle: seed % 5 == 0 ? .songs : .albums)
    #expect(queue.count == 8 && Set(queue.entries(at: 0..<8).map(\.id)).count == 8)
    while queue.undo() != nil {}
    _ = queue.append(sources("n"))
    _ = queue.start()
    #expect(queue.isEmpty || queue.playOut(20).count == 20)
  }
}
