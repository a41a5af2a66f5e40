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
  private func stage(rows: Int = 50) -> ScreenStage { .playing(rows: rows) }

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
    // In cmus Tab goes to the other pane.
    stage.press(":")
    stage.type("keys cmus")
    stage.press("Enter 2 Tab Tab Tab Tab")
    #expect(stage.screen.tab == .library && stage.screen.library.active == 1)
    // Space marks the row and goes to the next.
    stage.press("1 g Space Space")
    #expect(stage.screen.queue.isMarking && stage.screen.queue.chosenRow == 3)
    stage.press("Esc")
    stage.press(":")
    stage.type("keys ncmpcpp")
    stage.press("Enter 1")
    _ = stage.takeEffects()
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
    #expect(text(&stage).contains("pauses in 10:00 · repeat all · consume"))
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
      stage.send(.news(.sleepTimer(left: .milliseconds(600_500))))
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

  /// A queue, and a library, whose tags are made of what terminals take for commands and of what they measure differently.
  private static func hostile(_ generator: inout SeededGenerator) -> ScreenStage {
    var stage = ScreenStage()
    var text: String {
      let pieces = (0..<Int.random(in: 0...6, using: &generator)).compactMap { _ in
        PainterTests.pieces.randomElement(using: &generator)
      }
      return pieces.joined()
    }
    stage.queue = (0..<Int.random(in: 0...300, using: &generator)).map {
      ScreenStage.track($0, text, text, text)
    }
    stage.library = Array(stage.queue.prefix(60))
    stage.set(.playing, row: stage.queue.isEmpty ? nil : 1)
    stage.open()
    return stage
  }

  @Test("whatever is pressed, pasted, clicked or told, nothing traps and the terminal shows the frame")
  func anything() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2 * Rounds.count {
      var stage = Self.hostile(&generator)
      var decoder = TerminalInputDecoder()
      var terminal = ReferenceTerminal(ScreenSize(columns: 80, rows: 24))
      var shown: Frame?
      for _ in 0..<300 {
        let keys = Array("jkgGdvmVJKu/:?123456bfhl\r\u{1B}\t\u{7F}xyz <>+-*0aAsRin".utf8)
        let bytes = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
          Bool.random(using: &generator)
            ? keys.randomElement(using: &generator) ?? 0 : UInt8.random(in: 0...255, using: &generator)
        }
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

  // MARK: The mouse, the end, jobs

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

  @Test(
    "two clicks at the same place are for the same row, at the edges of a long list too",
    arguments: [3, 19, 20])
  func clicksAtEdges(row: Int) throws {
    var stage = ScreenStage.playing(rows: 50)
    stage.press("2 1 j j j j j j j j j j j j j j j j j j j j j j j j j")
    _ = stage.frame()
    let click = ScreenEvent.input(.mouse(MouseReport(action: .press, row: row, column: 10)))
    stage.send(click)
    _ = stage.frame()
    let chosen = try #require(stage.screen.queue.chosenRow)
    _ = stage.takeEffects()
    stage.send(click)
    let entry = stage.queue[chosen - 1].entry
    #expect(stage.takeEffects() == [.jump(row: chosen, entry: entry)])
  }

  @Test("a click beside columns that are not drawn yet does nothing")
  func undrawnColumns() {
    var stage = ScreenStage()
    stage.library = [ScreenStage.track(0)]
    stage.open()
    stage.press("2")
    for line in ["browse genre/albumArtist/album", "browse genre"] {
      stage.press(":")
      stage.type(line)
      stage.press("Enter")
      if line.contains("/") { _ = stage.frame() }
    }
    stage.send(.input(.mouse(MouseReport(action: .press, row: 5, column: 70))))
    #expect(stage.screen.tab == .library)
  }

  @Test("while a text covers the list, keys do nothing to rows that are not seen")
  func covered() {
    var stage = ScreenStage.playing(rows: 50)
    _ = stage.takeEffects()
    let row = stage.screen.queue.chosenRow
    for keys in ["?", "? / m o v e Enter n n Esc"] {
      stage.press(keys)
      if keys == "?" { stage.press("d J m v sa R5 y o") }
      stage.press("Esc")
      #expect(
        stage.takeEffects() == [] && stage.screen.queue.chosenRow == row && !stage.screen.queue.isMarking)
    }
    #expect(stage.screen.menu == nil)
    // What a text tells of a row is about that row.
    stage.press("i d")
    #expect(stage.takeEffects().contains(.remove([3...3])))
    // The player is seen all the time.
    stage.press("? p")
    #expect(stage.takeEffects() == [.order(.toggle)])
  }

  @Test("what a command says while something is typed is shown afterwards")
  func outputWhileTyping() {
    var stage = ScreenStage.playing(rows: 3)
    stage.press("3")
    stage.type("ra")
    stage.send(.commandEnded(line: "doctor", output: "a\nb\n", isGood: true))
    stage.type("dio")
    #expect(stage.screen.search.field.text == "radio" && stage.screen.pager == nil)
    #expect(stage.screen.message?.text.contains("doctor") == true)
    stage.press("Enter")
    #expect(stage.screen.pager != nil)
    stage.press("Esc 1 :")
    stage.type("vol")
    stage.send(.commandEnded(line: "doctor", output: "a\nb\n", isGood: true))
    #expect(stage.screen.pager == nil && stage.screen.line.text == "vol")
    stage.press("Esc")
    #expect(stage.screen.pager != nil)
  }

  @Test("a window too low for a list shows what is said, and takes no key that is for rows nobody sees")
  func lowWindow() {
    var stage = ScreenStage(80, 6, rows: 5)
    stage.set(.playing, row: 2)
    stage.open()
    stage.send(.commandEnded(line: "paly", output: "no such command", isGood: false))
    #expect(stage.frame().text(3).contains("no such command"))
    stage.send(.commandEnded(line: "status", output: "one\ntwo\n", isGood: true))
    #expect(stage.screen.pager == nil && stage.frame().text(3).contains("one"))
    _ = stage.takeEffects()
    stage.press("d J ? i o")
    #expect(stage.takeEffects().isEmpty && stage.screen.pager == nil && stage.screen.menu == nil)
    #expect(stage.frame().text(3).contains("too low"))
    stage.press("p")
    #expect(stage.takeEffects() == [.order(.toggle)])
  }

  @Test("what a command says is shown whole, in as many rows as that takes")
  func wrappedOutput() {
    var stage = ScreenStage.playing(rows: 3)
    let words = (1...60).map { "word\($0)" }
    stage.send(.commandEnded(line: "doctor", output: words.joined(separator: " ") + "\nend\n", isGood: true))
    let frame = stage.frame()
    let text = (0..<24).map { frame.text($0) }.joined(separator: "\n")
    #expect(words.allSatisfy { text.contains($0) } && text.contains("end"))
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
    stage.send(.input(.mouse(MouseReport(action: .drag, row: 23, column: 41))))
    stage.send(.input(.mouse(MouseReport(action: .release, row: 23, column: 41))))
    #expect(stage.takeEffects().count == 1)
    // Whoever selects a text beginning in the list does not mean the bar.
    stage.send(.input(.mouse(MouseReport(action: .press, row: 20, column: 40))))
    _ = stage.takeEffects()
    for row in 21...23 {
      stage.send(.input(.mouse(MouseReport(action: .drag, row: row, column: 40))))
    }
    #expect(stage.takeEffects() == [])
    stage.send(.input(.mouse(MouseReport(action: .press, row: 0, column: 12))))
    #expect(stage.screen.tab == .library)
  }

  @Test("the next tracks on Now are those of the present order, with what is newly known of them")
  func next() {
    var stage = stage()
    stage.press("5")
    func isShown(_ title: String) -> Bool {
      let frame = stage.frame()
      return (0..<frame.size.rows).contains { frame.text($0).contains(title) }
    }
    #expect(isShown("Track 5"))
    stage.queue.swapAt(4, 40)
    stage.send(.news(.modes(.none, .songs, consumes: false)))
    #expect(isShown("Track 41") && !isShown("Track 5 "))
    stage.queue[3].item.tags.title = "A late title"
    stage.send(.news(.itemsChanged([stage.queue[3]])))
    #expect(isShown("A late title"))
    // Of a long queue nobody tells when tags have been read, so they are asked for, but not for ever.
    stage.queue[3].isUnread = true
    let before = stage.asksForUpcoming
    stage.send(.news(.row(3)))
    #expect((2...20).contains(stage.asksForUpcoming - before))
  }

  @Test("without an agent the time stands where it was, nothing plays, and nothing can be ended")
  func lost() {
    var stage = ScreenStage.playing(rows: 3)
    stage.time += .seconds(60)
    let before = stage.frame().text(23)
    stage.send(.agentLost(.ended))
    #expect(stage.screen.player.position(at: stage.time) == .seconds(177))
    stage.time += .seconds(60)
    #expect(stage.screen.player.position(at: stage.time) == .seconds(177) && before.contains("2:57"))
    #expect(stage.screen.title?.first == "■")
    stage.press(":")
    stage.type("quit")
    stage.press("Enter")
    #expect(stage.screen.prompt == nil && stage.screen.message?.text == "no agent runs")
  }

  @Test("the next screen begins on the list where this one was left, but not where digits are no screens")
  func lastList() {
    var stage = ScreenStage.playing(rows: 3)
    stage.press("q")
    #expect(stage.remembered.isEmpty)
    stage.press("2 q")
    #expect(stage.remembered == [KeptLine(.screen, "Library")])
    stage.press("5 6 q")
    #expect(stage.remembered.last == KeptLine(.screen, "Now"))
    var history = TypedHistory()
    history.add(KeptLine(.screen, "Lists"))
    var next = ScreenStage(rows: 3)
    next.send(.history(history))
    next.open()
    #expect(next.screen.tab == .lists)
    next.press("q")
    #expect(next.remembered.isEmpty)
    // Whoever has pressed a key already stays where they are.
    var quick = ScreenStage(rows: 3)
    quick.press("2")
    quick.send(.history(history))
    #expect(quick.screen.tab == .library)
  }

  @Test("what is too long for a field is refused aloud")
  func longPaste() {
    var stage = ScreenStage.playing(rows: 3)
    let long = String(repeating: "a", count: 5_000)
    for key in [":", "/", "3"] {
      stage.press(key)
      stage.send(.input(.paste(long)))
      #expect(stage.screen.message?.text.contains("too long") == true, "\(key)")
      stage.press("Esc")
      stage.time += .seconds(60)
      stage.send(.tick)
    }
  }

  @Test("the first Tab completes a playlist's name as soon as the playlists are known")
  func firstTab() {
    var stage = ScreenStage.playing(rows: 3)
    stage.press(":")
    stage.type("add playlist:Ro")
    stage.press("Tab")
    #expect(stage.frame().text(21).contains("playlist:Road"))
  }

  @Test("in the narrowest window all screens are seen")
  func narrowTabs() {
    var stage = ScreenStage(20, 12, rows: 3)
    stage.open()
    stage.press("7")
    #expect(stage.frame().text(0).hasPrefix("1 2 3 4 5 6 7"))
    stage.send(.input(.mouse(MouseReport(action: .press, row: 0, column: 2))))
    #expect(stage.screen.tab == .library)
  }

  @Test("what has no room in the message line is shown whole, in place of the list")
  func longMessage() {
    var stage = ScreenStage()
    stage.open()
    stage.send(.resized(ScreenSize(columns: 60, rows: 20)))
    stage.press(":")
    stage.type("set nothing")
    stage.press("Enter")
    let frame = stage.frame()
    let lines = (0..<20).map { frame.text($0) }
    #expect(lines.contains { $0.contains("unfocused") }, "\(lines)")
    stage.press("Esc")
    #expect(stage.screen.pager == nil)
  }

  @Test("of a path that has no room the name stays, and with it what is said of the file")
  func shortPath() {
    let text = "/music/a very long folder/song.flac: is no sound that can be read"
    #expect(Screen.withShortPath(text, columns: 80) == text)
    #expect(Screen.withShortPath(text, columns: 50) == "…/song.flac: is no sound that can be read")
    #expect(Screen.withShortPath("add /a/b c/d.mp3?  Enter adds", columns: 20) == "add …/d.mp3?  Enter adds")
    #expect(
      Screen.withShortPath("no path here, but a long text", columns: 9) == "no path here, but a long text")
  }
}
