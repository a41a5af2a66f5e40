// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import Testing

@Suite("A long list on a terminal", .serialized, .realTime, .endsAnyway)
struct LongListTests {
  @Test("is shown from near the current row, in one screenful and without a pager; in a pipe it is whole")
  func longQueue() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    try stage.folder.makeFolder("long")
    let first = try stage.makeShortTone("long/1001.wav")
    for number in 1_002...1_500 {
      try #require(link(first, stage.folder.path("long/\(number).wav")) == 0)
    }
    #expect(try stage.fermata("add", stage.folder.path("long")).status == .exited(0))
    #expect(try stage.fermata("queue", "jump", "300").status == .exited(0))
    try stage.waitForStatus("Playing")
    // An answer comes with the lengths that were read by then.
    try stage.wait(for: "queue", "list", "297-316") { !$0.contains("–") }
    let terminal = try TmuxTerminal(in: stage.folder, stage.environment)
    let program = try Program.beside("fermata").path
    try terminal.run("\(program) queue; echo over", writes: "over")
    let lines = try terminal.history()
    let rows = lines.filter { $0.contains("0:30") }
    // As many as fit above the sum, the word about the others and the prompt; the first of them stands three before the current one.
    #expect(rows.count == 20 && rows.first?.contains(" 297 ") == true, "\(lines)")
    #expect(rows.dropFirst(3).first?.hasPrefix("▶  300  1300") == true, "\(lines)")
    #expect(
      lines.contains { $0.contains(" of 500 tracks, ") }
        && lines.contains("'fermata queue list 1-' lists all of them"))
    #expect(try stage.fermata("queue").output.split(separator: "\n").count == 501)
    try stage.stop()
  }
}
