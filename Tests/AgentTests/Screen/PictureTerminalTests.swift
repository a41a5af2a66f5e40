// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import MediaModel
import PictureModel
import Testing

@Suite("Covers of pixels, in a terminal that takes them", .serialized, .realTime, .endsAnyway)
struct PictureTerminalTests {
  private let stage: AgentStage
  private let terminal: KittyTerminal

  /// A queue of three tracks, of which the third has a picture of its own, and the screen that shows the second with its cover.
  init() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    self.stage = stage
    try stage.folder.write("album/cover.png", Placeholder(of: "album").png(edge: 300).bytes)
    let tracks = try ["one", "two", "album/three"].map { try stage.makeTone("\($0).wav") }
    try Child.run(.beside("fermata"), ["play"] + tracks, environment: stage.environment)
    try Child.run(.beside("fermata"), ["next"], environment: stage.environment)
    let terminal = try KittyTerminal(stage, takesPictures: true)
    try terminal.wait(for: "the keyboard's mode") { terminal.count(KittyTerminal.push) == 1 }
    try terminal.wait(for: "the queue") { terminal.output.contains("three") }
    try terminal.type("5")
    self.terminal = terminal
    try waitForPicture(1)
  }

  private func waitForPicture(_ given: Int) throws {
    let terminal = terminal
    try terminal.wait(for: "cover \(given)") {
      terminal.pictures.given == given && terminal.pictures.kept.count == 1
    }
  }

  /// Reads to the end: what nobody reads would keep the screen from ending.
  private func waitForEnd(_ exit: FermataTestKit.ExitStatus) throws {
    let terminal = terminal
    try terminal.wait(for: "the shell's page") { terminal.output.hasSuffix("\u{1B}[?1049l") }
    #expect(terminal.program.exit(until: .patient) == exit)
    #expect(terminal.pictures.kept.isEmpty)
  }

  private func waitForNone() throws {
    let terminal = terminal
    try terminal.wait(for: "no cover") { terminal.pictures.kept.isEmpty }
  }

  @Test("the cover is a PNG of the size of its cells, is replaced with the track, and goes with its screen")
  func life() throws {
    let terminal = terminal
    let first = try #require(terminal.pictures.kept.values.first)
    // The signature of a PNG, and 320 by 320 pixels for 32 by 16 cells of 10 by 20.
    #expect(first.starts(with: Array("iVBORw0KGgoAAAANSUhEUgAAAUAAAAFA".utf8)))
    try terminal.wait(for: "its cells") { terminal.pictures.cells >= 512 }
    #expect(
      terminal.pictures.cells == 512 && terminal.count("c=32,r=16") == 1 && terminal.count("▀") == 0)
    try Child.run(.beside("fermata"), ["next"], environment: stage.environment)
    try waitForPicture(2)
    #expect(terminal.pictures.kept.values.first != first)
    try terminal.type("7")
    try waitForNone()
    try terminal.type("5")
    try waitForPicture(3)
    try terminal.type(":set covers off\r")
    try waitForNone()
    try terminal.type("q")
    try waitForEnd(.exited(0))
    try stage.stop()
  }

  @Test("Ctrl-Z takes the cover away, and it is sent again afterwards")
  func suspension() throws {
    try terminal.type("\u{1B}[122;5u")
    try waitForNone()
    let (terminal, process) = (terminal, terminal.program.processID)
    // Each signal to go on has it painted anew.
    try terminal.wait(for: "the cover again", nudge: { kill(process, SIGCONT) }) {
      terminal.pictures.given >= 2 && terminal.pictures.kept.count == 1
    }
    try terminal.type("q")
    try waitForEnd(.exited(0))
    try stage.stop()
  }

  @Test(
    "however it ends, the cover is taken away before the terminal is given back",
    arguments: [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGSEGV, SIGUSR1, 0])
  func ends(signal: Int32) throws {
    if signal == 0 { try terminal.type("q") } else { kill(terminal.program.processID, signal) }
    try waitForEnd(signal == 0 ? .exited(0) : .killed(signal))
    try stage.stop()
  }

  @Test("ended in the middle of a cover that a slow terminal has not read yet, nothing of it is left")
  func half() throws {
    let terminal = terminal
    let (process, before) = (terminal.program.processID, terminal.output.utf8.count)
    // Nobody reads now, and a terminal keeps a few kilobytes. The rest of the picture waits in the program.
    for _ in 0..<8 { try terminal.type("\u{0C}") }
    try terminal.wait(forUnread: 4_000)
    kill(process, SIGTERM)
    try waitForEnd(.killed(SIGTERM))
    #expect(terminal.output.utf8.count > before)
    // Whatever was cut off was ended before the rest.
    let farewell = try #require(terminal.output.ranges(of: "\u{1B}\\\u{1B}_Gq=2,m=0").last)
    #expect(terminal.output[farewell.lowerBound...].contains("a=d,d=I"))
    try stage.stop()
  }
}
