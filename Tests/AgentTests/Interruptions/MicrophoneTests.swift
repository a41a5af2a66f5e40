// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

@Suite("Microphones", .serialized, .realTime, .endsAnyway)
struct MicrophoneTests {
  private static func stage(_ kind: CallStage.Kind) throws -> CallStage {
    let stage = try CallStage(kind)
    try stage.server.load(microphone: "microphone")
    try stage.play()
    return stage
  }

  @Test("whoever records a microphone and plays as well is talking", arguments: CallStage.Kind.desktops)
  func talking(kind: CallStage.Kind) throws {
    let stage = try Self.stage(kind)
    do {
      let talk = try stage.server.listen(to: "microphone", plays: true)
      try stage.ear.wait(forBeginningOf: "microphone")
      try stage.hearsNothing()
      try stage.expect("interrupted", why: "microphone", interruptions: ["microphone"])
      #expect(try stage.status().contains("\"callers\":[\"a talking program\"]"))
      let told = try stage.fermata("status")
      #expect(told.contains("interrupted: a talking program listens to the microphone"), "\(told)")
      withExtendedLifetime(talk) {}
    }
    try stage.ear.wait(forState: "playing")
    try stage.hearsSound()
    #expect(stage.ear.interruptions == ["began microphone wasPlaying", "ended microphone resumes"])
    #expect(try !stage.status().contains("callers"))
    try stage.stop()
  }

  @Test("whoever records what another program plays is not talking", arguments: CallStage.Kind.desktops)
  func recordingAProgram(kind: CallStage.Kind) throws {
    let stage = try Self.stage(kind)
    let music = try #require(try stage.server.control.world().sinkInputs.first?.index)
    let recording = try stage.server.record(music)
    // Longer than it takes to look a second time.
    for _ in 0..<3 { try stage.hearsSound() }
    #expect(stage.ear.interruptions == [])
    withExtendedLifetime(recording) {}
    try stage.stop()
  }

  @Test("whoever goes on talking at another microphone ends nothing", arguments: CallStage.Kind.desktops)
  func otherMicrophone(kind: CallStage.Kind) throws {
    let stage = try Self.stage(kind)
    try stage.server.load(microphone: "headset")
    do {
      let talk = try stage.server.listen(to: "microphone", plays: true)
      try stage.ear.wait(forBeginningOf: "microphone")
      for _ in 0..<5 {
        try talk.move(to: "headset")
        try talk.move(to: "microphone")
      }
      withExtendedLifetime(talk) {}
    }
    try stage.ear.wait(forState: "playing")
    #expect(stage.ear.interruptions == ["began microphone wasPlaying", "ended microphone resumes"])
    try stage.stop()
  }

  @Test("I9: a call with a microphone is over when both are", arguments: CallStage.Kind.desktops)
  func callAndMicrophone(kind: CallStage.Kind) throws {
    let stage = try Self.stage(kind)
    do {
      let talk: OtherRecording
      do {
        let phone = try stage.ring()
        try stage.ear.wait(forBeginningOf: "call")
        talk = try stage.server.listen(to: "microphone", plays: true)
        withExtendedLifetime(phone) {}
      }
      try stage.ear.wait(forState: "interrupted", why: "microphone")
      try stage.hearsNothing()
      try stage.expect("interrupted", why: "microphone")
      withExtendedLifetime(talk) {}
    }
    try stage.ear.wait(forState: "playing")
    #expect(
      stage.ear.interruptions == ["began call wasPlaying", "ended call resumes"],
      "to a listener this is one interruption")
    try stage.stop()
  }

  @Test("who follows the status sees who comes and who goes within one interruption")
  func followed() throws {
    let stage = try Self.stage(.pulseAudio)
    let follower = try Child(
      .beside("fermata"), ["status", "--follow", "--json"], environment: stage.agent.environment,
      isInteractive: true)
    func wait(for words: String) throws {
      var line = ""
      while !line.contains(words) { line = try follower.nextLine(until: .patient) }
    }
    try wait(for: #""state":"playing""#)
    let talk: OtherRecording
    do {
      let phone = try stage.ring()
      try wait(for: #""callers":["another program"]"#)
      talk = try stage.server.listen(to: "microphone", plays: true)
      try wait(for: #""callers":["another program","a talking program"]"#)
      withExtendedLifetime(phone) {}
    }
    try wait(for: #""callers":["a talking program"]"#)
    withExtendedLifetime(talk) {}
    follower.kill()
    try stage.stop()
  }

  @Test(
    "dictating, a level meter and a recording of what is played stop nothing",
    arguments: CallStage.Kind.desktops)
  func harmless(kind: CallStage.Kind) throws {
    let stage = try Self.stage(kind)
    let dictation = try stage.server.listen(to: "microphone", name: "a notebook")
    let meter = try stage.server.listen(to: "microphone", name: "a mixer", plays: true, isMeter: true)
    // The stage's recorder is the third. A call comes after them, and is the first that is told.
    let phone = try stage.ring()
    try stage.ear.wait(forBeginningOf: "call")
    #expect(!stage.ear.interruptions.contains { $0.contains("microphone") })
    withExtendedLifetime((dictation, meter, phone)) {}
    try stage.agent.stop()
  }
}
