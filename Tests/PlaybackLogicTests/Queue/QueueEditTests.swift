// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

@testable import PlaybackLogic

@Suite("Edits of the queue")
struct QueueEditTests {
  @Test("crop leaves what is current, as one edit, and does nothing where nothing is")
  func crop() {
    for shuffle in ShuffleMode.allCases {
      var queue = queue("a1 b1 c2 d2", at: 2, shuffle: shuffle)
      let change = queue.crop()
      #expect(queue.names == "c2" && change.current == nil && queue.name(queue.current) == "c2")
      _ = queue.undo()
      #expect(queue.names == "a1 b1 c2 d2" && queue.name(queue.current) == "c2")
    }
    var nothing = queue("a b")
    #expect(nothing.crop().command == nil && nothing.names == "a b")
  }

  @Test("the same song twice is two entries, and only one of them is current")
  func twice() {
    let queue = queue("a a a", at: 1)
    #expect(Set(queue.entries(at: 0..<3).map(\.id)).count == 3)
    #expect(queue.entries(at: 0..<3).filter { $0.id == queue.current }.count == 1)
    #expect(queue.currentPosition == 1)
  }

  @Test("no edit changes the current entry unless it removes it")
  func undisturbed() {
    var queue = queue("a b c d", at: 1)
    let changes = [
      queue.append(sources("e")), queue.insert(sources("f"), at: 0), queue.insertNext(sources("g")),
      queue.move(2..<3, to: 5), queue.remove([queue.id("a")]), queue.setRepeat(.chosen(.all)),
      queue.setShuffle(.chosen(.songs)), queue.setShuffle(.default),
    ]
    #expect(changes.allSatisfy { $0.current == nil })
    #expect(queue.name(queue.current) == "b")
  }

  @Test(
    "the rows are shuffled once: the current one is first and plays on, undo brings back every row",
    arguments: [nil, 0, 3, 7])
  func shuffledNow(current: Int?) {
    var queue = queue("a b c d e f g h", at: current)
    let (before, name) = (queue.names, queue.name(queue.current))
    let change = queue.shuffleNow()
    #expect(
      queue.names != before && queue.names.split(separator: " ").sorted() == before.split(separator: " "))
    #expect(queue.name(queue.current) == name && change.current == nil)
    if current != nil { #expect(queue.currentPosition == 0 && queue.following == queue[1].id) }
    _ = queue.undo()
    #expect(queue.names == before && queue.name(queue.current) == name)
    _ = queue.redo()
    #expect(queue.names != before && queue.name(queue.current) == name)
    var short = PlaybackLogicTests.queue("a b", at: 1)
    #expect(short.shuffleNow().isEmpty && short.names == "a b")
  }

  @Test(
    "under shuffle, Previous goes back to what played before, also after the rows were shuffled once, and after undo"
  )
  func historyAfterShuffling() {
    for edits in [0, 1, 2] {
      var queue = queue("a b c d e f g h", at: 0)
      _ = queue.setShuffle(.chosen(.songs))
      var played = [queue.name(queue.current)]
      for _ in 0..<3 {
        _ = queue.skipToNext()
        played.append(queue.name(queue.current))
      }
      if edits > 0 { _ = queue.shuffleNow() }
      if edits > 1 { _ = queue.undo() }
      for name in played.dropLast().reversed() {
        _ = queue.goBack()
        #expect(queue.name(queue.current) == name, "after \(edits) edits")
      }
    }
  }

  @Test(
    "entries arranged among themselves keep their rows together, and what plays plays on",
    arguments: ShuffleMode.allCases)
  func arranged(shuffle: ShuffleMode) {
    var chance = SeededGenerator(seed: 15)
    for round in 0..<300 {
      let length = Int.random(in: 0..<24, using: &chance)
      let names = (0..<length).map { "\(Character(Unicode.Scalar(UInt8(97 + $0))))\($0 / 3)" }.joined(
        separator: " ")
      let current = length == 0 || round % 4 == 0 ? nil : Int.random(in: 0..<length, using: &chance)
      var queue = queue(names, at: current, shuffle: shuffle, seed: UInt64(round))
      if round % 3 == 0 { _ = queue.insertNext(sources("y1 z2")) }
      let before = queue
      let all = queue.entries(at: 0..<queue.count).map(\.id)
      let some = round % 2 == 0 ? all.count : Int.random(in: 0...all.count, using: &chance)
      let order = Array(all.shuffled(using: &chance).prefix(some))
      var expected = all
      for (row, id) in zip(all.indices.filter({ order.contains(all[$0]) }), order) { expected[row] = id }

      let change = queue.arrange(order + order.prefix(2) + [EntryID(rawValue: 999)], order: "title")
      #expect(queue.entries(at: 0..<queue.count).map(\.id) == expected)
      #expect(queue.current == before.current && change.current == nil)
      #expect(change.isEmpty == (expected == all))
      // Without shuffle the list is what plays; a shuffled order has nothing to do with the rows.
      if shuffle != .off { #expect(queue.coming == before.coming) }
      guard let command = change.command else { continue }
      var again = before
      #expect(QueueCommand(encoded: command.encoded) == command && again.replay(command))
      #expect(again.state == queue.state)
      let undone = queue.undo()
      #expect(undone.map { EditCounts($0.inverseEdits) } == EditCounts(moved: some, order: "title"))
      #expect(queue.entries(at: 0..<queue.count).map(\.id) == all && queue.current == before.current)
      #expect(queue.coming == before.coming)
      let redone = queue.redo()
      #expect(redone.map { EditCounts($0.edits) } == EditCounts(moved: some, order: "title"))
      #expect(queue.entries(at: 0..<queue.count).map(\.id) == expected && queue.current == before.current)
    }
  }

  @Test("arranging the rows leaves the way back of a shuffled queue as it was")
  func arrangedHistory() {
    var queue = queue("a b c d", at: 0, shuffle: .songs)
    _ = queue.jump(to: queue.id("d"))
    let coming = queue.coming
    _ = queue.arrange(["d", "c", "b", "a"].map { queue.id($0) })
    #expect(queue.names == "d c b a" && queue.name(queue.current) == "d" && queue.coming == coming)
    _ = queue.goBack()
    #expect(queue.name(queue.current) == "a")
  }

  @Test("what was asked for next loses that when it is arranged, and has it again when that is undone")
  func arrangedNext() {
    var queue = queue("a b c", at: 0)
    _ = queue.insertNext(sources("x y"))
    _ = queue.arrange(["a", "b", "c", "y", "x"].map { queue.id($0) })
    _ = queue.insertNext(sources("z"))
    #expect(queue.names == "a z b c y x")
    _ = queue.undo()
    _ = queue.undo()
    _ = queue.insertNext(sources("z"))
    #expect(queue.names == "a x y z b c")
  }

  @Test("consume is stored with the queue, and removes what was played only where it is on")
  func consumed() throws {
    var queue = queue("a b c", at: 0)
    #expect(queue.consume(queue.id("a")).isEmpty)
    _ = queue.setConsume(true)
    _ = queue.advance()
    #expect(
      queue.consume(queue.id("a")).edits.count == 1 && queue.names == "b c" && queue.currentPosition == 0)
    #expect(queue.consume(EntryID(rawValue: 99)).command == nil)
    let restored = PlayQueue(restoring: try #require(QueueState(encoded: queue.state.encoded)))
    #expect(restored.consumes && restored.names == "b c" && restored.canUndo)
  }

  @Test("of played rows the last come back one by one, then the rest, then what was done before")
  func consumedEvening() throws {
    var queue = queue((0..<150).map { "t\($0)" }.joined(separator: " "), at: 0)
    _ = queue.setConsume(true)
    _ = queue.append(sources("guest"))
    let whole = queue.names
    for _ in 0..<140 {
      let played = try #require(queue.current)
      _ = queue.advance()
      _ = queue.consume(played)
    }
    let (left, playing) = (queue.names, queue.current)
    #expect(queue.count == 11 && queue.log.undo.count == UndoLog.consumedSteps + 2)
    queue = PlayQueue(restoring: try #require(QueueState(encoded: queue.state.encoded)))
    for count in 12...20 { #expect(queue.undo() != nil && queue.count == count) }
    #expect(queue.undo()?.edits.count == 131 && queue.names == whole)
    _ = queue.undo()
    #expect(queue.count == 150 && queue.current == playing)
    while queue.redo() != nil {}
    #expect(queue.names == left && queue.current == playing)
  }

  @Test("entries that somebody removes one after another come back one at a time")
  func removedByHand() {
    var queue = queue((0..<50).map { "t\($0)" }.joined(separator: " "))
    for _ in 0..<40 { _ = queue.remove(at: RangeSet(0..<1)) }
    for count in 11...50 { #expect(queue.undo() != nil && queue.count == count) }
  }

  @Test("an edit tells whether the entry that was opened ahead is no longer what follows")
  func following() {
    var queue = queue("a b c", at: 0)
    #expect(!queue.append(sources("d")).hasNewFollowing)
    let asked = queue.insertNext(sources("e"))
    #expect(asked.hasNewFollowing && asked.following == queue.id("e"))
    #expect(queue.remove([queue.id("e")]).following == queue.id("b"))
    #expect(!queue.remove([queue.id("c")]).hasNewFollowing)
    #expect(queue.setRepeat(.chosen(.one)).following == queue.id("a"))
  }

  struct Removal: Sendable, CustomTestStringConvertible {
    var names: String, current: Int, gone: Range<Int>, mode: RepeatMode, heir: String?
    var testDescription: String { "\(gone) of \(names) at \(current), \(mode): \(heir ?? "nothing")" }
  }

  @Test(
    "when the current entry goes, the next that stays becomes current",
    arguments: [
      Removal(names: "a b c", current: 0, gone: 0..<1, mode: .none, heir: "b"),
      Removal(names: "a b c d", current: 1, gone: 1..<3, mode: .none, heir: "d"),
      Removal(names: "a b c d", current: 1, gone: 0..<2, mode: .none, heir: "c"),
      Removal(names: "a b c", current: 2, gone: 2..<3, mode: .none, heir: nil),
      Removal(names: "a b c", current: 2, gone: 2..<3, mode: .one, heir: nil),
      Removal(names: "a b c", current: 1, gone: 1..<2, mode: .one, heir: "c"),
      Removal(names: "a b c", current: 2, gone: 2..<3, mode: .all, heir: "a"),
      Removal(names: "a b c d", current: 2, gone: 2..<4, mode: .all, heir: "a"),
      Removal(names: "a", current: 0, gone: 0..<1, mode: .all, heir: nil),
    ])
  func removal(_ removal: Removal) {
    var queue = queue(removal.names, at: removal.current, repeat: removal.mode)
    let before = queue.current
    let change = queue.remove(at: RangeSet(removal.gone))
    #expect(queue.name(queue.current) == removal.heir)
    let cause: CurrentChange.Cause = removal.heir == nil ? .ended : .removed
    #expect(change.current == CurrentChange(from: before, to: queue.current, cause: cause))
  }

  @Test("in a shuffled order the heir is what would have followed", arguments: [RepeatMode.none, .one, .all])
  func shuffledRemoval(mode: RepeatMode) {
    var queue = queue("a b c d e", at: 2, repeat: mode, shuffle: .songs)
    while !queue.isEmpty {
      let next = queue.next
      _ = queue.remove([queue.current].compactMap { $0 })
      #expect(queue.current == (queue.isEmpty ? nil : next))
      if queue.current == nil { break }
    }
    #expect(queue.isEmpty)
  }

  @Test("what is asked for next comes right after the current entry, in the order asked")
  func askedNext() {
    var queue = queue("a b c", at: 1)
    _ = queue.insertNext(sources("x y"))
    _ = queue.insertNext(sources("z"))
    #expect(queue.names == "a b x y z c")
    _ = queue.skipToNext()
    _ = queue.insertNext(sources("w"))
    #expect(queue.names == "a b x y z w c")
    _ = queue.goBack()
    _ = queue.insertNext(sources("v"))
    #expect(queue.names == "a b x y z w v c")
    _ = queue.jump(to: queue.id("a"))
    _ = queue.insertNext(sources("u"))
    #expect(queue.names == "a u b x y z w v c")
  }

  @Test("what is asked for where nothing is current is what play begins with")
  func askedFirst() {
    for shuffle in ShuffleMode.allCases {
      var queue = queue("a b c", shuffle: shuffle)
      _ = queue.insertNext(sources("x"))
      _ = queue.insertNext(sources("y"))
      #expect(queue.names == "x y a b c")
      _ = queue.start()
      #expect(queue.playOut().prefix(2) == ["x", "y"])
    }
  }

  @Test("a move ends where it says, and takes the current entry along")
  func move() {
    var queue = queue("a b c d e", at: 1)
    #expect(queue.move(1..<2, to: 4).current == nil)
    #expect(queue.names == "a c d e b")
    #expect(queue.following == nil)
    #expect(queue.move(3..<5, to: 0).edits == [.moved(3..<5, to: 0)])
    #expect(queue.names == "e b a c d")
    #expect(queue.move(2..<3, to: 2).isEmpty)
  }

  @Test("clear and replace leave nothing current; start begins")
  func replace() {
    var queue = queue("a b c", at: 1)
    let change = queue.replace(with: sources("x y"))
    #expect(queue.names == "x y" && queue.current == nil)
    #expect(change.current?.cause == .ended)
    #expect(queue.start().current?.to == queue.id("x"))
    #expect(queue.start().isEmpty)
    #expect(queue.clear().current?.cause == .ended)
    #expect(queue.clear().isEmpty && queue.start().isEmpty && queue.jumpAnywhere().isEmpty)
  }

  @Test("an unknown identity changes nothing")
  func unknown() {
    var queue = queue("a b", at: 0)
    let stranger = EntryID(rawValue: 99)
    #expect(queue.remove([stranger]).isEmpty)
    #expect(queue.jump(to: stranger).isEmpty)
    let isMarked = queue.setMissing(true, of: stranger)
    #expect(!isMarked)
    #expect(queue.entry(stranger) == nil && queue.position(of: stranger) == nil)
  }

  @Test("an entry says what it was made of")
  func sourceOfEntry() {
    let long = String(repeating: "ä/", count: 4_000)
    let sources = [
      EntrySource("", span: CueSpan(start: 0)), EntrySource(long, span: CueSpan(start: 7, end: 8)),
      EntrySource("b", album: AlbumKey(rawValue: .max)),
    ]
    var queue = PlayQueue(seed: 1)
    _ = queue.append(sources)
    for source in sources { _ = queue.append([source]) }
    #expect(queue.entries(at: 0..<6).map(\.source) == sources + sources)
    #expect(
      CueSpan(start: 8, end: 8) == nil && CueSpan(start: .max) == nil && CueSpan(start: 0, end: .max) == nil)
    #expect(queue.setMissing(true, of: queue[2].id) && queue[2].isMissing && !queue[1].isMissing)
  }
}

@Suite("Entries whose files are renamed")
struct RelocationTests {
  private func queue(_ locations: String...) -> PlayQueue {
    var queue = PlayQueue(seed: 1)
    _ = queue.append(locations.map { EntrySource($0) })
    return queue
  }

  private func locations(_ queue: PlayQueue) -> [String] {
    queue.entries(at: 0..<queue.count).map(\.location)
  }

  @Test("each entry of a file gets its new location, also where two files exchange their names")
  func exchange() {
    var queue = queue("/a", "/b", "/a", "/c", "/ab")
    _ = queue.jump(to: queue[1].id)
    _ = queue.setMissing(true, of: queue[2].id)
    let ids = queue.entries(at: 0..<5).map(\.id)
    let change = queue.relocate([FileRenaming(from: "/a", to: "/b"), FileRenaming(from: "/b", to: "/a")])
    #expect(locations(queue) == ["/b", "/a", "/b", "/c", "/ab"])
    #expect(change.relocated == [ids[0], ids[1], ids[2]] && change.edits.isEmpty && change.current == nil)
    #expect(queue.entries(at: 0..<5).map(\.id) == ids && queue.current == ids[1] && !queue[2].isMissing)
  }

  @Test("a part of a file stays that part")
  func part() {
    var queue = PlayQueue(seed: 1)
    let part = CueSpan(start: 75, end: 150)
    _ = queue.append([EntrySource("/a", span: part, album: AlbumKey(rawValue: 7))])
    _ = queue.relocate([FileRenaming(from: "/a", to: "/long/name")])
    #expect(queue[0].source == EntrySource("/long/name", span: part, album: AlbumKey(rawValue: 7)))
  }

  @Test(
    "what an undo or a redo brings back has the new location as well, and the renaming is no edit to undo")
  func undone() {
    var queue = queue("/a", "/b")
    _ = queue.remove(at: RangeSet(0..<1))
    _ = queue.relocate([FileRenaming(from: "/a", to: "/x"), FileRenaming(from: "/b", to: "/y")])
    _ = queue.undo()
    #expect(locations(queue) == ["/x", "/y"])
    _ = queue.undo()
    #expect(queue.isEmpty)
    let change = queue.relocate([FileRenaming(from: "/y", to: "/z")])
    #expect(change.command == .relocate([FileRenaming(from: "/y", to: "/z")]))
    _ = queue.redo()
    #expect(locations(queue) == ["/x", "/z"])
  }

  @Test("files that are not in the queue change nothing, and only those that are go into the journal")
  func others() {
    var queue = queue("/a")
    let before = queue.state
    let nothing = queue.relocate([FileRenaming(from: "/b", to: "/c")])
    #expect(nothing.isEmpty && nothing.command == nil)
    #expect(queue.state == before)
    let renamings = [FileRenaming(from: "/b", to: "/c"), FileRenaming(from: "/a", to: "/d")]
    let change = queue.relocate(renamings)
    #expect(change.command == .relocate([renamings[1]]) && !change.isEmpty)
    #expect(change.command.map(\.encoded).flatMap(QueueCommand.init(encoded:)) == change.command)
  }
}

@Suite("A walk over a queue that is edited")
struct QueueSweepTests {
  @Test("it meets every entry once where nothing is edited")
  func whole() {
    var queue = PlayQueue(seed: 1)
    _ = queue.append((0..<10).map { EntrySource("/\($0)") })
    var sweep = QueueSweep()
    var met: [Entry] = []
    while case let entries = sweep.next(3, of: queue), !entries.isEmpty { met += entries }
    #expect(met == queue.entries(at: 0..<10))
  }

  @Test(
    "no entry that was there and stays is left out, whatever is edited", arguments: 0..<200 as Range<UInt64>)
  func edited(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var queue = PlayQueue(seed: 1)
    _ = queue.append((0..<30).map { EntrySource("/\($0)") })
    let before = Set(queue.entries(at: 0..<30).map(\.id))
    var sweep = QueueSweep()
    var met: Set<EntryID> = []
    for _ in 0..<200 {
      let entries = sweep.next(3, of: queue)
      if entries.isEmpty { break }
      met.formUnion(entries.map(\.id))
      for edit in Self.edit(&queue, &random).edits { sweep.follow(edit) }
    }
    while case let entries = sweep.next(3, of: queue), !entries.isEmpty { met.formUnion(entries.map(\.id)) }
    let left = Set(queue.entries(at: 0..<queue.count).map(\.id)).intersection(before)
    #expect(met.isSuperset(of: left), "seed \(seed)")
  }

  private static func edit(_ queue: inout PlayQueue, _ random: inout SeededGenerator) -> QueueChange {
    let row = Int.random(in: 0...queue.count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return queue.insert([EntrySource("/a"), EntrySource("/b")], at: row)
    case 1: return queue.remove(at: RangeSet(row..<min(queue.count, row + 2)))
    case 2, 3:
      let rows = row..<min(queue.count, row + 3)
      return queue.move(rows, to: Int.random(in: 0...queue.count - rows.count, using: &random))
    default: return QueueChange()
    }
  }
}
