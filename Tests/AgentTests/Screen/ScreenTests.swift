// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import Testing

@Suite("The screen in a terminal", .serialized, .realTime, .endsAnyway)
struct ScreenTests {
  private let stage: AgentStage
  private let terminal: TmuxTerminal
  private let fermata: String

  /// A queue of five tracks, the second of which plays, and the screen that shows them.
  init() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    self.stage = stage
    fermata = try Program.beside("fermata").path
    let tracks = try ["one", "two", "three", "four", "five"].map { try stage.makeTone("\($0).wav") }
    try Child.run(.beside("fermata"), ["play"] + tracks, environment: stage.environment)
    try Child.run(.beside("fermata"), ["next"], environment: stage.environment)
    terminal = try TmuxTerminal(in: stage.folder, stage.environment)
    try terminal.run("cd \(stage.folder.path); stty -g > before; echo noted", writes: "noted")
    try open()
  }

  /// Opens the screen. The shell says how it ended, and a file which process it is.
  private func open() throws {
    try terminal.type("clear; sh -c 'echo $$ > pid; exec \(fermata) ui'; echo ended by $?")
    try terminal.press("Enter")
    try terminal.wait(for: "▶  2  two")
  }

  private func send(_ signal: Int32) throws {
    let text = try #require(TextFile.read("\(stage.folder.path)/pid"))
    let process = try #require(pid_t(text.filter(\.isNumber)))
    #expect(kill(process, signal) == 0)
  }

  /// Leaves the screen. What is typed before it has ended would go to it, and not to the shell.
  private func leave() throws {
    try terminal.press("q")
    try terminal.wait(for: "ended by 0")
  }

  private func expectTerminalAsBefore() throws {
    try terminal.run("stty -g > after; cmp before after && echo same", writes: "same")
  }

  @Test("keys are orders, the cursor is on the chosen row, and the window has the track's name")
  func keys() throws {
    try terminal.wait(forTitle: "▶ two")
    try terminal.press("Space")
    try stage.waitForStatus("Paused")
    try terminal.wait(for: "paused · p plays")
    try terminal.press("j", "j")
    try terminal.wait(for: "4 of 5")
    #expect(try terminal.cursorRow() == 5)
    try terminal.press("Enter")
    try terminal.wait(for: "▶  4  four")
    try terminal.press("g", "g", "d")
    try terminal.wait(for: "1 row removed; u undoes")
    try terminal.press("u")
    try terminal.wait(for: "    1  one")
    try terminal.press(":")
    try terminal.type("volume 40%")
    try terminal.press("Enter")
    try terminal.wait(for: "vol 40 %")
    try terminal.press("/")
    try terminal.type("fiv")
    try terminal.waitForEnd(of: "four  ")
    try terminal.press("Escape")
    try terminal.wait(for: "    1  one")
    try leave()
    try expectTerminalAsBefore()
    try stage.waitForStatus("Playing")
    try stage.stop()
  }

  @Test("what was typed is there again in the next screen")
  func history() throws {
    try terminal.press(":")
    try terminal.type("volume 41%")
    try terminal.press("Enter")
    try terminal.wait(for: "vol 41 %")
    try terminal.press(":")
    try terminal.type("q")
    try terminal.press("Enter")
    try terminal.wait(for: "ended by 0")
    try open()
    try terminal.press(":", "Up", "Up")
    try terminal.wait(for: " :volume 41%")
    try terminal.press("Escape")
    try leave()
    try stage.stop()
  }

  @Test("commands that edit are carried out in the order in which they were typed")
  func commandsInOrder() throws {
    let names = ["five", "three", "one", "four", "two"]
    let adds = names.map { ":add \($0).wav\r" }.joined()
    try terminal.type(":queue clear\r\(adds)")
    for (row, name) in names.enumerated() { try terminal.wait(for: "  \(row + 1)  \(name)") }
    try leave()
    try stage.stop()
  }

  @Test("s and a letter sort the queue around what plays, or the marked rows; u takes it back")
  func sorting() throws {
    try terminal.press("s")
    try terminal.wait(for: "s …  a artist  d time  l album")
    try terminal.press("t")
    try terminal.wait(for: "5 rows sorted by title; u undoes")
    // five, four, one, three, two
    try terminal.wait(for: "▶  5  two")
    try terminal.press("u")
    try terminal.wait(for: "undone: 5 sorted by title")
    try terminal.wait(for: "▶  2  two")
    try terminal.press("g", "g", "v", "j", "s", "T")
    try terminal.wait(for: "2 rows sorted by -title; u undoes")
    try terminal.wait(for: "▶  1  two")
    #expect(stage.playerctl("metadata", "title") == "two" && stage.playerctl("status") == "Playing")
    try leave()
    try stage.stop()
  }

  @Test("Ctrl-Z gives the terminal to the shell, and fg brings the screen back as things are then")
  func suspension() throws {
    try terminal.press("C-z")
    try terminal.wait(for: "Stopped")
    try expectTerminalAsBefore()
    stage.playerctl("next")
    try goOn()
    try terminal.wait(for: "▶  3  three")
    try leave()
    try expectTerminalAsBefore()
    try stage.stop()
  }

  @Test("the mouse is left to the terminal where that is wanted, also after Ctrl-Z")
  func mouse() throws {
    try terminal.wait(forMouse: true)
    try terminal.type(":set mouse off")
    try terminal.press("Enter")
    try terminal.wait(forMouse: false)
    try terminal.press("C-z")
    try terminal.wait(for: "Stopped")
    try goOn()
    try terminal.wait(for: "▶  2  two")
    try terminal.wait(forMouse: false)
    try terminal.type(":set mouse on")
    try terminal.press("Enter")
    try terminal.wait(forMouse: true)
    try leave()
    try terminal.wait(forMouse: false)
    try stage.stop()
  }

  @Test("where a terminal has one page only, the shell goes on below the last frame")
  func onePage() throws {
    try leave()
    try terminal.useOnePage()
    try open()
    try terminal.press("q")
    try terminal.wait(until: "ended below the frame") { lines in
      let end = lines.lastIndex { $0.hasPrefix("ended by 0") }
      let row = lines.lastIndex { $0.firstRange(of: "▶  2  two") != nil }
      return end.map { end in row.map { end > $0 + 5 } ?? false } ?? false
    }
    try stage.stop()
  }

  @Test("Tab completes the path of a file")
  func paths() throws {
    try terminal.type(":add \(stage.folder.path)/thr")
    try terminal.press("Tab")
    try terminal.wait(for: "three.wav")
    try terminal.press("Enter")
    try terminal.wait(for: "6  three")
    try leave()
    try stage.stop()
  }

  @Test("after each stop the window has the track's name again, and at the end the shell's")
  func windowTitle() throws {
    try leave()
    try terminal.run("printf '\\033]2;shell\\007named\\n'", writes: "named")
    try open()
    try terminal.wait(forTitle: "▶ two")
    try terminal.press("C-z")
    try terminal.wait(forTitle: "shell")
    try goOn()
    try terminal.wait(forTitle: "▶ two")
    // Nobody gives the terminal back before this signal.
    try send(SIGSTOP)
    try terminal.wait(for: "Stopped")
    try terminal.run("printf '\\033]2;other\\007named\\n'", writes: "named")
    try goOn()
    try terminal.wait(forTitle: "▶ two")
    try terminal.type(":set title off")
    try terminal.press("Enter")
    try terminal.wait(forTitle: "shell")
    try terminal.type(":set title on")
    try terminal.press("Enter")
    try terminal.wait(forTitle: "▶ two")
    try leave()
    try terminal.wait(forTitle: "shell")
    try stage.stop()
  }

  /// Brings the stopped screen back. The shell has gone on to what stood after the screen on its line, so its end is asked for anew.
  private func goOn() throws {
    try terminal.type("clear; fg; echo ended by $?")
    try terminal.press("Enter")
    try terminal.wait(for: "1 Queue")
  }

  @Test("music is paused while a jump waits for a disk, and then the jump starts none")
  func pauseBehindJump() throws {
    try terminal.press("j", "Enter")
    try terminal.wait(for: "▶  3  three")
    let held = try HeldThread(named: "opening", of: stage.agent.processID)
    try terminal.press("j", "Enter", "p")
    try terminal.wait(for: "paused · p plays")
    held.release()
    try terminal.wait(for: "the music was paused meanwhile")
    try stage.waitForStatus("Paused")
    #expect(stage.playerctl("metadata", "title") == "three")
    try leave()
    try stage.stop()
  }

  @Test("of two jumps that wait for a disk, neither starts anything after a pause")
  func pauseBehindTwoJumps() throws {
    #expect(kill(stage.agent.processID, SIGSTOP) == 0)
    try terminal.press("j", "Enter", "j", "Enter", "p", ":", "x")
    try terminal.wait(for: " :x")
    try terminal.press("Escape")
    #expect(kill(stage.agent.processID, SIGCONT) == 0)
    try terminal.wait(for: "the music was paused meanwhile")
    try stage.waitForStatus("Paused")
    #expect(stage.playerctl("metadata", "title") == "two")
    try leave()
    try stage.stop()
  }

  @Test("with an agent that does not answer, q gives the terminal back, and Ctrl-C works there")
  func leavingHungAgent() throws {
    #expect(kill(stage.agent.processID, SIGSTOP) == 0)
    try terminal.press("+", "+", "q")
    try terminal.waitForEnd(of: "1 Queue")
    try terminal.press("C-c")
    try terminal.run("echo ended by $?", writes: "ended by \(128 + SIGINT)")
    try expectTerminalAsBefore()
    #expect(kill(stage.agent.processID, SIGCONT) == 0)
    try stage.stop()
  }

  @Test("an order that waits for the answer to an earlier one is carried out when the screen is left")
  func lastOrders() throws {
    #expect(kill(stage.agent.processID, SIGSTOP) == 0)
    try terminal.press("j", "d", "d", "q")
    try terminal.waitForEnd(of: "1 Queue")
    #expect(kill(stage.agent.processID, SIGCONT) == 0)
    try terminal.wait(for: "ended by 0")
    try terminal.run("\(fermata) queue", writes: "3 tracks, 3:00")
    #expect(try !terminal.text().contains("three") && !terminal.text().contains("four"))
    try stage.stop()
  }

  @Test("orders that an agent did not take are told when the screen is left")
  func unsentOrders() throws {
    #expect(kill(stage.agent.processID, SIGSTOP) == 0)
    try terminal.press("+", "+", "q")
    try terminal.wait(for: "the agent did not answer, so 1 order never reached it")
    try terminal.wait(for: "ended by 75")
    #expect(kill(stage.agent.processID, SIGCONT) == 0)
    try stage.stop()
  }

  @Test(
    "ended by a signal, it ends by that signal and the terminal is as before",
    arguments: [SIGHUP, SIGQUIT, SIGTERM, SIGABRT, SIGSEGV, SIGUSR1, SIGALRM])
  func signals(signal: Int32) throws {
    try send(signal)
    try terminal.wait(for: "ended by \(128 + signal)")
    try expectTerminalAsBefore()
    try stage.waitForStatus("Playing")
    try stage.stop()
  }

  @Test("killed, it leaves the music playing, and the next one leaves a clean terminal")
  func killed() throws {
    try send(SIGKILL)
    try terminal.wait(for: "ended by \(128 + SIGKILL)")
    // The shell has to set the terminal's modes anew. What is typed before its prompt may be lost.
    try terminal.wait(for: "bash-")
    try open()
    try leave()
    try expectTerminalAsBefore()
    try stage.waitForStatus("Playing")
    try stage.stop()
  }

  @Test("when the agent is gone it says so, and it is back with the same row when the agent is")
  func agentGone() throws {
    try terminal.press("j", "j")
    try terminal.wait(for: "4 of 5")
    try stage.restartAfterCrash()
    try terminal.wait(for: "paused since the agent started")
    try terminal.wait(for: "4 of 5")
    try terminal.press("p")
    try stage.waitForStatus("Playing")
    try terminal.wait(for: "▶  2  two")
    try leave()
    try expectTerminalAsBefore()
    try stage.stop()
  }

  @Test("a track of the queue is rated where it plays, as soon as the library knows its file")
  func rating() throws {
    try terminal.press("R", "4")
    try terminal.wait(for: "only what is in the library can be rated")
    #expect(try stage.fermata("library", "add", "--wait", stage.folder.path).status == .exited(0))
    try terminal.press("R", "4")
    try terminal.wait(for: "rated ★★★★")
    #expect(
      try stage.fermata("library", "query", "rating == 4", "--json").output.firstRange(of: "two.wav") != nil)
    try leave()
    try stage.stop()
  }

  @Test("all that is known of a track is shown, whether or not it is in the library")
  func details() throws {
    try terminal.press("i")
    try terminal.wait(for: "All that is known of it")
    try terminal.wait(for: "two.wav")
    try terminal.press("Escape")
    #expect(try stage.fermata("library", "add", "--wait", stage.folder.path).status == .exited(0))
    let found = try stage.fermata("library", "query", "title == \"two\"", "--ids").output
    let number = found.filter(\.isNumber)
    #expect(try stage.fermata("library", "note", number, "mood", "calm").status == .exited(0))
    try terminal.press("i")
    try terminal.wait(until: "the note") { $0.contains { $0.contains("note 'mood'") && $0.contains("calm") } }
    try terminal.press("Escape")
    try leave()
    try stage.stop()
  }

  @Test("tracks without tags are reached in the library, and smart playlists on Lists")
  func untagged() throws {
    #expect(try stage.fermata("library", "add", "--wait", stage.folder.path).status == .exited(0))
    #expect(
      try stage.fermata("playlist", "smart", "Second", "title contains \"two\"").status == .exited(0))
    try terminal.press("2")
    try terminal.wait(for: "(no artist)")
    try terminal.wait(for: "(no album)")
    try terminal.wait(for: "five")
    try terminal.press("l", "l", "a")
    try terminal.wait(for: "1 row added; u undoes")
    try terminal.press("4")
    try terminal.wait(for: "smart · 1 track")
    try terminal.press("Enter")
    try terminal.wait(for: "the queue was replaced")
    try terminal.press("1")
    try terminal.wait(for: "1 of 1")
    // From the second of the five tracks on.
    try terminal.press("2", "g", "g", "j", "Enter", "1")
    try terminal.wait(for: "1 of 4")
    try leave()
    try stage.stop()
  }

  @Test("pads sound when they are struck, beside the music")
  func pads() throws {
    try terminal.press("6")
    try terminal.wait(for: "Tambourine")
    let recorder = try stage.server.record("speakers")
    try terminal.press("Space")
    try stage.waitForStatus("Paused")
    let silence = try recorder.waitForSilence(lasting: .milliseconds(300), from: recorder.frames)
    try terminal.press("1")
    _ = try recorder.waitForSound(from: silence)
    try terminal.press("Escape")
    try terminal.wait(for: "2 of 5")
    try leave()
    try expectTerminalAsBefore()
    try stage.stop()
  }

  @Test("what plays is shown with its cover, which goes when another screen is shown")
  func cover() throws {
    try terminal.press("5")
    try terminal.wait(until: "with a cover") { Self.blocks($0) > 20 }
    try terminal.press("7")
    try terminal.wait(until: "without a cover") { Self.blocks($0) == 0 }
    // Twice: the first one only goes back to the beginning where the track has played for some seconds.
    try terminal.press("5", "<", "<")
    try terminal.wait(until: "with a cover and the track before") { lines in
      Self.blocks(lines) > 20 && lines.contains { $0.hasPrefix(" ▶ one") }
    }
    try leave()
    try expectTerminalAsBefore()
    try stage.stop()
  }

  @Test("what plays is shown with its coding, which is that of the next track as soon as that is open")
  func coding() throws {
    let tone = try stage.makeTone()
    let song = stage.folder.path("song.mp3")
    try Child.run(.named("lame", package: "lame"), ["--quiet", "-b", "192", tone, song])
    try Child.run(.beside("fermata"), ["add", "--next", song], environment: stage.environment)
    try terminal.press("5")
    try terminal.wait(for: "WAV · 44.1 kHz · stereo · 16 bit")
    try terminal.press(">")
    try terminal.wait(for: "MP3 · 44.1 kHz · stereo · 192 kb/s")
    try leave()
    try stage.stop()
  }

  /// How many cells of these lines show two pixels.
  private static func blocks(_ lines: [String]) -> Int {
    lines.reduce(0) { count, line in count + line.count { $0 == "▀" } }
  }

  @Test("resized again and again, it shows what belongs there")
  func resizing() throws {
    for (columns, rows) in [(60, 20), (200, 60), (20, 5), (81, 9), (40, 8), (132, 50), (5, 2), (100, 30)] {
      try terminal.resize(columns: columns, rows: rows)
    }
    try terminal.wait(until: "100×30") { lines in
      lines.count >= 30 && lines[0].hasPrefix(" 1 Queue  2 Library") && lines[28].hasPrefix(" ▶ two")
    }
    try terminal.resize(columns: 40, rows: 4)
    try terminal.wait(until: "the two-line player") {
      $0.count >= 4 && $0[2].hasPrefix(" ▶ two") && $0[0].isEmpty
    }
    try leave()
    try expectTerminalAsBefore()
    try stage.stop()
  }
}

@Suite("The screen and the end of the agent", .serialized, .realTime, .endsAnyway)
struct ScreenAloneTests {
  private static let agent = "org.fermata.Agent"
  private let stage: ActivationStage
  private let folder: TemporaryDirectory
  private let terminal: TmuxTerminal

  /// A session whose bus starts the agent, and the screen, for which it did.
  init() throws {
    stage = try ActivationStage()
    folder = try TemporaryDirectory()
    terminal = try TmuxTerminal(in: folder, stage.bus.environment)
    try terminal.type("clear; exec \(try stage.program().path) ui")
    try terminal.press("Enter")
    try terminal.wait(for: "The queue is empty.")
  }

  /// No agent comes for longer than after a crash.
  private func expectNoAgent() throws {
    let end = Deadline.after(.seconds(2))
    while !end.hasPassed { #expect(try stage.process(of: Self.agent) == nil) }
  }

  @Test("ended by somebody, the agent stays away, even after Ctrl-Z, until a key asks for it")
  func ended() throws {
    #expect(try stage.fermata("quit").status == .exited(0))
    try terminal.wait(for: "the agent was ended · p starts it again")
    try terminal.press("2", "4", "5", "1")
    try expectNoAgent()
    try terminal.press("p")
    try terminal.waitForEnd(of: "the agent was ended")
    try stage.waitForOwner(of: Self.agent)
    try stage.bus.stop()
  }

  @Test("a signal that ends the agent in order is no crash either")
  func terminated() throws {
    try stage.end(Self.agent, by: SIGTERM)
    try terminal.wait(for: "the agent was ended · p starts it again")
    try expectNoAgent()
    try stage.bus.stop()
  }

  @Test("an agent that crashes is started again, but not a second time at once")
  func crashed() throws {
    let first = try stage.waitForOwner(of: Self.agent)
    try stage.end(Self.agent, by: SIGKILL)
    try terminal.wait(for: "the agent had crashed, and runs again")
    #expect(try stage.waitForOwner(of: Self.agent) != first)
    try stage.end(Self.agent, by: SIGKILL)
    try terminal.wait(for: "the agent has crashed again · p starts it")
    try expectNoAgent()
    try stage.bus.stop()
  }
}

@Suite("The screen without a terminal", .serialized, .realTime, .endsAnyway)
struct PlainScreenTests {
  @Test("in a pipe it needs --plain, and the program alone says what it can do")
  func pipe() throws {
    let screen = try Child(.beside("fermata"), ["ui"])
    #expect(screen.exit(until: .patient) == .exited(64))
    #expect(
      screen.standardError
        == "fermata: ui: the screen needs a terminal; 'fermata ui --plain' works in a pipe\n")
    let help = try Child(.beside("fermata"), [])
    #expect(help.exit(until: .patient) == .exited(0))
    #expect(help.standardOutput.hasPrefix("Play music"))
  }

  @Test("with --plain it writes a line for each change and takes commands, without an escape sequence")
  func plain() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    var environment = stage.environment
    environment["LC_ALL"] = "C"
    let screen = try Child(
      .beside("fermata"), ["ui", "--plain"], environment: environment, isInteractive: true)
    #expect(try screen.nextLine(until: .patient).firstRange(of: "The queue is empty") != nil)
    try screen.send("play \(try stage.makeTone("tone.wav"))\n")
    var line = ""
    while !line.hasPrefix("> tone; on") {
      line = try screen.nextLine(until: .patient)
      #expect(line.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "\(line)")
    }
    try screen.send("nonsense\n")
    while line.firstRange(of: "no such command") == nil { line = try screen.nextLine(until: .patient) }
    try screen.send("q\n")
    #expect(screen.exit(until: .patient) == .exited(0))
    try stage.stop()
  }

  @Test("commands from a pipe are carried out one after the other, to the last, which may lack its end")
  func script() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    for name in ["old.wav", "one.wav", "two.wav"] { _ = try stage.makeTone(name) }
    var environment = stage.environment
    environment["HOME"] = stage.folder.path
    let lines =
      "add ~/old.wav\\nqueue clear\\nadd ~/one.wav ~/two.wav\\nqueue jump 2\\nstatus --format now-{title}"
    let screen = try Child(
      .named("sh", package: "dash"),
      ["-c", "printf '\(lines)' | \(Program.beside("fermata").path) ui --plain"], environment: environment)
    #expect(screen.exit(until: .patient) == .exited(0))
    #expect(screen.standardOutput.split(separator: "\n").contains("now-two"), "\(screen.standardOutput)")
    try stage.stop()
  }
}
