// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

@Suite("A server that makes no stream for us", .serialized, .realTime, .endsAnyway)
struct CrowdedServerTests {
  private static let format = AudioFormat(rate: 44_100, channels: 2)
  /// As many streams PulseAudio takes for one output.
  private static let most = 256

  private func crowd(_ count: Int, _ pulse: PrivatePulse) throws -> [OtherStream] {
    let first = try OtherStream([0, 0], Self.format, address: pulse.serverAddress, sink: "speakers")
    return try [first]
      + (1..<count).map { _ in
        try OtherStream([0, 0], Self.format, of: first, sink: "speakers")
      }
  }

  @Test("is asked now and then, and the music begins when there is room")
  func full() throws {
    let pulse = try PrivatePulse(sinks: ["speakers"])
    let stage = try AgentStage(pulse)
    var others = try crowd(Self.most, pulse)
    stage.playerctl("open", "file://\(try stage.makeTone())")
    try stage.waitForLog("makes no stream")
    try stage.waitForStatus("Paused")
    let before = try stage.contextSwitches()
    // Each of these takes some milliseconds; an agent that asks all the time would be busy in between.
    for _ in 0..<50 { stage.playerctl("status") }
    #expect(try stage.contextSwitches() - before < 1_000)
    others.removeLast()
    try stage.waitForStatus("Playing")
    #expect(stage.agent.standardError.split(separator: "\n").count { $0.contains("makes no stream") } == 1)
    try stage.stop()
  }

  @Test("for the next track, of another format, does not keep that from playing after the present one")
  func fullForTheNext() throws {
    let pulse = try PrivatePulse(sinks: ["speakers"])
    let stage = try AgentStage(pulse)
    let first = try stage.folder.write(
      "first.wav", WAVFile.bytes([Float](repeating: 0.25, count: 44_100 * 4), Self.format))
    let other = AudioFormat(rate: 48_000, channels: 2)
    let second = try stage.folder.write(
      "second.wav", WAVFile.bytes([Float](repeating: 0.25, count: 48_000 * 60), other))
    let others = try crowd(Self.most - 1, pulse)
    try Child.run(.beside("fermata"), ["play", first, second], environment: stage.environment)
    try stage.wait(for: "second", from: "metadata", "title")
    try stage.waitForStatus("Playing")
    withExtendedLifetime(others) {}
    try stage.stop()
  }
}
