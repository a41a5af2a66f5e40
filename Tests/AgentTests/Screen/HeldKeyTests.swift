// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import Testing

@Suite("Keys that are held, in a terminal that tells", .serialized, .realTime, .endsAnyway)
struct HeldKeyTests {
  private static let down = "\u{1B}[46;2;62u"
  private static let again = "\u{1B}[46;2:2;62u"
  private static let up = "\u{1B}[46;1:3u"

  private let stage: AgentStage
  private let terminal: KittyTerminal

  /// A queue of three tracks, the second of which plays, and the screen that shows them.
  init() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    self.stage = stage
    let tracks = try ["one", "two", "three"].map { try stage.makeTone("\($0).wav") }
    try Child.run(.beside("fermata"), ["play"] + tracks, environment: stage.environment)
    try Child.run(.beside("fermata"), ["next"], environment: stage.environment)
    let terminal = try KittyTerminal(stage)
    try terminal.wait(for: "the keyboard's mode") { terminal.count(KittyTerminal.push) == 1 }
    try terminal.wait(for: "the queue") { terminal.output.contains("three") }
    self.terminal = terminal
  }

  private func status(_ template: String) throws -> String {
    try Child.run(.beside("fermata"), ["status", "--format", template], environment: stage.environment)
  }

  private func wait(for state: String) throws {
    try terminal.wait(for: state) { try status("{state} {title}") == "\(state)\n" }
  }

  private func end() throws {
    terminal.program.stop(within: .patience)
    try stage.stop()
  }

  @Test("held, the key seeks in the track until it is let go; tapped, it skips")
  func seeking() throws {
    try terminal.type(Self.down)
    try wait(for: "seekingForward two")
    for _ in 0..<20 { try terminal.type(Self.again) }
    try wait(for: "seekingForward two")
    try terminal.type(Self.up)
    try wait(for: "playing two")
    try terminal.type(Self.down + Self.up)
    try wait(for: "playing three")
    // The window loses the keyboard while the key is down.
    try terminal.type(Self.down)
    try wait(for: "seekingForward three")
    try terminal.type("\u{1B}[O")
    try wait(for: "playing three")
    try end()
  }

  @Test("Ctrl-Z takes the keyboard's mode back, and it is set again once afterwards")
  func suspension() throws {
    try terminal.type("\u{1B}[122;5u")
    let (terminal, process) = (terminal, terminal.program.processID)
    try terminal.wait(for: "the mode's end") { terminal.count(KittyTerminal.pop) == 1 }
    #expect(terminal.output.hasSuffix("\u{1B}[?1049l"))
    try terminal.wait(for: "the mode", nudge: { kill(process, SIGCONT) }) {
      terminal.count(KittyTerminal.push) == 2
    }
    // A signal to go on that comes without a stop changes nothing.
    kill(process, SIGCONT)
    try terminal.wait(for: "the screen, painted anew") { terminal.count("\u{1B}[=31u") >= 1 }
    try terminal.type("\u{1B}[113u")
    try terminal.wait(for: "the end") { terminal.count(KittyTerminal.pop) == 2 }
    #expect(terminal.count(KittyTerminal.push) == 2)
    #expect(terminal.program.exit(until: .patient) == .exited(0))
    try stage.stop()
  }

  @Test("the release of a key that comes when it ends is not left for the shell")
  func lateRelease() throws {
    let process = terminal.program.processID
    let terminal = terminal
    kill(process, SIGSTOP)
    try terminal.wait(for: "the stop") { TextFile.read("/proc/\(process)/stat")?.contains(") T ") == true }
    try terminal.type("\u{1B}[113;1:3u")
    try terminal.wait(for: "the release") { terminal.unread() > 0 }
    kill(process, SIGTERM)
    kill(process, SIGCONT)
    #expect(terminal.program.exit(until: .patient) == .killed(SIGTERM))
    #expect(terminal.unread() == 0)
    try stage.stop()
  }

  @Test(
    "however it ends, the keyboard's mode is taken back once",
    arguments: [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGSEGV, SIGUSR1, 0])
  func ends(signal: Int32) throws {
    // Without a signal by Ctrl-C, which is a key here.
    if signal == 0 { try terminal.type("\u{1B}[99;5u") } else { kill(terminal.program.processID, signal) }
    let exit = terminal.program.exit(until: .patient)
    #expect(exit == (signal == 0 ? .exited(0) : .killed(signal)))
    let terminal = terminal
    try terminal.wait(for: "the mode's end") { terminal.count(KittyTerminal.pop) == 1 }
    #expect(terminal.count(KittyTerminal.push) == 1)
    let rest = terminal.output.ranges(of: KittyTerminal.pop).first.map { terminal.output[$0.upperBound...] }
    #expect(rest?.contains("\u{1B}[?1049l") == true)
    try stage.waitForStatus("Playing")
    try stage.stop()
  }
}
