// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import Testing

/// What a listener reads of an evening, from the agent itself on a server. The expected texts were read aloud once.
@Suite("An evening as it is told", .serialized, .longRealTime, .endsAnyway)
struct EveningTests {
  private static let format = AudioFormat(rate: 44_100, channels: 2)

  /// A tagged track in the folder of a stage.
  private func track(_ title: String, seconds: Int, _ stage: AgentStage) throws -> String {
    try ToneFile.flac(
      "\(title.lowercased()).flac", Tone.sine(frames: seconds * 44_100, Self.format), Self.format,
      flags: ["-TTITLE=\(title)", "-TARTIST=Somebody"], in: stage.folder)
  }

  private func expect(_ reader: EveningReader, reads name: String) throws {
    Golden.expect(try reader.text(), is: "\(name).txt")
  }

  @Test("with a call", arguments: CallStage.Kind.desktops)
  func call(kind: CallStage.Kind) throws {
    let stage = try CallStage(kind)
    let reader = try EveningReader(stage.agent)
    try stage.fermata("play", try track("Nightfall", seconds: 60, stage.agent))
    try reader.wait(for: "now playing")
    try stage.hearsSound()
    do {
      let phone = try stage.ring()
      try reader.wait(for: "a call")
      try stage.hearsNothing()
      withExtendedLifetime(phone) {}
    }
    try reader.wait(for: "the call is over")
    try stage.hearsSound()
    try expect(reader, reads: "call")
    try stage.stop()
  }

  @Test("with headphones that are pulled out", arguments: RouteServer.allCases)
  func unplug(kind: RouteServer) throws {
    let stage = try RouteStage(kind, sinks: [], cards: [.laptop()], start: "laptop")
    let reader = try EveningReader(stage.stage)
    try stage.stage.fermata("play", try track("Nightfall", seconds: 60, stage.stage))
    try reader.wait(for: "now playing")
    try stage.ears.waitForSound(on: "laptop")
    try stage.ears.listen(for: .milliseconds(300))
    stage.count()
    try stage.card(.laptop()).setAvailable(["headphones": .no, "speaker": .unknown])
    try reader.wait(for: "unplugged")
    try stage.expectSilence()
    try stage.stage.fermata("play")
    try reader.wait(for: "playing")
    try stage.ears.waitForSound(on: "laptop")
    try expect(reader, reads: "unplug")
    try stage.stop()
  }

  @Test("with a sound server that is started again", arguments: RouteServer.allCases)
  func restart(kind: RouteServer) throws {
    let stage = try RouteStage(kind, sinks: ["speakers"], start: "speakers")
    let reader = try EveningReader(stage.stage)
    try stage.stage.fermata("play", try track("Nightfall", seconds: 60, stage.stage))
    try reader.wait(for: "now playing")
    try stage.ears.waitForSound(on: "speakers")
    stage.crashServer()
    try reader.wait(for: "the sound server is gone")
    try stage.stage.waitForStatus("Paused")
    try stage.restartServer(sinks: ["speakers"])
    try reader.wait(for: "the music goes on")
    try stage.ears.waitForSound(on: "speakers")
    // PipeWire gives a sink without a card another description.
    let description = try stage.server.control.world().sink(named: "speakers")?.description ?? ""
    Golden.expect(try reader.text().replacing(description, "Speakers"), is: "restart.txt")
    try stage.stop()
  }

  @Test("to the end of the queue")
  func end() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    let reader = try EveningReader(stage)
    let tracks = try ["Nightfall", "Daybreak"].map { try track($0, seconds: 2, stage) }
    _ = try stage.fermata(["play"] + tracks)
    try reader.wait(for: "finished")
    try expect(reader, reads: "end")
    try stage.stop()
  }

  @Test("with a file that is no sound, and one that breaks off")
  func broken() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    let reader = try EveningReader(stage)
    let first = try track("Nightfall", seconds: 5, stage)
    let words = try stage.folder.write("words.flac", "words")
    let cut = try track("Twilight", seconds: 4, stage)
    // About half of its frames are there.
    try #require(truncate(cut, 60_000) == 0)
    let last = try track("Daybreak", seconds: 60, stage)
    try stage.fermata("play", first)
    // The agent opens the next file before it is its turn, and says then that it is no sound. On a busy machine that may be before the tags of the first
    // one are read, without which it is not announced.
    try reader.wait(for: "now playing Nightfall")
    try stage.fermata("add", words, cut, last)
    try reader.wait(for: "now playing Daybreak")
    try expect(reader, reads: "broken")
    try stage.stop()
  }
}
