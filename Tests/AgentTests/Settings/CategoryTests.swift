// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

/// The setting `category` on real servers: what is heard, and what other players are told.
@Suite("The category of the music", .serialized, .realTime, .endsAnyway)
struct CategoryTests {
  @Test(
    "ambient music goes on beside a call, also one that began before it, and nobody has muted it then",
    arguments: CallStage.Kind.desktops)
  func besideCall(kind: CallStage.Kind) throws {
    let stage = try CallStage.playing(kind)
    try stage.fermata("settings", "set", "category", "ambient")
    do {
      let phone = try stage.ring()
      try stage.server.control.wait(for: "the call") { $0.sinkInputs.count == 2 }
      try stage.isUnmuted()
      try stage.hearsSound()
      try stage.expect("playing", interruptions: [])
      // A stream that is made in the call is muted by some servers from its beginning.
      try stage.fermata("stop")
      try stage.fermata("play")
      try stage.isUnmuted()
      try stage.hearsSound()
      try stage.expect("playing", interruptions: [])
      withExtendedLifetime(phone) {}
    }
    try stage.hearsSound()
    try stage.expect("playing", interruptions: [])
    try stage.stop()
  }

  @Test("music that becomes ambient in a call is heard at once", arguments: CallStage.Kind.desktops)
  func becomesAmbient(kind: CallStage.Kind) throws {
    let stage = try CallStage.playing(kind)
    let phone = try stage.ring()
    try stage.ear.wait(forState: "interrupted")
    try stage.hearsNothing()
    try stage.fermata("settings", "set", "category", "ambient")
    try stage.ear.wait(forState: "playing")
    try stage.hearsSound()
    withExtendedLifetime(phone) {}
    try stage.stop()
  }

  @Test("ambient music sounds on when a headset is gone", arguments: RouteServer.allCases)
  func headsetGone(kind: RouteServer) throws {
    let desk = try RouteStage(kind, sinks: ["speakers"], cards: [.usbHeadset], start: "headset")
    try Child.run(
      .beside("fermata"), ["settings", "set", "category", "ambient"], environment: desk.stage.environment)
    try desk.play(on: "headset")
    try desk.card(.usbHeadset).remove()
    desk.events.wait(forChanges: 1)
    try desk.ears.waitForSound(on: "speakers")
    #expect(desk.stage.playerctl("status") == "Playing")
    try desk.stop()
  }

  @Test("solo: playerctl's daemon, which stands for whoever was heard last, is no player that has to pause")
  func deputy() throws {
    let stage = try GuardStage(.pulseAudio, cards: [.laptop()], start: "laptop")
    let agent = stage.routes.stage
    let daemon = try Child(.named("playerctld", package: "playerctl"), [], environment: agent.environment)
    try agent.wait(for: "Stopped", from: "--player=playerctld", "status")
    try Child.run(
      .beside("fermata"), ["settings", "set", "category", "solo"], environment: agent.environment)
    try stage.play("other", on: "laptop")
    try agent.play(try agent.makeTone())
    // The daemon passes this on to the one that it takes for present, which is ours by now.
    try agent.wait(for: "Playing", from: "--player=playerctld", "status")
    stage.expect(["other paused"])
    #expect(agent.playerctl("status") == "Playing")
    daemon.kill()
    try stage.stop()
  }

  @Test("solo: who plays when our music begins is told to pause, and told in the events")
  func solo() throws {
    let stage = try GuardStage(.pulseAudio, cards: [.laptop()], start: "laptop")
    let environment = stage.routes.stage.environment
    try Child.run(
      .beside("fermata"), ["settings", "set", "guard-except", "spared"], environment: environment)
    try stage.play("other", on: "laptop")
    try stage.play("spared", on: "laptop")
    try stage.routes.stage.play(try stage.routes.stage.makeTone())
    #expect(stage.pauses(of: "other") == 0)
    stage.routes.stage.playerctl("pause")
    try stage.routes.stage.waitForStatus("Paused")
    try Child.run(.beside("fermata"), ["settings", "set", "category", "solo"], environment: environment)
    stage.routes.stage.playerctl("play")
    stage.expect(["other paused"])
    #expect(stage.pauses(of: "other") == 1 && stage.pauses(of: "spared") == 0)
    #expect(stage.routes.stage.playerctl("status") == "Playing")
    try stage.stop()
  }

  @Test("solo: the player in a process, too, has others pause, the session's own among them")
  func soloHere() throws {
    let stage = try GuardStage(.pulseAudio, cards: [.laptop()], start: "laptop")
    let agent = stage.routes.stage
    try Child.run(
      .beside("fermata"), ["settings", "set", "category", "solo"], environment: agent.environment)
    try agent.play(try agent.makeTone())
    let here = try Child(
      .beside("fermata"), ["play", "--here", try agent.makeTone("here.wav")], environment: agent.environment)
    try agent.waitForStatus("Paused")
    here.kill()
    try stage.stop()
  }
}
