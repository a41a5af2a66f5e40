// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import Testing

@Suite("A server that falls silent", .serialized, .realTime, .endsAnyway)
struct ServerSilenceTests {
  @Test("an output that the server lets go of interrupts, and goes on with it")
  func suspended() throws {
    let stage = try CallStage.playing(.pulseAudio)
    try stage.server.control.suspend(sink: "speakers", true)
    try stage.ear.wait(forState: "interrupted", why: "suspend")
    try stage.expect("interrupted", why: "suspend", interruptions: ["suspend"])
    try stage.server.control.suspend(sink: "speakers", false)
    try stage.ear.wait(forState: "playing")
    try stage.hearsSound()
    #expect(stage.ear.interruptions == ["began suspend wasPlaying", "ended suspend resumes"])
    try stage.stop()
  }

  @Test("what the user pauses meanwhile stays paused, and an idle output interrupts nobody")
  func pausedWhileSuspended() throws {
    let stage = try CallStage.playing(.pulseAudio)
    try stage.server.control.suspend(sink: "speakers", true)
    try stage.ear.wait(forState: "interrupted", why: "suspend")
    stage.agent.playerctl("pause")
    try stage.ear.wait(forState: "paused", why: "user")
    try stage.server.control.suspend(sink: "speakers", false)
    try stage.ear.wait(forEndOf: "suspend")
    stage.ear.forget()
    try stage.server.control.suspend(sink: "speakers", true)
    try stage.server.control.suspend(sink: "speakers", false)
    try stage.expect("paused", why: "user", interruptions: [])
    try stage.hearsNothing()
    stage.agent.playerctl("play")
    try stage.ear.wait(forState: "playing")
    try stage.hearsSound()
    #expect(stage.ear.interruptions.isEmpty)
    try stage.stop()
  }

  @Test(
    "a server that stands still interrupts after three seconds, and the music goes on with it",
    arguments: CallStage.Kind.desktops)
  func stalled(kind: CallStage.Kind) throws {
    let stage = try CallStage.playing(kind)
    stage.server.send(signal: SIGSTOP)
    try stage.ear.wait(forState: "interrupted", why: "stall")
    let place = stage.agent.playerctl("position")
    try stage.expect("interrupted", why: "stall", interruptions: ["stall"])
    #expect(stage.agent.playerctl("position") == place, "nothing is heard, so the place stands")
    stage.server.send(signal: SIGCONT)
    try stage.ear.wait(forState: "playing")
    try stage.hearsSound()
    #expect(stage.ear.interruptions == ["began stall wasPlaying", "ended stall resumes"])
    try stage.stop()
  }
}
