// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import FermataTestKit
import JobLogic
import MediaModel
import PlaybackLogic
@testable import ScreenModel
import Testing

@Suite("The screen")
struct ScreenTests {
  private func stage(rows: Int = 50) -> ScreenStage {
    var stage = ScreenStage(rows: rows)
    stage.set(.playing, row: rows < 3 ? nil : 3)
    stage.open()
    return stage
  }

  // MARK: Time

  @Test("the next look is at the next second of the track, and there is none while nothing moves")
  func wakes() {
    var stage = ScreenStage(rows: 5)
    stage.set(.playing, row: 1, position: .milliseconds(117_300))
    #expect(stage.screen.wake(after: stage.time) == stage.time + .milliseconds(702))
    stage.time += .milliseconds(702)
    #expect(stage.frame().text(23).hasPrefix(" 1:58 "))
    stage.send(.input(.focus(false)))
    #expect(stage.screen.wake(after: stage.time) == stage.time + .seconds(10))
    stage.send(.input(.focus(true)))
    stage.set(.paused, why: "user", row: 1)
    #expect(stage.screen.wake(after: stage.time) == nil)
    stage.set(.interrupted, why: "call", row: 1)
    #expect(stage.screen.wake(after: stage.time) == nil)
  }

  @Test("a tick of the clock is one small write")
  func tick() {
    var stage = stage()
    let traits = TerminalTraits(colours: .sixteen, isSynchronized: true)
    for _ in 0..<200 {
      let before = stage.frame()
      stage.time += .seconds(1)
      stage.send(.tick)
      let bytes = Painter.bytes(from: before, to: stage.frame(), traits: traits)
      #expect(bytes.count <= 60, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
    }
  }

  @Test("in a window without the keyboard the clock goes as the user wants")
  func unfocused() {
    var stage = stage()
    stage.set(.playing, row: 1, position: .milliseconds(500))
    stage.send(.input(.focus(false)))
    for (word, wait) in [
      ("live", Duration.milliseconds(502)), ("slow", .seconds(10)), ("still", nil),
    ] {
      stage.press(":")
      stage.type("set unfocused \(word)")
      stage.press("Enter")
      #expect(stage.screen.wake(after: stage.time) == wait.map { stage.time + $0 })
    }
  }

  @Test("the window has no title of the screen's where that is not wanted")
  func noTitle() {
    var stage = stage()
    stage.set(.playing, row: 1)
    for (word, title) in [("off", nil), ("on", "▶ Track 1 · Radiohead")] {
      stage.press(":")
      stage.type("set title \(word)")
      stage.press("Enter")
      _ = stage.frame()
      #expect(stage.screen.title == title)
    }
  }

  @Test("a message goes after some seconds")
  func message() {
    var stage = stage()
    stage.send(.said("12 rows added"))
    #expect(stage.frame().text(21) == " 12 rows added")
    #expect(stage.screen.wake(after: stage.time).map { $0 <= stage.time + Screen.messageTime } == true)
    stage.time += Screen.messageTime
    stage.send(.tick)
    #expect(!stage.frame().text(21).hasPrefix(" 12"))
  }

  // MARK: Why

  @Test(
    "the last line says why nothing is heard, and what can be done",
    arguments: [
      (PlaybackState.paused, "user", "paused · p plays"), (.paused, "no-output", "p tries again"),
      (.paused, "tool:Zoom", "paused by Zoom"),
      (.interrupted, "call", "interrupted by a call · goes on by itself; p plays now"),
      (.interrupted, "server", "waiting for a sound server · plays as soon as one answers"),
      (.playing, "muted", "playing, but muted · M unmutes"),
      (.stopped, "finished", "finished · p begins it again"),
    ])
  func why(state: PlaybackState, why: String, words: String) {
    var stage = ScreenStage(100, 24, rows: 3)
    stage.set(state, why: why, row: 1)
    let text = stage.frame().text(23)
    #expect(text.firstRange(of: words) != nil, "\(text)")
  }

  @Test("another program's keys keep the user's own, and the screen tells those that work")
  func schemes() {
    var stage = ScreenStage(100, 24, rows: 3)
    stage.set(.paused, why: "user", row: 1)
    #expect(stage.screen.takeKeys("F5 = :stop\nM = none\nd = none").isEmpty)
    for (scheme, words) in [(KeyTable.Scheme.cmus, "paused · c plays"), (.ncmpcpp, "paused · P plays")] {
      stage.press(":")
      stage.type("keys \(scheme.rawValue)")
      stage.press("Enter")
      #expect(stage.frame().text(23).hasSuffix(words), "\(stage.frame().text(23))")
      _ = stage.takeEffects()
      stage.press("F5 d")
      #expect(stage.takeEffects() == [.command(["stop"], line: "stop")])
    }
    stage.set(.playing, why: "muted", row: 1)
    #expect(stage.frame().text(23).contains("muted · :volume unmute unmutes"))
    stage.send(.jobs([Job(id: JobID(rawValue: 1), title: "Scan", state: .running)]))
    stage.press("7 s")
    #expect(stage.takeEffects() == [.job(.suspend, JobID(rawValue: 1))])
    stage.time += .seconds(10)
    stage.send(.tick)
    #expect(stage.frame().text(21).contains("s suspends or resumes, Enter shows errors"))
  }

  @Test("the last line names the program that has a call")
  func caller() {
    var stage = ScreenStage(100, 24, rows: 3)
    stage.status.callers = ["Signal"]
    stage.set(.interrupted, why: "call", row: 1)
    let text = stage.frame().text(23)
    #expect(text.contains("interrupted by a call: Signal · goes on by itself"), "\(text)")
  }

  @Test("with an empty queue the last line says how to add music, as soon as the last row is gone")
  func emptied() {
    var stage = ScreenStage(80, 24, rows: 3)
    stage.set(.stopped, row: nil)
    stage.open()
    #expect(stage.frame().text(23) == "   stopped · p plays")
    stage.queue = []
    let edit = QueueNews.Edit.removed([RowRun(row: 1, first: EntryID(rawValue: 1), count: 3)])
    stage.send(.news(.queue(QueueNews(edit, length: 0))))
    #expect(stage.frame().text(23) == "   the queue is empty · 2 shows the library, :add PATH adds music")
  }

  @Test(
    "the modes are shown whether or not anything plays, and the output's name makes room for them",
    arguments: [PlaybackState.playing, .paused, .stopped])
  func modes(state: PlaybackState) {
    var stage = ScreenStage(80, 24, rows: 3)
    (stage.status.repeatMode, stage.status.consumes) = (.all, true)
    stage.set(state, why: state == .paused ? "user" : nil, row: 1)
    let text = { (stage: inout ScreenStage) in stage.frame().text(22) + "\n" + stage.frame().text(23) }
    #expect(text(&stage).contains("repeat all · consume") && text(&stage).contains("Headphones  vol 62 %"))
    stage.status.sleepLeft = .seconds(600)
    stage.send(.status(stage.status))
    #expect(text(&stage).contains("repeat all · consume · pauses in 10:00"))
    #expect(text(&stage).contains("vol 62 %") && text(&stage).contains("Headphones") == (state == .playing))
  }

  @Test("the sleep timer counts down, whatever plays, and shows as soon as it is set")
  func sleepTimer() throws {
    for (state, why) in [(PlaybackState.playing, String?.none), (.playing, "muted"), (.paused, "user")] {
      var stage = ScreenStage(100, 24, rows: 3)
      stage.set(state, why: why, row: 1)
      stage.status.sleepLeft = .milliseconds(600_500)
      let shown = { (stage: inout ScreenStage) in stage.frame().text(22) + stage.frame().text(23) }
      #expect(!shown(&stage).contains("pauses in"))
      stage.send(.commandEnded(line: "sleep 10m", output: "", isGood: true))
      #expect(shown(&stage).contains("pauses in 10:00"))
      stage.time += .milliseconds(900)
      stage.send(.news(.seeked(.seconds(200))))
      stage.time += .seconds(20)
      stage.send(.tick)
      #expect(shown(&stage).contains("pauses in 9:39"))
      let next = try #require(stage.screen.wake(after: stage.time))
      #expect(next - stage.time <= .milliseconds(1_002))
      stage.time += .seconds(600)
      #expect(shown(&stage).contains("pauses in 0:00"))
    }
  }

  @Test("that the queue is not stored is shown when the agent tells it")
  func notStored() {
    var stage = ScreenStage(100, 24, rows: 3)
    stage.set(.playing, row: 1)
    stage.send(.news(.stored(false)))
    #expect(stage.frame().text(23).hasSuffix("not stored"))
    stage.send(.news(.stored(true)))
    #expect(!stage.frame().text(23).contains("not stored"))
  }

  @Test("an output with a long name leaves room for the volume in a narrow window")
  func longOutput() {
    var stage = ScreenStage(60, 24, rows: 3)
    stage.set(.playing, row: 1)
    stage.status.route?.portDescription = "Built-in Audio Analog Stereo of the second card"
    stage.send(.status(stage.status))
    #expect(stage.frame().text(22).hasSuffix("…  vol 62 %"))
  }

  // MARK: The queue

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
    stage.press("s d d")
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
    stage.press("s D")
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

  @Test("in a terminal of any size each screen can be drawn, and clicked on", arguments: 1...7)
  func anySize(tab: Int) {
    var stage = stage(rows: 20)
    for columns in 0...64 {
      for rows in 0...13 {
        // Some screens are left by Esc.
        stage.press("Esc")
        stage.press("\(tab)")
        stage.send(.resized(ScreenSize(columns: columns, rows: rows)))
        #expect(stage.frame().size == ScreenSize(columns: columns, rows: rows))
        for row in 0..<rows {
          stage.send(.input(.mouse(MouseReport(action: .press, row: row, column: columns / 2))))
        }
        _ = stage.frame()
      }
    }
  }

  @Test("whatever is pressed, pasted, clicked or told, nothing traps and the frame can be painted")
  func anything() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<5 {
      var stage = stage(rows: Int.random(in: 0...300, using: &generator))
      var decoder = TerminalInputDecoder()
      var terminal = ReferenceTerminal(ScreenSize(columns: 80, rows: 24))
      var shown: Frame?
      for _ in 0..<300 {
        let keys = Array("jkgGdvmVJKu/:?123456bfhl\r\u{1B}\t\u{7F}xyz <>+-*0aAsRin".utf8)
        let bytes =
          Bool.random(using: &generator)
          ? [keys.randomElement(using: &generator) ?? 0] : [UInt8.random(in: 0...255, using: &generator)]
        for input in decoder.decode(bytes) { stage.send(.input(input)) }
        if Int.random(in: 0..<20, using: &generator) == 0 { Self.disturb(&stage, &generator) }
        // Time passes as it does in the terminal. The stage compares each frame with one that is drawn whole.
        if Bool.random(using: &generator), let wake = stage.screen.wake(after: stage.time) {
          stage.time = wake
          stage.send(.tick)
        }
        let frame = stage.frame()
        if frame.size == ScreenSize(columns: 80, rows: 24) {
          try terminal.take(Painter.bytes(from: shown, to: frame, traits: TerminalTraits(colours: .full)))
          #expect(terminal.difference(from: frame) == nil, "seed \(seed)")
          shown = frame
        }
      }
    }
  }

  private static func disturb(_ stage: inout ScreenStage, _ generator: inout SeededGenerator) {
    let row = Int.random(in: 1...400, using: &generator)
    let count = Int.random(in: 1...50, using: &generator)
    let length = Int.random(in: 0...400, using: &generator)
    let run = RowRun(row: row, first: EntryID(rawValue: UInt64(row)), count: count)
    let events: [ScreenEvent] = [
      .news(.queue(QueueNews(.added([run]), length: length))),
      .news(.queue(QueueNews(.removed([run]), length: length))),
      .news(.queue(QueueNews(.moved(row: row, count: count, to: length + 1), length: length))),
      .news(.queue(QueueNews(.replaced, length: length))),
      .news(.row(row)), .news(.row(nil)), .agentLost(.absent), .agentFound, .news(.ending), .tick,
      .resized(
        ScreenSize(
          columns: Int.random(in: 0...120, using: &generator), rows: Int.random(in: 0...40, using: &generator)
        )),
      .resized(ScreenSize(columns: 80, rows: 24)),
      .input(.mouse(MouseReport(action: .press, row: row % 30, column: count * 2))),
      .input(.mouse(MouseReport(action: .wheelDown, row: row % 30, column: 3))),
      .input(.paste("/music/a b.flac\n/music/c.flac")), .input(.paste("rm -rf\n")), .failed("no"), .lists([]),
      .jobs([]),
    ]
    if let event = events.randomElement(using: &generator) { stage.send(event) }
  }

  // MARK: The other screens

  @Test("below the tracks that are found stand albums and playlists with these words, which play whole")
  func albumsFound() {
    var stage = stage()
    stage.library = (0..<300).map {
      ScreenStage.track($0, "Song \($0)", $0 < 290 ? "Nobody" : "Paris Band", "Album")
    }
    stage.library += [ScreenStage.track(300, "Other", "Nobody", "Paris in Rain")]
    stage.press("3")
    stage.type("paris")
    #expect(stage.frame().text(14) == " Albums")
    #expect(stage.frame().text(15).hasPrefix("   Album · Paris Band"))
    #expect(stage.frame().text(17) == " Lists" && stage.frame().text(18) == "   paris and rain")
    stage.press("Enter G")
    _ = stage.takeEffects()
    #expect(stage.frame().cursor.row == 18)
    stage.press("Enter k a")
    let album = LibraryRequest("album == \"Paris in Rain\"")
    #expect(stage.takeEffects() == [.use(.list("paris and rain"), .play), .use(.request(album), .append)])
    // All that is typed is asked for tracks, but albums only once these are there.
    stage.press("/")
    stage.type(" x")
    #expect(stage.frame().text(14).hasPrefix("   Album") == false)
  }

  @Test("many tracks scroll above what stands below them")
  func albumsBelow() {
    var stage = stage()
    stage.library = (0..<300).map { ScreenStage.track($0, "Song \($0)", "Paris", "Album") }
    stage.press("3")
    stage.type("paris")
    stage.press("Enter")
    #expect(stage.frame().text(19) == " Lists" && stage.frame().text(20) == "   paris and rain")
    for _ in 0..<299 { stage.press("j") }
    #expect(stage.screen.search.chosen?.title == "Song 299")
    #expect(stage.frame().cursor.row < 17)
    stage.press("j")
    #expect(stage.frame().cursor.row == 18 && stage.screen.search.chosen == nil)
    for row in 17..<21 {
      stage.send(.input(.mouse(MouseReport(action: .press, row: row, column: 5))))
      let isHeading = row == 17 || row == 19
      #expect((stage.frame().cursor.row == row) != isHeading, "\(row)")
    }
  }

  @Test("a digit shows a screen, but on Search it is text until the field is left")
  func digits() {
    var stage = stage()
    stage.press("2")
    #expect(stage.screen.tab == .library)
    stage.press("3 1 9 9 7")
    #expect(stage.screen.tab == .search)
    stage.press("Enter 1")
    #expect(stage.screen.tab == .queue)
  }

  @Test("the first letter of another search replaces the text of the one before, unless a key keeps it")
  func anotherSearch() {
    var stage = stage()
    stage.press("3")
    stage.type("radiohead")
    stage.press("Enter 1 3")
    #expect(stage.frame()[1, 9].style.attributes.contains(.reverse))
    stage.type("lucky")
    #expect(stage.screen.search.field.text == "lucky")
    #expect(!stage.frame()[1, 9].style.attributes.contains(.reverse))
    stage.press("Enter 1 3 End")
    stage.type(" x")
    #expect(stage.screen.search.field.text == "lucky x")
    stage.press("Enter 1 3 Backspace")
    #expect(stage.screen.search.field.text == "")
  }

  @Test(
    "Esc empties a search, and on an empty line it goes back to the screen before", arguments: ["", " Enter"])
  func leavingSearch(then: String) {
    var stage = stage()
    stage.library = [ScreenStage.track(0)]
    stage.press("2 3 r a d\(then) Esc")
    #expect(stage.screen.tab == .search && stage.screen.search.field.text == "")
    stage.press("Esc")
    #expect(stage.screen.tab == .library)
  }

  @Test("a search that found nothing may be shortened again")
  func shortenedSearch() {
    var stage = stage()
    stage.library = [ScreenStage.track(0)]
    stage.press("3")
    stage.type("trackq")
    #expect(stage.screen.search.chosen == nil)
    stage.press("Backspace")
    #expect(stage.screen.search.chosen?.title == "Track 1")
  }

  @Test("each letter of a search asks at once, and a late answer to an earlier letter is dropped")
  func search() {
    var screen = Screen(ScreenSize(columns: 80, rows: 24), program: ScreenStage.program)
    var tickets: [LibraryTicket] = []
    for key in "3pa" {
      for effect in screen.handle(.input(.key(KeyPress(.character(key)))), at: .zero) {
        if case .needLibrary(let request, let ticket) = effect {
          #expect(request.search == (tickets.isEmpty ? "p" : "pa"))
          tickets.append(ticket)
        }
      }
    }
    #expect(tickets.count == 2)
    _ = screen.handle(.library(.items([ScreenStage.track(0, "Pa")], total: 1), ticket: tickets[1]), at: .zero)
    _ = screen.handle(
      .library(.items([ScreenStage.track(0), ScreenStage.track(1)], total: 2), ticket: tickets[0]), at: .zero)
    #expect(screen.search.chosen?.title == "Pa")
  }

  @Test(
    "a property with an operator and a value is a predicate",
    arguments: [
      "year > 1990", "artist == \"X\" and year < 2000", "year>1990", "year>=1990", "compilation",
      "not compilation", "not compilation and year < 2000", "(year < 1990 or rating > 3) and cloud",
      "not (not(compilation))", "compilation == false", "year in 1990..1999", "artist in [\"X\"]",
      "title contains \"lo", "album begins \"A\"", "added > -7d", "added in -7d..-1d",
    ])
  func expressions(text: String) { #expect(SearchScreen.isExpression(text)) }

  @Test(
    "other words are none, and neither is a predicate that lacks its value",
    arguments: [
      "love in", "love in v", "dancing in the dark", "paranoid android", "paradise contains",
      "what begins here",
      "album in rainbows", "title track", "year", "year >", "title contains ", "compilation of hits",
      "not compilations", "notes", "not", "lyrics contains \"x\"", "", "(", "1 > 2",
    ])
  func noExpressions(text: String) { #expect(!SearchScreen.isExpression(text)) }

  @Test("when the library changes, as it does with each rating, the same hit stays chosen")
  func changedLibrary() {
    var stage = stage()
    stage.library = (0..<300).map { ScreenStage.track($0) }
    stage.press("3")
    stage.type("o")
    stage.press("Enter j j j")
    stage.send(.news(.library(added: 0, changed: 1, removed: 0)))
    #expect(stage.screen.search.chosen?.title == "Track 4")
    stage.library.removeLast(299)
    stage.send(.news(.library(added: 0, changed: 0, removed: 299)))
    #expect(stage.screen.search.chosen?.title == "Track 1")
    stage.press("j")
    #expect(stage.screen.search.chosenTitle == "OK Computer")
    stage.library.append(ScreenStage.track(1))
    stage.send(.news(.library(added: 1, changed: 0, removed: 0)))
    #expect(stage.screen.search.chosenTitle == "OK Computer")
  }

  @Test("smart playlists are listed with the number of their tracks, and play like others")
  func smartLists() {
    var stage = stage()
    stage.press("4")
    #expect(
      stage.frame().text(2).hasPrefix("   Fresh ") && stage.frame().text(2).hasSuffix(" smart · 48 tracks"))
    stage.lists[0] = KeptList("Fresh", count: 1, isSmart: true)
    stage.send(.news(.library(added: 0, changed: 1, removed: 0)))
    #expect(stage.frame().text(2).hasSuffix(" smart · 1 track"))
    // Nobody tells of playlists that other programs make, so they are looked for whenever they are shown.
    stage.lists[0] = KeptList("New", count: 1, isSmart: true)
    stage.press("1 4")
    #expect(stage.frame().text(2).hasPrefix("   New "))
    stage.lists[0] = KeptList("Fresh", count: 1, isSmart: true)
    stage.press("1 4")
    _ = stage.takeEffects()
    stage.press("Enter a")
    #expect(stage.takeEffects() == [.use(.list("Fresh"), .play), .use(.list("Fresh"), .append)])
  }

  @Test("the library plays from the chosen track on, and an artist plays whole")
  func library() {
    var stage = stage()
    stage.library = (0..<4).map { ScreenStage.track($0) }
    stage.send(.agentFound)
    stage.press("2")
    _ = stage.takeEffects()
    stage.press("a")
    guard case .use(.request(let request), .append) = stage.takeEffects().last else {
      Issue.record("nothing was added")
      return
    }
    #expect(request.expression == "albumArtist == \"Radiohead\"")
    stage.press("l l j Enter")
    var tracks = LibraryRequest(
      "albumArtist == \"Radiohead\" and album == \"OK Computer\"", sort: request.sort, first: 2)
    #expect(stage.takeEffects() == [.use(.from(MediaItem.ID(rawValue: 2), tracks), .play)])
    // Not only those that have been read, which are the rows in view and some around them.
    stage.library = (0..<3000).map { ScreenStage.track($0) }
    stage.send(.news(.library(added: 2996, changed: 0, removed: 0)))
    stage.press("G k Enter a")
    tracks.first = 2999
    let item = MediaItem.ID(rawValue: 2999)
    #expect(stage.takeEffects() == [.use(.from(item, tracks), .play), .use(.item(item), .append)])
    stage.press("3")
    stage.type("track")
    stage.press("Enter j Enter a")
    let second = MediaItem.ID(rawValue: 2)
    let hits = LibraryRequest(search: "track", first: 2)
    #expect(stage.takeEffects() == [.use(.from(second, hits), .play), .use(.item(second), .append)])
  }

  @Test("an empty library is filled by Enter")
  func offer() {
    var stage = ScreenStage()
    stage.set(.stopped, row: nil)
    stage.open()
    _ = stage.takeEffects()
    stage.press("Enter")
    #expect(stage.takeEffects() == [.command(["library", "add", "~/Music"], line: "library add ~/Music")])
  }

  // MARK: Lines

  @Test("a sign that joins the letter before it leaves the cursor behind that letter")
  func joinedLetters() {
    var line = LineEditor()
    line.insert("abc")
    for _ in 0..<2 { _ = line.take(KeyPress(.left)) }
    for letter in ["\u{301}", "x"] { line.insert(letter) }
    #expect(line.text == "a\u{301}xbc")
  }

  @Test("words that are being typed for a list end with a change of the screen")
  func narrowingLeft() {
    var stage = stage()
    stage.press("/")
    stage.type("foo")
    stage.send(.input(.mouse(MouseReport(action: .press, row: 0, column: 14))))
    #expect(stage.screen.tab != .queue && stage.screen.prompt == nil)
  }

  @Test("a typed command is checked before it is carried out, and remembered")
  func commands() {
    var stage = stage()
    _ = stage.takeEffects()
    stage.press(":")
    stage.type("seek +30")
    stage.press("Enter")
    #expect(stage.takeEffects() == [.command(["seek", "+30"], line: "seek +30")])
    stage.press(":")
    stage.type("sek")
    stage.press("Enter")
    #expect(stage.takeEffects() == [] && stage.screen.message?.isFailure == true)
    stage.press(": Up Up Enter")
    #expect(stage.takeEffects() == [.command(["seek", "+30"], line: "seek +30")])
    stage.press(":")
    stage.type("fermata queue crop")
    stage.press("Enter")
    #expect(stage.takeEffects() == [.command(["queue", "crop"], line: "fermata queue crop")])
    stage.press(":")
    stage.type("queue cl")
    stage.press("Tab Enter")
    #expect(stage.takeEffects() == [.command(["queue", "clear"], line: "queue clear ")])
    stage.press(":")
    stage.type("quit")
    stage.press("Enter y")
    #expect(stage.takeEffects() == [.quitAgent])
  }

  @Test(
    "the agent is ended after a question only, however that is typed",
    arguments: ["quit", "fermata quit", "--json quit"])
  func quit(line: String) {
    var stage = stage()
    _ = stage.takeEffects()
    for (keys, effects) in [("Enter Esc", []), ("Enter y", [ScreenEffect.quitAgent])] {
      stage.press(":")
      stage.type(line)
      stage.press(keys)
      #expect(stage.takeEffects() == effects)
    }
  }

  @Test(
    "paths that are pasted are offered, and anything else does nothing",
    arguments: [
      ("/a/b.mp3", ["/a/b.mp3"]), ("/a b/c.mp3\n/d.mp3\n", ["/a b/c.mp3", "/d.mp3"]),
      ("'/a b/c.mp3' '/d'", ["/a b/c.mp3", "/d"]),
      (#"/a\ b/c.mp3 /d"#, ["/a b/c.mp3", "/d"]), ("file:///a%20b /c", ["file:///a%20b", "/c"]),
      ("hello", []), ("rm -rf /", []),
      ("/a\nhello", []),
    ])
  func pastes(text: String, paths: [String]) {
    #expect(PastedPaths.paths(in: text) == paths)
    var stage = stage()
    _ = stage.takeEffects()
    stage.send(.input(.paste(text)))
    stage.press("Enter")
    #expect(
      stage.takeEffects()
        == (paths.isEmpty
          ? [.jump(row: 3, entry: stage.screen.queue.chosen?.entry)]
          : [.command(["add"] + paths, line: "add")]))
  }

  // MARK: The mouse

  @Test("in a window of few rows only the player is clicked on, because only that is seen")
  func mouseBesidePlayer() {
    var stage = ScreenStage(80, 6, rows: 50)
    stage.set(.playing, row: 1)
    stage.open()
    _ = stage.takeEffects()
    for row in 0..<4 {
      for action in [MouseReport.Action.press, .press, .wheelDown] {
        stage.send(.input(.mouse(MouseReport(action: action, row: row, column: 12))))
      }
    }
    #expect(stage.takeEffects() == [] && stage.screen.tab == .queue && stage.screen.queue.chosenRow == 1)
    stage.send(.input(.mouse(MouseReport(action: .press, row: 4, column: 0))))
    #expect(stage.takeEffects() == [.order(.toggle)])
  }

  @Test("Q stops the music, but starts no agent to do so")
  func leavingWithoutAgent() {
    var stage = stage()
    _ = stage.takeEffects()
    stage.press("Q")
    stage.send(.agentLost(.ended))
    stage.press("Q")
    #expect(stage.takeEffects() == [.leave(stops: true), .leave(stops: false)])
  }

  @Test("of jobs that are over as many are kept as the agent keeps, and the chosen one stays chosen")
  func endedJobs() {
    var stage = stage(rows: 0)
    stage.press("7")
    let tell = { (stage: inout ScreenStage, number: UInt32, state: JobState) in
      stage.send(.news(.job(Job(id: JobID(rawValue: number), title: "Job \(number)", state: state))))
    }
    tell(&stage, 1, .running)
    tell(&stage, 2, .running)
    stage.press("j")
    for number in 3...100 { tell(&stage, UInt32(number), .done) }
    #expect(stage.screen.jobs.chosen?.title == "Job 1")
    #expect(stage.screen.jobs.jobs.map(\.id.rawValue) == Array((69...100).reversed()) + [2, 1])
  }

  @Test("a thousand dropped files are all added, and of far too many it is said that they are")
  func largePastes() {
    var stage = stage()
    _ = stage.takeEffects()
    let path = { (number: Int) in "/music/An artist with a name/An album with a title/\(number) A title.flac"
    }
    let drop = { (stage: inout ScreenStage, count: Int) in
      let text = (0..<count).map { "'\(path($0))'" }.joined(separator: " ")
      var decoder = TerminalInputDecoder()
      for input in decoder.decode(Array("\u{1B}[200~\(text)\u{1B}[201~".utf8)) { stage.send(.input(input)) }
    }
    drop(&stage, 1_000)
    #expect(stage.frame().text(21).contains("add 1000 files?"))
    stage.press("y")
    #expect(stage.takeEffects() == [.command(["add"] + (0..<1_000).map(path), line: "add")])
    drop(&stage, 20_000)
    #expect(stage.frame().text(21).contains("too long"))
    #expect(stage.takeEffects() == [])
  }

  @Test("a click on the bar goes there, one on a row chooses it, and another plays it")
  func mouse() {
    var stage = stage()
    _ = stage.frame()
    _ = stage.takeEffects()
    stage.send(.input(.mouse(MouseReport(action: .press, row: 6, column: 10))))
    #expect(stage.screen.queue.chosenRow == 5 && stage.takeEffects() == [])
    stage.send(.input(.mouse(MouseReport(action: .press, row: 6, column: 10))))
    #expect(stage.takeEffects() == [.jump(row: 5, entry: stage.screen.queue.chosen?.entry)])
    stage.send(.input(.mouse(MouseReport(action: .press, row: 23, column: 40))))
    guard case .order(.seekToPart(let part)) = stage.takeEffects().first else {
      Issue.record("no seek")
      return
    }
    #expect(part > 0.4 && part < 0.6)
    stage.send(.input(.mouse(MouseReport(action: .press, row: 0, column: 12))))
    #expect(stage.screen.tab == .library)
  }
}
