// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import FermataTestKit
import JobLogic
import MediaModel
import PlaybackLogic
@testable import ScreenModel
import Testing

@Suite("The screen of the queue")
struct QueueScreenTests {
  private func stage(rows: Int = 50) -> ScreenStage { .playing(rows: rows) }

  @Test(
    "keys that are about sound are orders",
    arguments: [
      ("p", ScreenEffect.order(.toggle)), (">", .order(.next)), ("<", .order(.previous)),
      ("f", .order(.seek(.seconds(30)))),
      ("h", .order(.seek(.seconds(-5)))), ("+", .changeVolume(0.05)), ("M", .toggleMute),
      ("r", .setRepeat(.all)), ("x", .setShuffle(.songs)),
      ("u", .edit(.undo)), ("q", .leave(stops: false)), ("Ctrl-C", .leave(stops: false)),
      ("Q", .leave(stops: true)), ("Ctrl-Z", .suspend),
    ])
  func orders(key: String, effect: ScreenEffect) {
    var stage = stage()
    _ = stage.takeEffects()
    stage.press(key)
    #expect(stage.takeEffects() == [effect])
  }

  @Test("marked rows are removed together, and marks move with the rows when others edit the queue")
  func marks() {
    var stage = stage()
    stage.press("gg m j j m")
    stage.queue.insert(ScreenStage.track(900), at: 0)
    stage.send(
      .news(.queue(QueueNews(.added([RowRun(row: 1, first: EntryID(rawValue: 900), count: 1)]), length: 51))))
    _ = stage.takeEffects()
    stage.press("d")
    #expect(stage.takeEffects() == [.remove([2...2, 4...4])])
    stage.remove(row: 2)
    stage.press("gg v j j")
    #expect(stage.screen.queue.summary.left.hasPrefix("3 marked"))
    stage.press("d")
    #expect(stage.takeEffects() == [.remove([1...3])])
    stage.press("* Esc")
    #expect(stage.screen.queue.summary.left == "")
  }

  @Test("a row stays chosen when rows before it come and go")
  func chosen() {
    var stage = stage()
    stage.press(": 1 0 Enter")
    let track = stage.screen.queue.chosen
    #expect(track?.title == "Track 10")
    stage.queue.removeSubrange(0..<4)
    stage.send(
      .news(.queue(QueueNews(.removed([RowRun(row: 1, first: EntryID(rawValue: 1), count: 4)]), length: 46))))
    #expect(stage.screen.queue.chosen == track && stage.screen.queue.chosenRow == 6)
  }

  @Test(
    "what is ordered of a row waits until the agent has answered a sort, an undo, or tracks that are added")
  func afterAnswer() {
    var stage = stage()
    stage.press("s y d")
    #expect(stage.takeEffects() == [.sort(by: "date", rows: [])])
    stage.send(.said("rated ★★★"))
    stage.send(.failed("nobody has that file"))
    #expect(stage.takeEffects().isEmpty, "that is not about the sort")
    stage.send(.ended(.sort(by: "date", rows: []), isGood: true))
    #expect(stage.takeEffects() == [.remove([3...3])])
    stage.send(
      .news(.queue(QueueNews(.removed([RowRun(row: 3, first: EntryID(rawValue: 3), count: 1)]), length: 49))))
    stage.press("u Enter")
    #expect(!stage.takeEffects().contains { if case .jump = $0 { true } else { false } })
    stage.send(.ended(.edit(.undo), isGood: false))
    stage.press("Enter")
    #expect(stage.takeEffects() == [.jump(row: 3, entry: stage.screen.queue.chosen?.entry)])
  }

  @Test("an order that fails does not make the screen forget another one that is still under way")
  func twoAnswers() {
    var stage = stage()
    stage.press("u u")
    _ = stage.takeEffects()
    stage.send(.ended(.edit(.undo), isGood: false))
    stage.press("gg d")
    #expect(stage.takeEffects().isEmpty, "rows may still change")
    stage.send(.ended(.edit(.undo), isGood: true))
    #expect(stage.takeEffects() == [.remove([1...1])])
  }

  @Test("the text about one part of a file takes no order for another part that has begun")
  func partsOfOneFile() {
    var stage = stage()
    for row in 0..<50 {
      stage.queue[row].item.location = .file("/music/album.flac")
      stage.queue[row].item.part = FilePart(start: DiscTime(frames: row * 75), end: nil)
    }
    stage.open()
    stage.set(.playing, row: 3)
    func isRate(_ effect: ScreenEffect) -> Bool { if case .rate = effect { true } else { false } }
    stage.press("5 i R 5")
    #expect(stage.takeEffects().contains(where: isRate))
    stage.set(.playing, row: 4)
    stage.press("R 5")
    #expect(!stage.takeEffects().contains(where: isRate))
  }

  @Test(
    "what is newly known of the track that plays is asked for, so that the rating and a late title are shown")
  func lateTags() {
    var stage = stage()
    stage.set(.playing, row: 3)
    stage.queue[2].item.tags.title = "The true title"
    stage.status.current = stage.queue[2]
    stage.send(.news(.itemsChanged([stage.queue[2]])))
    #expect(
      stage.frame().text(22).contains("The true title") || stage.frame().text(23).contains("The true title"))
  }

  @Test("where the terminal reports keys as such, an unknown key with Alt does nothing")
  func altKeys() {
    var stage = stage()
    let alt = HeldKey(KeyPress(.character("d"), .alt), code: 100)
    stage.press("gg m")
    stage.send(.input(.heldKey(alt)))
    #expect(stage.takeEffects().isEmpty && stage.screen.queue.isMarking)
    // From other terminals it may be Escape and a key.
    stage.send(.input(.key(KeyPress(.character("d"), .alt))))
    #expect(stage.takeEffects() == [.remove([1...1])] && !stage.screen.queue.isMarking)
  }

  @Test(
    "an arrow with Alt moves by words in a line, and elsewhere does nothing: no terminal sends the same for two keys"
  )
  func altArrows() {
    var stage = stage()
    stage.press(":")
    stage.type("add abc def")
    for _ in 0..<2 { stage.send(.input(.key(KeyPress(.left, .alt)))) }
    stage.type("x")
    #expect(stage.screen.line.text == "add xabc def")
    stage.send(.input(.key(KeyPress(.right, .alt))))
    stage.send(.input(.key(KeyPress(.up, .alt))))
    stage.type("y")
    #expect(stage.screen.line.text == "add xabcy def")
    stage.press("Esc gg m")
    _ = stage.takeEffects()
    stage.send(.input(.key(KeyPress(.left, .alt))))
    #expect(stage.takeEffects().isEmpty && stage.screen.queue.isMarking)
  }

  @Test(
    "Ctrl-Z stops the screen and Ctrl-L paints it while a line is typed; Ctrl-C ends the words",
    arguments: [":", "/"])
  func controlKeys(prompt: String) {
    var stage = stage()
    stage.press(prompt)
    stage.type("ab")
    stage.press("Ctrl-Z Ctrl-L")
    #expect(stage.takeEffects().suffix(2) == [.suspend, .redraw])
    #expect(stage.screen.isTyping)
    stage.press("Ctrl-C")
    #expect(!stage.screen.isTyping && stage.takeEffects().isEmpty)
  }

  @Test("all but a range is marked by inverting it, while it is marked")
  func invertedRange() {
    var stage = stage()
    stage.press("gg v j j * d")
    #expect(stage.takeEffects().last == .remove([4...50]))
  }

  @Test("marks do not outlive a time without news, since they are row numbers; nor does a menu")
  func marksAfterGap() {
    var stage = stage()
    stage.press("m j m o")
    #expect(stage.screen.queue.isMarking && stage.screen.menu != nil)
    stage.send(.agentLost(.ended))
    stage.send(.agentFound)
    #expect(!stage.screen.queue.isMarking && stage.screen.menu == nil)
  }

  @Test("s and a letter sort the marked rows, or all; a capital turns the order round")
  func sorting() {
    var stage = stage()
    stage.press("s a")
    #expect(stage.takeEffects() == [.sort(by: "artist", rows: [])])
    stage.send(.ended(.sort(by: "artist", rows: []), isGood: true))
    stage.press("s Y")
    #expect(stage.takeEffects() == [.sort(by: "-date", rows: [])])
    stage.send(.ended(.sort(by: "-date", rows: []), isGood: true))
    stage.press("gg v j j s t")
    #expect(stage.takeEffects() == [.sort(by: "title", rows: [1...3])])
    #expect(stage.screen.queue.summary.left == "")
    stage.send(.ended(.sort(by: "title", rows: [1...3]), isGood: true))
    // Of what is no order nothing happens, and the letter is not taken for itself.
    stage.press("s q")
    #expect(stage.takeEffects().isEmpty)
    stage.send(.retraced(EditCounts(moved: 50, order: "-date"), isUndo: true))
    #expect(stage.frame().text(21).firstRange(of: "undone: 50 sorted by -date; Ctrl-R does it again") != nil)
  }

  @Test("a second move waits until the agent has told of the first")
  func shifting() {
    var stage = stage()
    stage.press("gg J J")
    #expect(stage.takeEffects() == [.move(row: 1, count: 1, to: 2)])
    stage.queue.swapAt(0, 1)
    stage.send(.news(.queue(QueueNews(.moved(row: 1, count: 1, to: 2), length: 50))))
    #expect(stage.takeEffects() == [.move(row: 2, count: 1, to: 3)])
    #expect(stage.screen.queue.chosen?.title == "Track 1")
  }

  @Test("of a long queue only what is seen is asked for")
  func window() {
    var stage = ScreenStage(rows: 50_000)
    stage.set(.playing, row: 1)
    stage.open()
    stage.press("G")
    #expect(stage.screen.queue.chosen?.title == "Track 50000")
    stage.press("gg Ctrl-D Ctrl-F j k")
    #expect(stage.asked < 400)
    #expect(
      stage.frame().text(2).hasPrefix("        1") || stage.frame().text(3).firstRange(of: "Track") != nil)
  }

  @Test(
    "a question for rows asks for no more than one answer holds, and for all that are seen",
    arguments: [1, 100, 166, 167, 255, 400, 500])
  func largeWindow(height: Int) throws {
    for first in [0, 1, 700, 2_000 - height] {
      var rows = RowWindow<Int>()
      rows.take([], first: 0, total: 2_000, number: rows.number)
      let visible = first..<first + height
      let question = rows.need(visible)
      let range = try #require(question)
      #expect(range.count <= AgentQueue.largestPage && visible.clamped(to: range) == visible)
      rows.take(Array(range), first: range.lowerBound, total: 2_000, number: rows.number)
      let another = rows.need(visible)
      #expect(another == nil)
    }
  }

  @Test(
    "where an answer holds few rows because they are long, the visible ones come in the end",
    arguments: [1, 7, 60])
  func cutAnswers(most: Int) {
    for first in [0, 700, 1_910] {
      var rows = RowWindow<Int>()
      rows.take([], first: 0, total: 2_000, number: rows.number)
      let visible = first..<first + 90
      var questions = 0
      while questions < 200, let range = rows.need(visible) {
        questions += 1
        rows.take(Array(range.prefix(most)), first: range.lowerBound, total: 2_000, number: rows.number)
      }
      #expect(questions < 200 && visible.allSatisfy { rows[$0] == $0 }, "from \(first): \(questions)")
    }
  }

  @Test("rows that the agent did not answer for are asked for again")
  func unanswered() throws {
    var stage = stage(rows: 1_200)
    stage.holdsQueue = true
    for keys in ["G", "/"] {
      stage.press(keys)
      if keys == "/" { stage.type("x") }
      guard case .queue(_, let ticket) = try #require(stage.queueAnswers.last) else { continue }
      stage.queueAnswers = []
      stage.send(.unanswered(.needQueue(ticket, count: 500)))
      #expect(stage.queueAnswers.count == 1, "\(keys)")
      stage.answerQueue()
    }
    #expect(stage.screen.queue.narrowing != nil)
  }

  @Test("n and N go round the rows with the words, also when all rows are shown again")
  func hits() {
    var stage = ScreenStage.playing(rows: 1_200)
    stage.press("n")
    #expect(stage.screen.message?.text.contains("no words") == true)
    stage.press("m")
    #expect(stage.screen.message == nil && stage.screen.queue.summary.left.hasPrefix("1 marked"))
    stage.press("m /")
    stage.type("track 117")
    stage.press("Enter")
    let row = { (stage: ScreenStage) in stage.screen.queue.chosenRow }
    #expect(row(stage) == 117)
    stage.press("G n")
    #expect(row(stage) == 117, "the first again")
    stage.press("N")
    #expect(row(stage) == 1179, "the last")
    stage.press("Esc gg n")
    #expect(row(stage) == 117 && stage.screen.queue.narrowing != nil)
    stage.press("Esc gg N")
    #expect(row(stage) == 1179)
    stage.press("Esc N")
    #expect(row(stage) == 1178)
    stage.press("Esc j j n")
    #expect(row(stage) == 117, "round at the end")
    // However late the rows come, and whatever a text was searched for.
    stage.press("? /")
    stage.type("move")
    stage.press("Enter Esc Esc")
    stage.edit(.replaced) { _ in }
    stage.press("gg")
    stage.holdsQueue = true
    stage.press("n n")
    _ = stage.takeEffects()
    stage.press("Enter")
    #expect(stage.takeEffects() == [], "no row is chosen yet")
    for _ in 0..<4 { stage.answerQueue() }
    #expect(row(stage) == 1117)
    stage.holdsQueue = false
    // Other words replace those that are there.
    stage.press("/")
    stage.type("track 118")
    stage.press("Enter")
    #expect(row(stage) == 118)
  }

  @Test("rows are added to a playlist whose name is typed: the marked ones, or the chosen one")
  func addedToList() {
    var stage = ScreenStage.playing(rows: 20)
    func added(_ keys: String, _ name: String) -> [ScreenEffect] {
      stage.press(keys)
      stage.type(name)
      _ = stage.takeEffects()
      stage.press("Enter")
      return stage.takeEffects().filter { if case .remember = $0 { false } else { true } }
    }
    func rows(_ rows: [Int]) -> [LibraryChoice] { rows.map { .track(TrackRow(stage.queue[$0]).rated) } }
    let second = rows([1])[0]
    #expect(added("gg j P", "Mix") == [.addToList(second, name: "Mix")])
    let three = LibraryChoice.several(rows([1, 2, 3]))
    #expect(added("gg j v j j P", "'Road trip'") == [.addToList(three, name: "Road trip")])
    #expect(!stage.screen.queue.isMarking, "the marks have served")
    // Whatever is typed there is the name. A line that was not begun for rows is a command as ever.
    stage.press("gg j")
    #expect(added("P", "Best Opera") == [.addToList(second, name: "Best Opera")])
    #expect(added("P", "Rock'n Roll") == [.addToList(second, name: "Rock'n Roll")])
    #expect(added(":", "playlist add Mix").isEmpty && stage.screen.message?.isFailure == true)
    stage.press("P Esc")
    #expect(added(":", "playlist add Mix").isEmpty, "the stage's program has no such command")
  }

  @Test("of marked rows that were not read, all are taken: by their numbers")
  func unreadMarks() {
    var stage = ScreenStage.playing(rows: 3_000)
    stage.press("gg v G P")
    stage.type("Mix")
    _ = stage.takeEffects()
    stage.press("Enter")
    #expect(stage.takeEffects().contains(.addToList(.rows([1...3_000]), name: "Mix")))
    stage.press("gg v G R 4")
    #expect(stage.takeEffects().contains(.rateRows([1...3_000], 4)))
  }

  @Test("rows that were read are removed and moved as the entries that they are")
  func entriesOfEdits() {
    var stage = ScreenStage.playing(rows: 20)
    let third = stage.queue[2].entry
    stage.press("gg j j")
    _ = stage.takeEffects()
    stage.press("J")
    #expect(stage.takeWholeEffects() == [.move(row: 3, count: 1, to: 4, entry: third)])
    stage.move(row: 3, to: 4)
    stage.press("d")
    #expect(stage.takeWholeEffects() == [.remove([4...4], entries: [third].compactMap(\.self))])
  }

  @Test("while a hit is looked for, no row is marked, and no range is removed whose end is not known")
  func rangeToHit() {
    var stage = ScreenStage.playing(rows: 1_200)
    stage.press("/")
    stage.type("track 117")
    stage.press("Enter Esc")
    stage.edit(.replaced) { _ in }
    stage.press("gg v")
    stage.holdsQueue = true
    stage.press("n m V d")
    for _ in 0..<6 { stage.answerQueue() }
    #expect(stage.screen.queue.chosenRow == 117)
    #expect(!stage.takeEffects().contains { if case .remove = $0 { true } else { false } })
    #expect(stage.screen.message?.text.contains("still looked for") == true)
  }

  @Test("words narrow the whole queue as they are typed, and Esc shows it again")
  func narrowing() {
    var stage = stage(rows: 1200)
    stage.queue[1100] = ScreenStage.track(1100, "Jóga", "Björk", "Homogenic")
    stage.press("/")
    stage.type("JOGA bjork")
    stage.press("Enter")
    #expect(stage.screen.queue.chosen?.title == "Jóga" && stage.screen.queue.chosenRow == 1101)
    _ = stage.takeEffects()
    stage.press("Enter")
    #expect(stage.takeEffects() == [.jump(row: 1101, entry: nil)])
    stage.press("Esc")
    #expect(stage.screen.queue.chosen?.title == "Jóga" && stage.screen.queue.narrowing == nil)
  }

  @Test("V marks of a narrowed list what is shown")
  func albumInNarrowedList() {
    var stage = ScreenStage.playing(rows: 20)
    stage.press("/")
    stage.type("track 1")
    stage.press("Enter V")
    // Track 1 and 10 to 19.
    #expect(stage.screen.queue.summary.left.hasPrefix("11 marked"))
    stage.press("d")
    #expect(stage.takeEffects() == [.remove([1...1, 10...19])])
  }

  @Test("V says so where the album may go on in rows that were not read")
  func longAlbum() {
    var stage = ScreenStage.playing(rows: 400)
    stage.press("g g V")
    #expect(stage.screen.message?.text.contains("the album may go on") == true)
    var short = ScreenStage.playing(rows: 20)
    short.press("V")
    #expect(short.screen.message == nil && short.screen.queue.summary.left.hasPrefix("20 marked"))
  }

  @Test("a narrowed list says whether the whole queue was searched for the words")
  func narrowingGoesOn() {
    var stage = ScreenStage.playing(rows: 1_200)
    stage.holdsQueue = true
    stage.press("/")
    stage.type("track")
    stage.answerQueue()
    #expect(stage.screen.queue.summary.left.hasSuffix("with 'track' so far; Esc shows all"))
    while !stage.queueAnswers.isEmpty { stage.answerQueue() }
    #expect(stage.screen.queue.summary.left == "1200 of 1200 with 'track'; Esc shows all")
  }

}
