// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import MediaModel
import PictureModel
import Testing

@Suite("Covers by sixel, in a terminal that takes them", .serialized, .realTime, .endsAnyway)
struct SixelTerminalTests {
  private static let answers =
    "\u{1B}P>|foot(1.16.2)\u{1B}\\\u{1B}[?2026;2$y\u{1B}[6;20;10t\u{1B}[?1;0;256S\u{1B}[?62;4;22c"

  /// How a cover begins that has so many pixels each way.
  private static func head(_ edge: Int) -> String { "\u{1B}P0;1q\"1;1;\(edge);\(edge)#0;2;" }

  @Test("a cover is sent whole and once, again when it comes back, and in another size for other cells")
  func life() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    try stage.folder.write("cover.png", Placeholder(of: "album").png(edge: 600).bytes)
    let track = try stage.makeTone("one.wav")
    try Child.run(.beside("fermata"), ["play", track], environment: stage.environment)
    let terminal = try KittyTerminal(stage, answers: Self.answers)
    try terminal.wait(for: "the queue") { terminal.output.contains("one") }
    // What takes a question for another command does that before the first frame, not in it.
    let question = try #require(terminal.output.firstRange(of: "\u{1B}[?1;1;0S"))
    #expect(terminal.output[question.upperBound...].contains("\u{1B}[2J"))
    #expect(!terminal.output[..<question.lowerBound].contains("\u{1B}[2J"))
    try terminal.type("5")
    func waitForCover(_ edge: Int, count: Int) throws {
      try terminal.wait(for: "cover \(count) of \(edge)") {
        let covers = terminal.output.ranges(of: Self.head(edge))
        guard covers.count == count, let last = covers.last else { return false }
        return terminal.output[last.upperBound...].contains("\u{1B}\\")
      }
    }
    // 32 by 16 cells of 10 by 20 pixels, in whole bands of six.
    try waitForCover(318, count: 1)
    // A second of music costs it nothing.
    let frames = terminal.count("\u{1B}[?2026l")
    try terminal.wait(for: "two seconds") { terminal.count("\u{1B}[?2026l") >= frames + 2 }
    #expect(terminal.count("\u{1B}P0;1q") == 1 && terminal.count("▀") == 0)
    try terminal.type("7")
    try terminal.wait(for: "the jobs") { terminal.output.contains("No job") }
    try terminal.type("5")
    try waitForCover(318, count: 2)
    // The letters are smaller now, and the system does not know.
    let asked = terminal.count("\u{1B}[16t")
    kill(terminal.program.processID, SIGWINCH)
    try terminal.wait(for: "the question") { terminal.count("\u{1B}[16t") == asked + 1 }
    try terminal.type("\u{1B}[6;10;5t")
    try waitForCover(156, count: 1)
    try terminal.type("q")
    try terminal.wait(for: "the shell's page") { terminal.output.hasSuffix("\u{1B}[?1049l") }
    #expect(terminal.program.exit(until: .patient) == .exited(0))
    try stage.stop()
  }
}
