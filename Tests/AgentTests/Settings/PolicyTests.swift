// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

/// What the user has chosen about others' sound and about devices that return, on a real server.
@Suite("What others' sound does, as it was chosen", .serialized, .realTime, .endsAnyway)
struct PolicyTests {
  private func choose(_ key: String, _ value: String, on stage: CallStage) throws {
    try stage.fermata("settings", "set", key, value)
    try stage.agent.waitForLog("settings: taken")
  }

  @Test("a message stops nothing, unless it is to pause", arguments: CallStage.Kind.allCases)
  func pause(kind: CallStage.Kind) throws {
    let stage = try CallStage.playing(kind)
    let ignored = try stage.ring(role: "notification")
    try stage.hearsSound()
    try stage.expect("playing", interruptions: [])
    // It counts for what sounds already.
    try choose("role-notification", "pause", on: stage)
    try stage.ear.wait(forBeginningOf: "notification")
    try stage.hearsNothing()
    try stage.expect("interrupted", why: "notification", interruptions: ["notification"])
    try stage.fermata("settings", "set", "role-notification", "ignore")
    try stage.ear.wait(forState: "playing")
    try stage.hearsSound()
    withExtendedLifetime(ignored) {}
    try stage.stop()
  }

  @Test(
    "an announcement that ducks leaves the music on, quieter, and the volume is the user's again",
    arguments: CallStage.Kind.allCases)
  func duck(kind: CallStage.Kind) throws {
    let stage = try CallStage.playing(kind)
    try stage.fermata("volume", "80%")
    try choose("duck-level", "50%", on: stage)
    try stage.fermata("settings", "set", "role-announcement", "duck")
    do {
      let voice = try stage.ring(role: "announcement")
      try stage.hasVolume(0.4)
      try stage.hearsSound()
      try stage.expect("playing", interruptions: [])
      #expect(stage.agent.playerctl("volume")?.hasPrefix("0.80") == true)
      withExtendedLifetime(voice) {}
    }
    try stage.hasVolume(0.8)
    #expect(stage.agent.playerctl("volume")?.hasPrefix("0.80") == true)
    try stage.stop()
  }

  @Test(
    "a call that is to be ignored is, also where the server mutes us for it",
    arguments: CallStage.Kind.allCases)
  func ignoredCall(kind: CallStage.Kind) throws {
    let stage = try CallStage.playing(kind)
    try choose("role-phone", "ignore", on: stage)
    let phone = try stage.ring()
    try stage.server.control.wait(for: "the call") { $0.sinkInputs.count == 2 }
    try stage.hearsSound()
    try stage.expect("playing", interruptions: [])
    withExtendedLifetime(phone) {}
    try stage.stop()
  }

  @Test("whoever records a microphone counts as it was chosen", arguments: CallStage.Kind.desktops)
  func microphone(kind: CallStage.Kind) throws {
    let stage = try CallStage(kind)
    try stage.server.load(microphone: "microphone")
    try stage.play()
    let notebook = try stage.server.listen(to: "microphone", name: "a notebook")
    try stage.expect("playing", interruptions: [])
    try choose("microphone", "always", on: stage)
    try stage.ear.wait(forBeginningOf: "microphone")
    try stage.fermata("settings", "set", "microphone", "ignore")
    try stage.ear.wait(forState: "playing")
    withExtendedLifetime(notebook) {}
    try stage.stop()
  }

  @Test(
    "headphones that are back in time go on where that is chosen, and not what the user has touched",
    arguments: CallStage.Kind.desktops)
  func resumeOnReturn(kind: CallStage.Kind) throws {
    let server = try kind.start([])
    let card = try server.insert(.laptop())
    try headphones(on: server)
    let stage = try CallStage(server, sink: "laptop")
    try choose("resume-on-return", "60", on: stage)
    try stage.play()
    try card.setAvailable(["headphones": .no, "speaker": .unknown])
    try stage.ear.wait(forState: "paused", why: "route")
    try stage.hearsNothing()
    try card.setAvailable(["headphones": .yes, "speaker": .no])
    try stage.ear.wait(forState: "playing")
    try stage.hearsSound()
    // Whoever touches it meanwhile has other plans.
    try card.setAvailable(["headphones": .no, "speaker": .unknown])
    try stage.ear.wait(forState: "paused", why: "route")
    try stage.fermata("seek", "+1")
    try stage.hearsNothing()
    try card.setAvailable(["headphones": .yes, "speaker": .no])
    try stage.ear.wait(for: "newDeviceAvailable")
    try stage.hearsNothing()
    try stage.expect("paused", why: "route")
    try stage.stop()
  }

  private func headphones(on server: any SoundServer) throws {
    try server.control.wait(for: "the headphones in use") {
      $0.sink(named: "laptop")?.activePort == "headphones"
    }
  }
}
