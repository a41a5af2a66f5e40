// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import Testing

@Suite("An order that is cut short", .serialized, .realTime, .endsAnyway)
struct CutShortTests {
  private static let folders = 200
  private static let filesPerFolder = 100

  /// A folder with 20,000 tiny files, in folders that are walked through one after another.
  private func makeBigFolder(in folder: TemporaryDirectory) throws -> String {
    let bytes = WAVFile.bytes([0.25, 0.25], AudioFormat(rate: 8_000, channels: 1))
    let big = try folder.makeFolder("big")
    for number in 0..<Self.folders {
      try folder.makeFolder("big/\(1_000 + number)")
      for file in 0..<Self.filesPerFolder {
        try folder.write("big/\(1_000 + number)/\(1_000 + file).wav", bytes)
      }
    }
    return big
  }

  /// An agent that plays "one" and has "two" in its queue, with the big folder beside.
  private func playing() throws -> (stage: AgentStage, big: String) {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    let big = try makeBigFolder(in: stage.folder)
    let files = try ["one", "two"].map { try stage.makeTone("\($0).wav") }
    #expect(try stage.fermata(["play"] + files).status == .exited(0))
    try stage.waitForStatus("Playing")
    return (stage, big)
  }

  /// Gives an order about the big folder, and interrupts it once the walk has come to the twentieth of its folders.
  private func cut(_ words: [String], _ big: String, _ stage: AgentStage) throws {
    let begun = try FolderOpening("\(big)/1020")
    let client = try Child(.beside("fermata"), words + [big], environment: stage.environment)
    try #require(begun.isSeen(until: .patient), "the walk does not begin: \(client.standardError)")
    client.send(signal: SIGINT)
    #expect(client.exit(until: .patient) == .killed(SIGINT))
  }

  @Test(
    "by Ctrl-C during a walk through a big folder leaves the queue and the music as they were",
    arguments: [["add"], ["add", "--next"], ["play"], ["play", "--shuffle"]])
  func interrupted(words: [String]) throws {
    let (stage, big) = try playing()
    let last = try FolderOpening("\(big)/\(1_000 + Self.folders - 1)")
    let before = try stage.fermata("queue", "--json").output
    try cut(words, big, stage)
    // What is ordered now is done after whatever is left of the walk.
    let other = try stage.makeShortTone("three.wav")
    #expect(try stage.fermata("add", other).status == .exited(0))
    #expect(try stage.fermata("queue", "undo").status == .exited(0))
    #expect(try stage.fermata("queue", "--json").output == before)
    #expect(stage.playerctl("status") == "Playing" && stage.playerctl("metadata", "title") == "one")
    #expect(!last.isSeen(), "the walk went on to its end for nobody")
    try stage.stop()
  }

  @Test("holds up nobody: the next order does not wait for a walk that nobody waits for")
  func next() throws {
    let (stage, big) = try playing()
    let other = try stage.makeShortTone("three.wav")
    let whole = try Monotonic.time { _ = try stage.fermata("add", big) }
    var times: [Duration] = []
    for _ in 0..<5 {
      try cut(["add"], big, stage)
      times.append(try Monotonic.time { _ = try stage.fermata("play", other) })
      #expect(try stage.entries().count == 1)
    }
    // When it is cut, nine tenths of the walk are still to come.
    #expect(times.sorted()[2] < whole / 2, "\(times), and a whole walk takes \(whole)")
    try stage.stop()
  }

  @Test(
    "of an agent that does not answer, a command that begins a job is ended by it, too", arguments: [1, 2])
  func hungAgent(signals: Int) throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    #expect(try stage.fermata("library", "add", try stage.folder.makeFolder("music")).status == .exited(0))
    #expect(kill(stage.agent.processID, SIGSTOP) == 0)
    let client = try Child(
      .beside("fermata"), ["library", "scan", "--wait", stage.folder.path("music")],
      environment: stage.environment)
    try waitUntilBlocked(SIGINT, in: client)
    for _ in 0..<signals { client.send(signal: SIGINT) }
    #expect(client.exit(until: .patient) == .killed(SIGINT))
    #expect(kill(stage.agent.processID, SIGCONT) == 0)
    try stage.stop()
  }

  /// Waits until a process has blocked this signal, because it reads it itself from then on.
  private func waitUntilBlocked(_ signal: Int32, in process: Child) throws {
    let deadline = Deadline.patient
    while true {
      let lines = (TextFile.read("/proc/\(process.processID)/status") ?? "").split(separator: "\n")
      let mask = lines.first { $0.hasPrefix("SigBlk:") }?.split(separator: "\t").last.flatMap {
        UInt64($0, radix: 16)
      }
      if let mask, mask & 1 << UInt64(signal - 1) != 0 { return }
      if deadline.hasPassed { throw KitError("signal \(signal) is not blocked") }
      sched_yield()
    }
  }

  @Test("a queue that is saved while others are served is not written for who has left")
  func save() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]), isVerbose: true)
    #expect(try stage.fermata("add", try stage.makeTone("one.wav")).status == .exited(0))
    let held = try HeldThread(named: "orders", of: stage.agent.processID)
    let client = try Child(
      .beside("fermata"), ["queue", "save", stage.folder.path("list.m3u8")], environment: stage.environment)
    try stage.waitForLog("bus: Save")
    client.send(signal: SIGINT)
    #expect(client.exit(until: .patient) == .killed(SIGINT))
    try stage.waitForLog("left before its order was carried out")
    held.release()
    #expect(try stage.fermata("queue", "save", stage.folder.path("other.m3u8")).status == .exited(0))
    #expect(access(stage.folder.path("list.m3u8"), F_OK) != 0)
    try stage.stop()
  }

  @Test("the end of what is typed in a terminal is typed once")
  func typedOnce() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    let file = try stage.makeTone("one.wav")
    let terminal = try TmuxTerminal(in: stage.folder, stage.environment)
    // While the shell edits its line, the terminal passes every key as it is. What is typed for the command must come after that.
    try terminal.type("echo be''gun; \(try Program.beside("fermata").path) add -; echo ended by $?")
    try terminal.press("Enter")
    try terminal.wait(until: "the command") { $0.contains("begun") }
    try terminal.type(file)
    try terminal.press("Enter", "C-d")
    try terminal.wait(until: "the end") { $0.contains("ended by 0") }
    #expect(try stage.entries().count == 1)
    try stage.stop()
  }
}
