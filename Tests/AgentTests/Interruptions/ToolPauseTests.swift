// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import Testing

@Suite("I15: programs that pause for reasons of their own", .serialized, .realTime, .endsAnyway)
struct ToolPauseTests {
  /// playerctl under another name, as the kernel has it.
  private struct Tool {
    private let program: Program
    private let stage: CallStage

    init(_ name: String, _ stage: CallStage) throws {
      self.stage = stage
      let path = stage.agent.folder.path(name)
      guard symlink(try Program.named("playerctl", package: "playerctl").path, path) == 0 else {
        throw KitError("no link \(path)")
      }
      program = Program(path: path)
    }

    func callAsFunction(_ order: String) throws {
      try Child.run(program, ["-p", "fermata", order], environment: stage.agent.environment)
    }
  }

  @Test("a phone link's Pause interrupts, and its Play takes back that and nothing else")
  func phoneLink() throws {
    let stage = try CallStage.playing(.pulseAudio)
    let link = try Tool("kdeconnectd", stage)
    try link("pause")
    try stage.ear.wait(forState: "interrupted", why: "tool:KDE Connect")
    try stage.hearsNothing()
    try stage.expect("interrupted", why: "tool:KDE Connect", interruptions: ["tool:KDE Connect"])
    try link("play")
    try stage.ear.wait(forState: "playing")
    try stage.hearsSound()
    #expect(
      stage.ear.interruptions
        == ["began tool:KDE Connect wasPlaying", "ended tool:KDE Connect resumes"])
    stage.agent.playerctl("pause")
    try stage.ear.wait(forState: "paused", why: "user")
    try link("pause")
    try link("play")
    try stage.expect("paused", why: "user", interruptions: [])
    try stage.hearsNothing()
    try stage.stop()
  }

  @Test("the user ends it with Play, and makes it last with Pause")
  func user() throws {
    let stage = try CallStage.playing(.pulseAudio)
    let link = try Tool("kdeconnectd", stage)
    try link("pause")
    try stage.ear.wait(forState: "interrupted")
    stage.agent.playerctl("play")
    try stage.ear.wait(forState: "playing")
    try link("pause")
    try stage.ear.wait(forState: "interrupted")
    stage.agent.playerctl("pause")
    try stage.ear.wait(forState: "paused", why: "user")
    try link("play")
    try stage.expect("paused", why: "user", interruptions: [])
    try stage.stop()
  }

  @Test("its Play in a call does not end the call")
  func inCall() throws {
    let stage = try CallStage.playing(.pulseAudio)
    let link = try Tool("kdeconnectd", stage)
    do {
      let phone = try stage.ring()
      try stage.ear.wait(forState: "interrupted")
      try link("pause")
      try link("play")
      try stage.expect("interrupted", why: "call")
      try stage.hearsNothing()
      withExtendedLifetime(phone) {}
    }
    try stage.ear.wait(forState: "playing")
    try stage.stop()
  }

  @Test("the session manager's Pause with a lost output counts once, and its Play brings nothing back")
  func sessionManager() throws {
    let stage = try CallStage.playing(.pulseAudio, sinks: ["headphones", "speakers"])
    let manager = try Tool("wireplumber", stage)
    try manager("pause")
    try stage.expect("interrupted", why: "tool:WirePlumber", interruptions: [])
    try manager("play")
    try stage.expect("playing", interruptions: [])
    try stage.server.unload(sink: "headphones")
    try manager("pause")
    try stage.ear.wait(for: "oldDeviceUnavailable")
    try manager("play")
    try stage.expect("paused", why: "route", interruptions: [])
    #expect(stage.ear.interruptions.isEmpty)
    #expect(stage.ear.reasons == ["oldDeviceUnavailable"])
    #expect(stage.ear.pausingReasons == ["oldDeviceUnavailable"])
    try stage.stop()
  }

  // Newer session managers pause players some 90 ms before the loss can be told.
  @Test("a loss that the session manager's Pause came before is what paused the music all the same")
  func sessionManagerFirst() throws {
    let stage = try CallStage.playing(.pulseAudio, sinks: ["headphones", "speakers"])
    let manager = try Tool("wireplumber", stage)
    try manager("pause")
    try stage.ear.wait(forState: "interrupted", why: "tool:WirePlumber")
    try stage.server.unload(sink: "headphones")
    try stage.ear.wait(for: "oldDeviceUnavailable")
    try stage.expect("paused", why: "route", interruptions: [])
    #expect(stage.ear.pausingReasons == ["oldDeviceUnavailable"])
    try stage.stop()
  }
}
