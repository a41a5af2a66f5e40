// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

/// What would come back unseen, and cost memory only.
@Suite("The agent's memory", .serialized, .timeLimit(.minutes(5)))
struct MemoryTests {
  @Test("the library of regular expressions, a megabyte, is not used")
  func regularExpressions() throws {
    let found = try Child.run(
      Program(path: "/bin/sh"),
      ["-c", "grep -c 17_StringProcessing \"$0\" || true", Program.beside("fermata").path])
    #expect(found == "0\n", "a string is looked for in a string, with 'contains' or 'split'?")
  }

  @Test("its threads share one heap")
  func heaps() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    try stage.play(try stage.makeTone())
    let maps = try Child.run(Program(path: "/bin/cat"), ["/proc/\(stage.agent.processID)/maps"])
    // A thread's own heap is 64 MB of addresses, most of them never used.
    let reserved = maps.split(separator: "\n").filter { Self.isReserved($0) }
    #expect(reserved.isEmpty, "\(reserved)")
    try stage.stop()
  }

  private static func isReserved(_ line: Substring) -> Bool {
    let words = line.split(separator: " ")
    guard words.count > 1, words[1].hasPrefix("---") else { return false }
    let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
    return ends.count == 2 && ends[1] - ends[0] > 32 << 20
  }
}
