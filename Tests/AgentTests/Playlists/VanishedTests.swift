// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import Testing

@Suite("Files that vanish", .serialized, .realTime, .endsAnyway)
struct VanishedTests {
  @Test("one that vanished while no agent ran stays, is marked and skipped, and plays when it is back")
  func restored() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    let tones = try ["one.wav", "two.wav", "three.wav"].map { try stage.makeShortTone($0) }
    _ = try stage.fermata("play", tones[0], tones[1], tones[2])
    try stage.waitForStatus("Playing")
    rename(tones[1], stage.folder.path("away.wav"))
    try stage.restartAfterCrash()
    try stage.wait(for: "queue", "--json") { AgentStage.count(#""missing":true"#, in: $0) == 1 }
    #expect(try stage.fermata("queue").output.contains("two (missing)"))
    // No edit: what can be undone is still that the tracks came.
    _ = try stage.fermata("queue", "undo")
    #expect(try stage.fermata("queue", "--json").output.contains(#""length":0"#))
    _ = try stage.fermata("queue", "redo")
    try stage.wait(for: "queue", "--json") { AgentStage.count(#""missing":true"#, in: $0) == 1 }
    let events = try stage.events()
    _ = try stage.fermata("queue", "jump", "1")
    try stage.waitForStatus("Playing")
    stage.playerctl("next")
    try Self.wait(for: #""event":"skipped","entry":2"#, in: events)
    try stage.wait(for: "status", "--json") { $0.contains("three.wav") }
    rename(stage.folder.path("away.wav"), tones[1])
    _ = try stage.fermata("queue", "jump", "2")
    try stage.wait(for: "queue", "--json") { !$0.contains(#""missing""#) }
    #expect(stage.playerctl("metadata", "title") == "two")
    #expect(stage.playerctl("status") == "Playing")
    events.kill()
    try stage.stop()
  }

  @Test(
    "one that cannot be opened when its turn comes is marked then, and nobody can jump to it: what sounds goes on"
  )
  func whilePlaying() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    let tones = try ["one.wav", "two.wav", "three.wav"].map { try stage.makeShortTone($0) }
    _ = try stage.fermata("add", tones[0], tones[1], tones[2])
    unlink(tones[1])
    #expect(try stage.fermata("queue", "--json").output.contains("missing") == false)
    let stopped = try stage.fermata("queue", "jump", "2")
    #expect(stopped.status == .exited(1) && stopped.errors.contains("two.wav"), "\(stopped.errors)")
    #expect(stage.playerctl("status") == "Stopped")
    #expect(AgentStage.count(#""missing":true"#, in: try stage.fermata("queue", "--json").output) == 1)
    _ = try stage.fermata("queue", "jump", "1")
    try stage.waitForStatus("Playing")
    #expect(try stage.fermata("queue", "jump", "2").status == .exited(1))
    #expect(stage.playerctl("status") == "Playing" && stage.playerctl("metadata", "title") == "one")
    stage.playerctl("next")
    try stage.wait(for: "status", "--json") { $0.contains("three.wav") }
    try stage.stop()
  }

  @Test(
    "where all are gone, an order to play says so, and the status why it is silent; with one of them it plays"
  )
  func allGone() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    let tones = try ["one.wav", "two.wav"].map { try stage.makeShortTone($0) }
    _ = try stage.fermata("add", tones[0], tones[1])
    for tone in tones { rename(tone, tone + ".away") }
    for order in ["play", "toggle"] {
      let refused = try stage.fermata(order)
      #expect(refused.status == .exited(65) && refused.errors.contains("one.wav' cannot be opened"))
      #expect(try stage.fermata("status", "--json").output.contains(#""why":"unplayable""#))
    }
    rename(tones[1] + ".away", tones[1])
    #expect(try stage.fermata("play").status == .exited(0))
    try stage.waitForStatus("Playing")
    #expect(stage.playerctl("metadata", "title") == "two")
    try stage.stop()
  }

  @Test("what was on a disk that was not there when the agent started has its title once it plays")
  func titles() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    let format = AudioFormat(rate: 8_000, channels: 1)
    try stage.folder.makeFolder("disk")
    let path = try ToneFile.flac(
      "disk/a.flac", Tone.sine(400, frames: 60 * 8_000, format), format, flags: ["--tag=TITLE=Alpha"],
      in: stage.folder)
    _ = try stage.fermata("play", path)
    try stage.waitForStatus("Playing")
    try stage.wait(for: "Alpha", from: "metadata", "title")
    rename(stage.folder.path("disk"), stage.folder.path("away"))
    try stage.restartAfterCrash()
    try stage.wait(for: "queue", "--json") { $0.contains(#""missing":true"#) }
    #expect(stage.playerctl("metadata", "title") == "a")
    rename(stage.folder.path("away"), stage.folder.path("disk"))
    _ = try stage.fermata("play")
    try stage.waitForStatus("Playing")
    try stage.wait(for: "Alpha", from: "metadata", "title")
    try stage.stop()
  }

  private static func wait(for text: String, in events: Child) throws {
    let deadline = Deadline.patient
    while try !events.nextLine(until: deadline).contains(text) {}
  }
}
