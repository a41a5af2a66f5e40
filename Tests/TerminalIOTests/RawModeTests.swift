// SPDX-License-Identifier: MIT
import Glibc
import Testing

@testable import TerminalIO

@Suite("Raw mode", .serialized)
struct RawModeTests {
  @Test("the terminal comes back when it is let go of")
  func scope() throws {
    let terminal = try PseudoTerminal()
    #expect(terminal.isCooked)
    for _ in 0..<2 {
      let raw = try RawMode(terminal.slave)
      #expect(!terminal.isCooked)
      withExtendedLifetime(raw) {}
    }
    #expect(terminal.isCooked)
  }

  @Test("Ctrl-S is a key like others, and does not hold up what is written")
  func held() throws {
    let terminal = try PseudoTerminal()
    let raw = try RawMode(terminal.slave)
    terminal.type("\u{13}")
    #expect(Terminal.takesText(terminal.slave) && Terminal.readAvailable(terminal.slave) == [0x13])
    withExtendedLifetime(raw) {}
  }

  @Test("whether a pipe or a terminal would hold up a writer can be seen before")
  func full() throws {
    let terminal = try PseudoTerminal()
    #expect(Terminal.takesText(terminal.slave))
    terminal.type("\u{13}")
    #expect(!Terminal.takesText(terminal.slave))
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(Terminal.takesText(ends[1]))
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    let bytes = [UInt8](repeating: 0, count: 4_096)
    while write(ends[1], bytes, bytes.count) > 0 {}
    #expect(!Terminal.takesText(ends[1]))
  }

  @Test("what is no terminal is refused, and nothing stays behind")
  func refused() throws {
    let file = open("/dev/null", O_RDONLY)
    defer { close(file) }
    let error = #expect(throws: TerminalError.self) { try RawMode(file) }
    #expect(error?.code == ENOTTY && error?.operation == .mode)
    let terminal = try PseudoTerminal()
    withExtendedLifetime(try RawMode(terminal.slave)) {}
    #expect(terminal.isCooked)
  }

  @Test(
    "the terminal comes back at any signal that ends the process",
    arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func fatal(signal: Int32) throws {
    let terminal = try PseudoTerminal()
    let probe = try Probe(at: terminal)
    #expect(probe.line() == "ready")
    #expect(!terminal.isCooked)
    probe.send(signal)
    #expect(probe.endSignal() == signal)
    #expect(terminal.isCooked)
  }

  @Test("the terminal comes back at the end and at exit", arguments: ["q", "x"])
  func exit(key: String) throws {
    let terminal = try PseudoTerminal()
    let probe = try Probe(at: terminal)
    #expect(probe.line() == "ready")
    terminal.type(key)
    #expect(probe.line() == "character(\"\(key)\")")
    #expect(probe.endSignal() == 0)
    #expect(terminal.isCooked)
  }

  @Test("where Ctrl-Z stops nothing, raw mode stays")
  func unstoppable() throws {
    let terminal = try PseudoTerminal()
    let probe = try Probe(at: terminal, alone: true)
    #expect(probe.line() == "ready")
    for _ in 0..<2 {
      probe.send(SIGTSTP)
      terminal.type("n")
      #expect(probe.line() == "character(\"n\")")
      #expect(!terminal.isCooked)
    }
    expectEnd(of: probe, at: terminal)
  }

  @Test("the terminal comes back while the process is stopped, each time", arguments: [1, 3])
  func stopped(times: Int) throws {
    let terminal = try PseudoTerminal()
    let probe = try Probe(at: terminal)
    #expect(probe.line() == "ready")
    for _ in 0..<times {
      probe.send(SIGTSTP)
      #expect(probe.stopSignal() == SIGTSTP)
      #expect(terminal.isCooked)
      probe.send(SIGCONT)
      // Without a line's end it gets through in raw mode only. What is typed before the mode has changed waits for it.
      terminal.type("n")
      #expect(probe.line() == "character(\"n\")")
      #expect(!terminal.isCooked)
    }
    expectEnd(of: probe, at: terminal)
  }

  /// Ended by a signal, it leaves the terminal as it was.
  private func expectEnd(of probe: Probe, at terminal: PseudoTerminal) {
    probe.send(SIGTERM)
    #expect(probe.endSignal() == SIGTERM)
    #expect(terminal.isCooked)
  }
}
