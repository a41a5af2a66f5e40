// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

/// What would come back unseen, and cost memory or time only.
@Suite("What the programs load", .serialized, .endsAnyway)
struct MemoryTests {
  @Test("the library of regular expressions, a megabyte, is not used")
  func regularExpressions() throws {
    let found = try Child.run(
      Program(path: "/bin/sh"),
      ["-c", "grep -c 17_StringProcessing \"$0\" || true", Program.beside("fermata").path])
    #expect(found == "0\n", "a string is looked for in a string, with 'contains' or 'split'?")
  }

  @Test("a command loads the bus's library, and none that only the agent needs")
  func librariesOfClients() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    let events = try stage.events()
    let maps = try Child.run(Program(path: "/bin/cat"), ["/proc/\(events.processID)/maps"])
    let libraries = Set(
      maps.split(separator: "\n").compactMap { $0.split(separator: "/").last }.filter { $0.contains(".so") })
    #expect(libraries.contains { $0.hasPrefix("libdbus") }, "\(libraries)")
    let heavy = [
      "libpulse", "libsqlite", "libFLAC", "libmpg123", "libtag", "libvorbis", "libopus", "libebur128",
    ]
    #expect(!libraries.contains { library in heavy.contains { library.hasPrefix($0) } }, "\(libraries)")
    _ = events.stop(within: .patience)
    try stage.stop()
  }

  @Test("the agent's threads share one heap")
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
