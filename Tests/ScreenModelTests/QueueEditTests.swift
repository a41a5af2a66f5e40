// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import MediaModel
import PlaybackLogic
@testable import ScreenModel
import Testing

@Suite("A queue that is edited while it is looked at")
struct QueueEditTests {
  @Test("a row that waits to be played is not played after a pause, nor when the screen is left in silence")
  func pausedMeanwhile() {
    for key in ["p", "Q", "elsewhere"] {
      var stage = stage(rows: 20)
      stage.press("dd")
      stage.press("Enter")
      if key == "elsewhere" { stage.send(.news(.state(.paused, why: "user"))) } else { stage.press(key) }
      _ = stage.takeEffects()
      stage.send(
        .news(
          .queue(QueueNews(.removed([RowRun(row: 1, first: EntryID(rawValue: 1), count: 1)]), length: 19))))
      stage.send(
        .news(
          .queue(QueueNews(.removed([RowRun(row: 1, first: EntryID(rawValue: 2), count: 1)]), length: 18))))
      #expect(!stage.takeEffects().contains { if case .jump = $0 { true } else { false } }, "\(key)")
    }
  }

  @Test("an order that waits for a sort is for no other track that has the row by then, and that is said")
  func lostRows() {
    for keys in ["d", "Enter", "K", "vjst"] {
      var stage = stage(rows: 20)
      stage.press("jj")
      stage.press("st")
      let sort = stage.takeEffects().last { if case .sort = $0 { true } else { false } }
      for key in keys == "Enter" ? ["Enter"] : keys.map(String.init) { stage.press(key) }
      stage.send(.news(.queue(QueueNews(.replaced, length: 20))))
      stage.send(.said("20 rows sorted by title; u undoes"))
      if let sort { stage.send(.ended(sort, isGood: true)) }
      #expect(stage.takeEffects() == [], "\(keys)")
      #expect(stage.frame().text(21).contains("the queue has changed; choose the rows again"), "\(keys)")
      stage.press("d")
      #expect(stage.takeEffects().count == 1, "\(keys)")
    }
  }

  private func stage(rows: Int, current: Int = 1) -> ScreenStage {
    var stage = ScreenStage(rows: rows)
    stage.set(.playing, row: current)
    stage.open()
    stage.press("gg")
    _ = stage.takeEffects()
    return stage
  }

  /// The rows in view whose number and title are not those of the agent's queue.
  private func wrongRows(_ stage: inout ScreenStage) -> [String] {
    let frame = stage.frame()
    return (2..<21).map { frame.text($0) }.filter { line in
      let words = line.split(separator: " ").drop { Int($0) == nil }
      guard let number = words.first.flatMap({ Int($0) }) else { return true }
      return !stage.queue[number - 1].item.displayTitle.elementsEqual(
        words.dropFirst().prefix(2).joined(separator: " "))
    }
  }

  @Test("after an edit no row of the time before is shown for longer than until the answer")
  func olderRows() {
    var stage = stage(rows: 200)
    stage.press("Ctrl-F Ctrl-F Ctrl-F gg")
    stage.remove(row: 1)
    for _ in 0..<6 {
      #expect(wrongRows(&stage) == [])
      stage.press("Ctrl-F")
    }
    stage.press("gg")
    stage.queue.reverse()
    stage.send(.news(.queue(QueueNews(.replaced, length: stage.queue.count))))
    for _ in 0..<6 {
      #expect(wrongRows(&stage) == [])
      stage.press("Ctrl-F")
    }
  }

  @Test(
    "an answer to a question from before an edit is dropped, whether it comes before the next answer or after"
  )
  func lateAnswers() {
    var stage = stage(rows: 200)
    stage.holdsQueue = true
    stage.press("G")
    let late = stage.queueAnswers
    stage.queueAnswers = []
    stage.remove(row: 1, count: 100)
    #expect(late.count == 1 && stage.queueAnswers.count == 1)
    late.forEach { stage.send($0) }
    #expect(stage.screen.queue.count == 100)
    stage.answerQueue()
    #expect(wrongRows(&stage) == [])
    late.forEach { stage.send($0) }
    #expect(stage.screen.queue.count == 100 && wrongRows(&stage) == [])
  }

  @Test("nor does a late page count in the search for words")
  func latePages() {
    var stage = stage(rows: 1200)
    stage.press("/")
    stage.holdsQueue = true
    stage.type("5")
    let late = stage.queueAnswers
    stage.queueAnswers = []
    stage.remove(row: 1, count: 100)
    late.forEach { stage.send($0) }
    #expect(late.count == 1 && stage.screen.queue.narrowing?.matches == [])
    for _ in 0..<5 { stage.answerQueue() }
    let found = stage.queue.indices.filter { stage.queue[$0].item.displayTitle.contains("5") }
    #expect(stage.screen.queue.narrowing?.matches == found)
  }

  @Test("a slow answer does not tell the current row of the time when it was asked for")
  func lateCurrentRow() {
    var stage = stage(rows: 1200, current: 5)
    stage.holdsQueue = true
    stage.press("G")
    stage.send(.news(.row(6)))
    stage.answerQueue()
    #expect(stage.screen.queue.current == 5)
  }

  @Test("rows in view are no page of the whole queue, in which words are looked for")
  func pagesOfTheWhole() {
    var stage = stage(rows: 1200)
    stage.holdsQueue = true
    stage.send(.news(.queue(QueueNews(.replaced, length: 1200))))
    stage.press("/")
    stage.type("Track")
    for _ in 0..<5 { stage.answerQueue() }
    #expect(stage.screen.queue.narrowing?.matches.count == 1200)
  }
}

// MARK: What is chosen and marked

extension QueueEditTests {
  @Test("marks that are apart move together, and the next step waits until all have moved")
  func scatteredMarks() {
    var stage = stage(rows: 50)
    stage.press("j j m j j j m J J")
    #expect(stage.takeEffects() == [.move(row: 6, count: 1, to: 7), .move(row: 3, count: 1, to: 4)])
    stage.move(row: 6, to: 7)
    #expect(stage.takeEffects() == [])
    stage.move(row: 3, to: 4)
    #expect(stage.takeEffects() == [.move(row: 7, count: 1, to: 8), .move(row: 4, count: 1, to: 5)])
    #expect(stage.screen.queue.chosen?.title == "Track 6")
    stage.move(row: 7, to: 8)
    stage.move(row: 4, to: 5)
    stage.press("d")
    #expect(stage.takeEffects() == [.remove([5...5, 8...8])])
  }

  @Test("an order that is given before the agent tells of a move or a removal is for the row that is meant")
  func orderAfterEdit() {
    var stage = stage(rows: 50)
    stage.press("j J d Enter")
    #expect(stage.takeEffects() == [.move(row: 2, count: 1, to: 3)])
    stage.move(row: 2, to: 3)
    #expect(stage.takeEffects() == [.remove([3...3])])
    stage.remove(row: 3)
    // The row after the removed one is chosen now. Which entry that is, is asked for at the same time.
    #expect(stage.takeEffects() == [.jump(row: 3, entry: nil)])
    stage.press("d Enter d")
    #expect(stage.takeEffects() == [.remove([3...3])])
    stage.send(.ended(.remove([3...3]), isGood: false))
    #expect(stage.takeEffects() == [])
    stage.press("Enter")
    #expect(stage.takeEffects() == [.jump(row: 3, entry: stage.screen.queue.chosen?.entry)])
  }

  @Test("an order that waits is for what was chosen and marked when its key was pressed")
  func waitingOrder() {
    var stage = stage(rows: 50)
    stage.press("d d G m")
    #expect(stage.takeEffects() == [.remove([1...1])])
    stage.remove(row: 1)
    #expect(stage.takeEffects() == [.remove([1...1])])
    stage.remove(row: 1)
    #expect(stage.screen.queue.chosenRow == 48)
    // The marks that come after the key are not meant.
    stage.press("Esc gg m u d G m")
    stage.send(.ended(.edit(.undo), isGood: true))
    #expect(stage.takeEffects() == [.edit(.undo), .remove([1...1])])
  }

  @Test("an order for marked rows does nothing where an undo has left none of them")
  func waitingForMarks() {
    var stage = stage(rows: 50)
    stage.press("m j m u d s a")
    stage.send(.news(.queue(QueueNews(.replaced, length: 50))))
    stage.send(.ended(.edit(.undo), isGood: true))
    #expect(stage.takeEffects() == [.edit(.undo), .sort(by: "artist", rows: [])])
  }

  @Test("in a narrowed list no order that waits is for a row that is hidden")
  func waitingInNarrowed() {
    var stage = stage(rows: 50)
    stage.press("/")
    stage.type("Track 1")
    stage.press("Enter d d")
    #expect(stage.takeEffects() == [.remove([1...1])])
    stage.remove(row: 1)
    #expect(stage.takeEffects() == [.remove([9...9])], "Track 10 is the next that is shown")
  }

  @Test("Esc while words are typed goes back to where one was; later it stays at what was found")
  func backFromWords() {
    var stage = stage(rows: 50)
    for words in ["Track 4", "nothing of the kind"] {
      for end in ["Esc", "Ctrl-C", "Ctrl-U Esc", "Ctrl-U Backspace"] {
        stage.press("gg j j /")
        stage.type(words)
        stage.press(end)
        #expect(stage.screen.queue.chosenRow == 3, "\(words), \(end)")
      }
    }
    stage.press("/")
    stage.type("nothing of the kind")
    stage.press("Enter Esc")
    #expect(stage.screen.queue.chosenRow == 3)
    stage.press("/")
    stage.type("Track 40")
    stage.press("Enter Esc")
    #expect(stage.screen.queue.chosenRow == 40)
  }

  @Test(
    "what is typed finds what the library's search would find",
    arguments: [
      ("Don’t Stop", "don't"), ("Straße", "strasse"), ("Ætna – Live", "ae - "), ("Ioniță", "ionita"),
      ("Tiếng Việt", "tieng viet"), ("Ещё", "еще"), ("мои\u{306}", "мой"),
    ])
  func words(text: String, typed: String) {
    let folded = SearchText.folded(text)
    #expect(SearchText.words(typed).allSatisfy { SearchText.contains(folded, $0) })
  }

  @Test(
    "the chosen and the current row, and the marks, go where others move their entries",
    arguments: [(1, 1, 10), (1, 5, 10), (20, 3, 1), (4, 4, 3), (5, 1, 50), (6, 2, 7)])
  func foreignMove(row: Int, count: Int, target: Int) {
    var stage = stage(rows: 50, current: 7)
    stage.press("j j m j m j j m k")
    let title = { (row: Int, stage: ScreenStage) in stage.queue[row].item.displayTitle }
    #expect(stage.screen.queue.chosen?.title == "Track 5")
    stage.move(row: row, count: count, to: target)
    #expect(stage.screen.queue.chosen?.title == "Track 5")
    stage.press("d")
    guard case .remove(let rows, _) = stage.takeEffects().last else {
      Issue.record("nothing is marked")
      return
    }
    #expect(Set(rows.joined().map { title($0 - 1, stage) }) == ["Track 3", "Track 4", "Track 6"])
    #expect(stage.screen.queue.current.map { title($0, stage) } == "Track 7")
  }

  @Test("a rating is for all marked tracks")
  func ratedMarks() {
    var stage = stage(rows: 50)
    stage.press("v j j R 5")
    let rated = stage.takeEffects()
    #expect(rated == [.rate((1...3).map { .item(MediaItem.ID(rawValue: $0)) }, 5)], "\(rated)")
  }

  @Test("while a range is marked, an edit before it moves its beginning")
  func range() {
    var stage = stage(rows: 50)
    stage.press("j j j j v j j")
    stage.remove(row: 1, count: 2)
    stage.press("d")
    #expect(stage.takeEffects() == [.remove([3...5])])
  }

  @Test(
    "an action is for the track for which it was begun, although another one plays by now",
    arguments: [
      ("o", "R5"), ("R", "5"), ("o j j j j j j j j", "Enter"), ("5 o", "R5"), ("5 R", "5"),
      ("5 o j j j j", "Enter"),
    ])
  func heldAction(begun: String, end: String) {
    var stage = stage(rows: 50)
    stage.press(begun)
    stage.set(.playing, row: 2)
    stage.send(.news(.row(2)))
    _ = stage.takeEffects()
    stage.press(end)
    #expect(stage.takeEffects() == [.rate([.item(MediaItem.ID(rawValue: 1))], 5)])
    #expect(stage.screen.menu == nil)
    stage.press("1 2 5 R 4")
    #expect(stage.takeEffects().last == .rate([.item(MediaItem.ID(rawValue: 2))], 4))
  }

  @Test("the chosen row follows what plays, but not from under a menu, a begun key or a range")
  func following() {
    var stage = stage(rows: 50)
    stage.send(.news(.row(2)))
    #expect(stage.screen.queue.chosenRow == 2)
    for keys in ["o", "R", "v"] {
      var held = stage
      held.press(keys)
      held.send(.news(.row(3)))
      #expect(held.screen.queue.chosenRow == 2, "\(keys)")
    }
  }

  @Test("the title changes with the row, though an output that buffers much is heard a second later")
  func titleOfRow() {
    var stage = stage(rows: 50)
    stage.status.queueRow = 2
    stage.status.current = stage.queue[1]
    stage.send(.news(.row(2)))
    #expect(stage.frame().text(22).contains("Track 2"))
  }

  @Test("the chosen row does not follow a current row that has another number only")
  func renumbered() {
    var stage = stage(rows: 50, current: 5)
    stage.press("j j j j j")
    stage.holdsQueue = true
    stage.remove(row: 1)
    #expect(stage.screen.queue.chosenRow == 5 && stage.screen.queue.current == 3)
    stage.send(.news(.row(4)))
    #expect(stage.screen.queue.chosenRow == 5)
  }

  @Test("the menu closes when its row is removed, so that it does nothing to the next one")
  func removedFromUnderMenu() {
    var stage = stage(rows: 50)
    stage.press("j o")
    stage.remove(row: 2)
    #expect(stage.screen.menu == nil)
    stage.press("o")
    stage.remove(row: 1)
    #expect(stage.screen.menu != nil && stage.screen.queue.chosen?.title == "Track 3")
  }
}

// MARK: A queue that is narrowed by words

extension QueueEditTests {
  /// A queue in which every tenth track has the word.
  private func narrowed(rows: Int) -> ScreenStage {
    var stage = ScreenStage(rows: rows)
    for row in stride(from: 9, to: rows, by: 10) {
      stage.queue[row] = ScreenStage.track(row, "Song \(row + 1)", "Björk")
    }
    stage.set(.playing, row: 1)
    stage.open()
    stage.press("gg /")
    stage.type("bjork")
    stage.press("Enter")
    _ = stage.takeEffects()
    return stage
  }

  @Test("in a narrowed list, whose rows are read anew, orders go on after a sort")
  func sortedWhileNarrowed() {
    var stage = narrowed(rows: 100)
    stage.edit(.replaced) { $0.swapAt(9, 10) }
    stage.answerQueue()
    _ = stage.takeEffects()
    stage.press("gg d")
    #expect(stage.takeEffects() == [.remove([11...11])])
  }

  @Test("a range begins at its row, whatever words narrow the list afterwards")
  func rangeOfWords() {
    var stage = narrowed(rows: 100)
    stage.press("j j v / Esc")
    #expect(stage.screen.queue.chosenRow == 30)
    stage.press("j d")
    #expect(stage.takeEffects() == [.remove([30...31])])
    stage.remove(row: 30, count: 2)
    stage.press("/")
    stage.type("bjork")
    stage.press("Enter gg v j j d")
    #expect(stage.takeEffects() == [.remove([10...10, 20...20, 38...38])])
  }

  @Test("after an edit the same rows are found, and the chosen one stays")
  func editedWords() {
    var stage = narrowed(rows: 2000)
    for _ in 0..<149 { stage.press("j") }
    #expect(stage.screen.queue.chosenRow == 1500)
    stage.press("d")
    stage.holdsQueue = true
    stage.remove(row: 1500)
    #expect(stage.screen.queue.chosen?.title == "Song 1510" && stage.screen.queue.chosenRow == 1509)
    stage.press("k d")
    #expect(stage.takeEffects() == [.remove([1500...1500]), .remove([1490...1490])])
    let new = [ScreenStage.track(3000), ScreenStage.track(3001, "New", "Björk")]
    let added = QueueNews.Edit.added([RowRun(row: 1001, first: EntryID(rawValue: 3001), count: 2)])
    stage.edit(added) { $0.insert(contentsOf: new, at: 1000) }
    #expect(stage.screen.queue.chosenRow == 1492)
    for _ in 0..<10 { stage.answerQueue() }
    #expect(stage.screen.queue.chosenRow == 1492)
    let found = stage.queue.indices.filter { stage.queue[$0].item.tags.artist == ["Björk"] }
    #expect(stage.screen.queue.narrowing?.matches == found && found.count == 200)
    stage.move(row: 1, count: 1000, to: 900)
    #expect(
      stage.screen.queue.narrowing?.matches
        == stage.queue.indices.filter { stage.queue[$0].item.tags.artist == ["Björk"] })
  }

  @Test("other words after Esc need not read the queue again, whatever was edited and read in between")
  func otherWords() {
    var stage = narrowed(rows: 2000)
    stage.press("Esc")
    stage.remove(row: 10)
    stage.queue[0] = ScreenStage.track(0, "Song 1", "Björk")
    stage.send(.news(.itemsChanged([stage.queue[0]])))
    let before = stage.asked
    stage.press("/")
    stage.type("bjork")
    let found = stage.queue.indices.filter { stage.queue[$0].item.tags.artist == ["Björk"] }
    #expect(stage.screen.queue.narrowing?.matches == found && found.count == 200)
    #expect(stage.screen.queue.narrowing?.isWhole == true && stage.asked - before < 500)
    // Of a queue about which nothing is known nothing is kept.
    stage.press("Esc")
    stage.edit(.replaced) { $0 = Array($0.dropFirst(1_500)) }
    stage.press("/")
    stage.type("bjork")
    #expect(
      stage.screen.queue.narrowing?.matches
        == stage.queue.indices.filter { stage.queue[$0].item.tags.artist == ["Björk"] })
  }

  @Test("when the agent comes back the rows that are found stay until the queue has been read again")
  func wordsOfAnotherAgent() {
    var stage = narrowed(rows: 2000)
    stage.press("G")
    stage.holdsQueue = true
    stage.queue.removeLast(1000)
    stage.send(.agentFound)
    #expect(stage.screen.queue.narrowing?.matches.count == 200)
    for _ in 0..<10 { stage.answerQueue() }
    #expect(stage.screen.queue.narrowing?.matches == Array(stride(from: 9, to: 1000, by: 10)))
    #expect(stage.screen.queue.chosenRow == 1000)
  }

  @Test("tags that are read after the words were typed count")
  func tagsOfWords() {
    var stage = narrowed(rows: 100)
    var face = ScreenStage.track(4, "Song 5", "Björk")
    face.isUnread = false
    stage.queue[4] = face
    stage.send(.news(.itemsChanged([face])))
    #expect(stage.screen.queue.narrowing?.matches.first == 4 && stage.screen.queue.chosenRow == 10)
  }

  @Test("a row number is that of the queue")
  func rowNumber() {
    var stage = narrowed(rows: 100)
    stage.press(": 4 0 Enter")
    #expect(stage.screen.queue.chosenRow == 40)
    stage.press(": 4 2 Enter")
    #expect(
      stage.screen.queue.chosenRow == 40 && stage.screen.message?.text.contains("Esc shows all") == true)
    stage.press("Esc : 4 2 Enter")
    #expect(stage.screen.queue.chosenRow == 42)
  }

  /// The rows of a long queue, of which only so many have been read.
  private func rows(_ count: Int, read: Int) -> [ItemFace] {
    (0..<count).map { row in
      if row < read {
        return ScreenStage.track(row, "Song \(row + 1)", row % 10 == 9 ? "Björk" : "Radiohead")
      }
      var face = ScreenStage.track(row, "\(row + 1).flac", "", "")
      face.isUnread = true
      return face
    }
  }

  @Test("rows of a long queue are asked for again until their tags have come, but not for ever")
  func lateRows() {
    var stage = ScreenStage(rows: 0)
    stage.queue = rows(2_000, read: 0)
    stage.holdsQueue = true
    stage.set(.playing, row: 1)
    stage.open()
    for step in 1...9 {
      stage.queue = rows(2_000, read: step * 3)
      stage.answerQueue()
    }
    #expect(stage.screen.queue.chosen?.title == "Song 1" && stage.queueAnswers.isEmpty)
    stage.press("G")
    var answers = 0
    while !stage.queueAnswers.isEmpty, answers < 100 {
      stage.answerQueue()
      answers += 1
    }
    #expect(stage.screen.queue.chosen?.title == "2000.flac" && answers < 20)
    // Another queue is worth other tries.
    stage.edit(.replaced) { $0 = rows(2_000, read: 0) }
    for step in 0..<5 {
      stage.queue = rows(2_000, read: step * 2_000)
      stage.answerQueue()
    }
    #expect(stage.screen.queue.chosen?.title == "Song 2000" && stage.queueAnswers.isEmpty)
  }

  @Test("words find rows whose tags are read late, and the others by the files' names")
  func lateWords() {
    var stage = ScreenStage(rows: 0)
    stage.queue = rows(1_200, read: 0)
    stage.set(.playing, row: 1)
    stage.open()
    stage.holdsQueue = true
    stage.press("/")
    stage.type("bjork")
    for step in 1...20 {
      stage.queue = rows(1_200, read: step * 45)
      stage.answerQueue()
    }
    #expect(stage.screen.queue.narrowing?.matches.prefix(80) == Array(stride(from: 9, to: 800, by: 10))[...])
    var answers = 0
    while !stage.queueAnswers.isEmpty, answers < 100 {
      stage.answerQueue()
      answers += 1
    }
    #expect(answers < 20 && stage.screen.queue.narrowing?.isWhole == true)
    // What had been read is not read again after an edit, and what was not is.
    stage.press("Esc /")
    stage.type("bjork")
    for step in 1...3 {
      stage.queue = rows(1_200, read: step * 200)
      stage.answerQueue()
    }
    let before = stage.asked
    stage.queue = rows(1_200, read: 1_200)
    stage.remove(row: 1)
    stage.move(row: 900, to: 10)
    while !stage.queueAnswers.isEmpty { stage.answerQueue() }
    let found = stage.queue.indices.filter { stage.queue[$0].item.tags.artist == ["Björk"] }
    #expect(stage.screen.queue.narrowing?.matches == found && found.count == 120)
    #expect(stage.asked - before < 2_100)
    // A file that macOS named in parts.
    let title = "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}"
    stage.queue[40] = ScreenStage.track(2_000, title, "か\u{3099}")
    stage.edit(.replaced) { _ in }
    for words in ["한글", "が"] {
      stage.press("Esc /")
      stage.type(words)
      while !stage.queueAnswers.isEmpty { stage.answerQueue() }
      #expect(stage.screen.queue.narrowing?.matches == [40])
    }
    stage.press("Esc /")
    stage.type("119")
    for _ in 0..<40 { stage.answerQueue() }
    let named = stage.queue.indices.filter { stage.queue[$0].item.displayTitle.contains("119") }
    #expect(stage.screen.queue.narrowing?.matches == named && named.count == 12)
  }

  @Test("after an edit, before the rows have come, what is done with the chosen row is done with it or none")
  func beforeRowsCome() {
    var stage = ScreenStage.playing(rows: 50)
    stage.press(": 5 Enter")
    stage.holdsQueue = true
    stage.remove(row: 1)
    #expect(stage.screen.queue.chosen?.title == "Track 5" && stage.screen.queue.chosenRow == 4)
    stage.edit(.added([RowRun(row: 4, first: EntryID(rawValue: 900), count: 1)])) {
      $0.insert(ScreenStage.track(899), at: 3)
    }
    #expect(stage.screen.queue.chosen?.title == "Track 5" && stage.screen.queue.chosenRow == 5)
    stage.press("k")
    #expect(stage.screen.queue.chosen == nil)
    stage.move(row: 1, count: 2, to: 5)
    stage.press("gg j j")
    #expect(stage.screen.queue.chosen?.title == "Track 5")
    stage.move(row: 1, count: 2, to: 49)
    stage.press("gg")
    #expect(stage.screen.queue.chosen?.title == "Track 5")
    stage.edit(.replaced) { $0.reverse() }
    #expect(stage.screen.queue.chosen == nil)
    // The rows that are still shown are at other places now.
    _ = stage.takeEffects()
    stage.press("d Enter")
    let isForRow = { (effect: ScreenEffect) in
      switch effect {
      case .remove, .jump: true
      default: false
      }
    }
    #expect(!stage.takeEffects().contains(where: isForRow))
    #expect(stage.screen.message?.text.hasPrefix("the queue has changed") == true)
    stage.answerQueue()
    stage.press("gg")
    #expect(stage.screen.queue.chosen == TrackRow(stage.queue[0]))
  }
}
