// SPDX-License-Identifier: MIT
import FaceModel
import FermataTestKit
import Glibc
import Testing

@Suite("Pads on the keys of a terminal", .serialized, .realTime, .endsAnyway)
struct PadKeysTests {
  private let pads: PadStage
  private let terminal: TmuxTerminal
  private let fermata: String

  init() throws {
    pads = try PadStage(PrivatePulse(sinks: ["speakers"]))
    fermata = try Program.beside("fermata").path
    terminal = try TmuxTerminal(in: pads.stage.folder, pads.stage.environment)
    try terminal.run("cd \(pads.stage.folder.path); stty -g > before; echo noted", writes: "noted")
    try terminal.record(to: pads.stage.folder.path("written"))
    try open()
  }

  private func open() throws {
    try terminal.type("clear; sh -c 'echo $$ > pid; exec \(fermata) pads play'; echo ended by $?")
    try terminal.press("Enter")
    try terminal.wait(for: "Esc silences, Ctrl-C ends")
    try terminal.wait(for: "1 long")
  }

  private func expectTerminalAsBefore() throws {
    try terminal.run("stty -g > after; cmp before after && echo same", writes: "same")
  }

  /// Waits until this was written to the terminal, where it may stand for a moment only.
  private func waitUntilWritten(_ text: String) throws {
    try pads.stage.waitForFile("written", with: text)
  }

  @Test("a key strikes its pad, which lights up; Esc silences all; Ctrl-C leaves the terminal as it was")
  func struck() throws {
    let start = pads.recorder.frames
    try terminal.press("1")
    let heard = try pads.recorder.waitForSound(from: start)
    try waitUntilWritten("▶1 long◀")
    try pads.recorder.waitForSilence(lasting: .milliseconds(200), from: heard)
    try terminal.wait(for: " 1 long ")
    // Of half a second of sound most is cut off.
    let again = pads.recorder.frames
    try terminal.press("1", "2")
    let second = try pads.recorder.waitForSound(from: again)
    try terminal.press("Escape")
    try pads.recorder.waitForSilence(lasting: .milliseconds(600), from: second)
    try waitUntilWritten("▶2 short◀")
    // Keys without a pad do nothing.
    try terminal.press("9", "p", "x", "Up")
    try pads.hearsNothing()
    try terminal.press("C-c")
    try terminal.wait(for: "ended by 0")
    try expectTerminalAsBefore()
    try pads.stop()
  }

  @Test(
    "a hit that is refused says why, until one sounds; the agent's end is told, and the terminal is as it was"
  )
  func refused() throws {
    do {
      let phone = try pads.ring()
      try pads.client.wait(for: "the call") { try !pads.pads().isEnabled }
      try terminal.press("1")
      try terminal.wait(for: "a call is going on")
      withExtendedLifetime(phone) {}
    }
    try pads.client.wait(for: "the pads") { try pads.pads().isEnabled }
    let start = pads.recorder.frames
    try terminal.press("1")
    try pads.recorder.waitForSound(from: start)
    try terminal.wait(for: "Esc silences, Ctrl-C ends")
    #expect(try pads.fermata("quit").status == .exited(0))
    try terminal.wait(until: "ended with an error") { lines in
      lines.contains { $0.firstRange(of: "ended by ") != nil && $0.firstRange(of: "ended by 0") == nil }
    }
    try expectTerminalAsBefore()
  }

  @Test("SIGTERM and SIGHUP leave the terminal as it was", arguments: [SIGTERM, SIGHUP])
  func signals(signal: Int32) throws {
    let text = try #require(TextFile.read(pads.stage.folder.path("pid")))
    let process = try #require(pid_t(text.filter(\.isNumber)))
    #expect(kill(process, signal) == 0)
    try terminal.wait(for: "ended by ")
    try expectTerminalAsBefore()
    try pads.stop()
  }
}
