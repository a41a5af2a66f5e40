// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

@Suite("What a mixer shows of the music", .serialized, .realTime, .endsAnyway)
struct StreamNameTests {
  private static let format = AudioFormat(rate: 44_100, channels: 2)

  @Test("is artist and title, changed once a track, and nothing else of the stream changes with it")
  func names() throws {
    let pulse = try PrivatePulse(sinks: ["speakers"])
    let stage = try AgentStage(pulse)
    let recorder = try pulse.record("speakers")
    let tracks = try ["One", "Two", "Three", "Four"].map { title in
      try ToneFile.flac(
        "\(title).flac", Tone.sine(frames: (title == "Four" ? 60 : 3) * 44_100, Self.format), Self.format,
        flags: ["-TTITLE=\(title)", "-TARTIST=Somebody"], in: stage.folder)
    }
    #expect(try stage.fermata(["play"] + tracks).status == .exited(0))
    let start = try recorder.waitForSound(floor: 0.01)
    func stream(named title: String) throws -> SinkInput.Index {
      let name = "Somebody – \(title)"
      let world = try pulse.control.wait(for: name) { $0.sinkInputs.contains { $0.name == name } }
      return try #require(world.sinkInputs.first { $0.name == name }?.index)
    }
    let index = try stream(named: "One")
    // The stream has its full buffer by then.
    try recorder.wait(forFrames: recorder.frames + 44_100)
    var changes = [pulse.control.changes(of: index)]
    for title in ["Two", "Three", "Four"] {
      #expect(try stream(named: title) == index)
      changes.append(pulse.control.changes(of: index))
    }
    let end = start + 10 * 44_100
    let recording = try recorder.wait(forFrames: end)
    changes.append(pulse.control.changes(of: index))
    let steps = zip(changes, changes.dropFirst()).map { $1 - $0 }
    #expect(steps == [1, 1, 1, 0], "\(changes)")
    // The new name costs no gap.
    let gap = (start..<end - 5).first { frame in (0..<5).allSatisfy { !recording.isSounding(frame + $0) } }
    #expect(gap == nil, "silence from frame \(gap ?? 0) on")
    try stage.stop()
  }
}
