// SPDX-License-Identifier: MIT
import AudioModel
import FaceModel
import FermataTestKit
import PlaybackLogic
import Testing

@Suite("An agent that is killed at any instant", .serialized, .realTime, .endsAnyway)
struct CrashTests {
  @Test(
    "200 times: no edit that was answered is lost, none is there that was not made, and the place is near")
  func kills() async throws {
    let seed = UInt64.random(in: 1 ... .max)
    var run = try await CrashRun(seed: seed)
    for round in 0..<200 {
      do { try await run.round() } catch {
        throw KitError("round \(round), seed \(seed): \(error)")
      }
    }
    #expect(run.placesSeen > 150, "the place was there to be compared; seed \(seed)")
    #expect(run.cutOff > 10, "some edits were under way; seed \(seed)")
    try run.stage.stop()
  }

  @Test("while it plays on, no more than five seconds are lost")
  func place() async throws {
    let stage = try await StateStage()
    let tone = try Noise("long.wav", seed: 1, frames: 12 * 44_100, in: stage.folder)
    let recorder = try stage.server.record("speakers")
    try await stage.caller.call(AgentCall.play([tone.source], PlayOptions()))
    let start = try recorder.waitForSound()
    try recorder.wait(forFrames: start + 7 * 44_100, within: .patience)
    let heard = try #require(try await stage.caller.status().position)
    stage.kill()
    try await stage.restart()
    let status = try await stage.caller.status()
    #expect(status.state == .paused)
    let restored = try #require(status.position)
    #expect((heard - .seconds(5)...heard).contains(restored), "\(restored) after \(heard)")
    try stage.stop()
  }
}
