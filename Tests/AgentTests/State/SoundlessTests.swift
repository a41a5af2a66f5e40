// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import Testing

@Suite("Files with next to no sound", .serialized, .realTime, .endsAnyway)
struct SoundlessTests {
  private static let format = AudioFormat(rate: 44_100, channels: 2)

  private static func wav(frames: Int) -> [UInt8] {
    WAVFile.bytes([Float](repeating: 0.25, count: frames * 2), format)
  }

  /// Queues three files that sound, of which so many frames are then left, and has them play. Returns how that ended.
  private func play(
    frames: Int, repeating mode: String, _ stage: AgentStage
  ) throws -> FermataTestKit.ExitStatus? {
    let names = ["a.wav", "b.wav", "c.wav"]
    for name in names { _ = try stage.folder.write(name, Self.wav(frames: 44_100)) }
    try fermata(["add"] + names.map { stage.folder.path($0) }, stage)
    for name in names { _ = try stage.folder.write(name, Self.wav(frames: frames)) }
    try fermata(["repeat", mode], stage)
    let play = try Child(.beside("fermata"), ["play"], environment: stage.environment)
    return play.exit(until: .patient)
  }

  private func fermata(_ words: [String], _ stage: AgentStage) throws {
    try Child.run(.beside("fermata"), words, environment: stage.environment)
  }

  @Test("without a frame, a whole round of them ends, and each is told once", arguments: ["all", "one"])
  func soundless(mode: String) throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    #expect(try play(frames: 0, repeating: mode, stage) == .exited(65))
    try stage.waitForLog("has no sound")
    try stage.waitForStatus("Stopped")
    #expect(stage.agent.standardError.split(separator: "\n").count { $0.contains("is skipped") } == 3)
    // What has sound among them is played, again and again, and the others are passed over.
    _ = try stage.folder.write("b.wav", Self.wav(frames: 44_100))
    try fermata(["queue", "jump", "2"], stage)
    try stage.wait(for: "b", from: "metadata", "title")
    try stage.waitForStatus("Playing")
    try stage.stop()
  }

  @Test("of one frame each, they leave the agent time to answer", arguments: ["all", "one"])
  func shortest(mode: String) throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    #expect(try play(frames: 1, repeating: mode, stage) == .exited(0))
    for _ in 0..<20 { #expect(stage.playerctl("status") == "Playing") }
    stage.playerctl("pause")
    try stage.waitForStatus("Paused")
    try stage.stop()
  }

  @Test("named for playing, they are refused with the reason")
  func refused() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    let file = try stage.folder.write("empty.wav", Self.wav(frames: 0))
    let child = try Child(.beside("fermata"), ["play", file], environment: stage.environment)
    #expect(child.exit(until: .patient) == .exited(65))
    #expect(child.standardError.contains("has no sound"))
    try stage.stop()
  }
}
