// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

// The rows of the table of interruptions, where they are tested, and on which server they cannot be had:
//
// I1, I2   begins, ends        here, and in each suite beside it
// I3       no end comes        `userPlays`, and `CallOverlapTests.movedInCall`
// I5       may duck            FermataAgentTests/PolicyTests: ours on any server; the server's own ducking cannot be seen
// I7, I8   user pauses, plays  here
// I9       several at once     `CallOverlapTests.twoCalls`, `MicrophoneTests.callAndMicrophone`
// I10, I11 paused; next, seek  here
// I12      loss                `CallOverlapTests`, both ways around
// I13      goes on already     here
// I15      whose Pause         `ToolPauseTests`
// suspend                      `ServerSilenceTests`: PulseAudio only, PipeWire tells no client
// stall, sleep                 `ServerSilenceTests`, `SleepTests`
@Suite("Calls", .serialized, .longRealTime, .endsAnyway)
struct CallTests {
  typealias Kind = CallStage.Kind

  @Test(
    "I1, I2: a call silences the music, and its end brings it back where it was", arguments: Kind.allCases)
  func beginsAndEnds(kind: Kind) throws {
    let stage = try CallStage.playing(kind)
    do {
      let phone = try stage.ring()
      try stage.ear.wait(forBeginningOf: "call")
      try stage.hearsNothing()
      try stage.expect(
        "interrupted", why: "call", interruptions: kind == .pulseAudio ? ["call", "cork"] : ["call"])
      #expect(try stage.status().contains("\"callers\":[\"another program\"]"))
      let place = stage.agent.playerctl("position")
      try stage.hearsNothing()
      #expect(stage.agent.playerctl("position") == place)
      withExtendedLifetime(phone) {}
    }
    try stage.ear.wait(forState: "playing")
    try stage.hearsSound()
    try stage.expect("playing", interruptions: [])
    #expect(stage.ear.interruptions.filter { $0.hasPrefix("began") && $0.hasSuffix("wasPlaying") }.count == 1)
    #expect(stage.ear.interruptions.filter { $0.hasSuffix("resumes") }.count == 1)
    try stage.stop()
  }

  @Test(
    "I10: a call that begins while paused stops nothing, and its end starts nothing", arguments: Kind.desktops
  )
  func whilePaused(kind: Kind) throws {
    let stage = try CallStage.playing(kind)
    try stage.fermata("pause")
    try stage.ear.wait(forState: "paused", why: "user")
    do {
      let phone = try stage.ring()
      try stage.ear.wait(forBeginningOf: "call")
      try stage.expect("paused", why: "user")
      withExtendedLifetime(phone) {}
    }
    try stage.ear.wait(forEndOf: "call")
    try stage.hearsNothing()
    try stage.expect("paused", why: "user", interruptions: [])
    #expect(!stage.ear.interruptions.contains { $0.hasSuffix("resumes") || $0.hasSuffix("wasPlaying") })
    try stage.stop()
  }

  @Test("I7: what the user pauses in a call is not resumed by its end", arguments: Kind.desktops)
  func userPauses(kind: Kind) throws {
    let stage = try CallStage.playing(kind)
    do {
      let phone = try stage.ring()
      try stage.ear.wait(forBeginningOf: "call")
      stage.agent.playerctl("pause")
      try stage.ear.wait(forState: "paused", why: "user")
      withExtendedLifetime(phone) {}
    }
    try stage.ear.wait(forEndOf: "call")
    try stage.hearsNothing()
    try stage.expect("paused", why: "user", interruptions: [])
    #expect(!stage.ear.interruptions.contains { $0.hasSuffix("resumes") })
    try stage.stop()
  }

  @Test(
    "I8, I3: the user plays in a call and hears it; for us it is over, the next one counts",
    arguments: Kind.desktops)
  func userPlays(kind: Kind) throws {
    let stage = try CallStage.playing(kind)
    do {
      let phone = try stage.ring()
      try stage.ear.wait(forBeginningOf: "call")
      try stage.hearsNothing()
      stage.agent.playerctl("play")
      try stage.ear.wait(forState: "playing")
      try stage.hearsSound()
      try stage.isUnmuted()
      try stage.expect("playing", interruptions: [])
      withExtendedLifetime(phone) {}
    }
    stage.ear.forget()
    let next = try stage.ring()
    try stage.ear.wait(forBeginningOf: "call")
    try stage.hearsNothing()
    #expect(
      !stage.ear.interruptions.contains { $0.hasPrefix("ended") }, "the end of what was over is not told")
    withExtendedLifetime(next) {}
    try stage.agent.stop()
  }

  @Test("I11: next and seek in a call are obeyed in silence, and heard at its end", arguments: Kind.desktops)
  func nextAndSeek(kind: Kind) throws {
    let stage = try CallStage.playing(kind)
    try stage.fermata("add", try stage.makeTone("other.wav"))
    do {
      let phone = try stage.ring()
      try stage.ear.wait(forBeginningOf: "call")
      stage.agent.playerctl("next")
      #expect(stage.agent.playerctl("metadata", "title") == "other")
      stage.agent.playerctl("position", "30")
      try stage.hearsNothing()
      try stage.expect("interrupted", why: "call")
      withExtendedLifetime(phone) {}
    }
    try stage.ear.wait(forState: "playing")
    try stage.hearsSound()
    #expect(stage.agent.playerctl("metadata", "title") == "other")
    let place = stage.agent.playerctl("position").flatMap { Double($0) } ?? 0
    #expect(place >= 30 && place < 40)
    try stage.stop()
  }

  @Test("I13: a call that goes on already is named, and its end begins the music", arguments: Kind.desktops)
  func alreadyGoingOn(kind: Kind) throws {
    let stage = try CallStage(kind)
    try stage.fermata("add", try stage.makeTone())
    do {
      let phone = try stage.ring()
      try stage.ear.wait(forBeginningOf: "call")
      let answer = try stage.fermata("play")
      #expect(answer.contains("call"), "\(answer)")
      try stage.ear.wait(forState: "interrupted", why: "call")
      try stage.hearsNothing()
      withExtendedLifetime(phone) {}
    }
    try stage.ear.wait(forState: "playing")
    try stage.hearsSound()
    try stage.stop()
  }

  @Test("I13: a second Play begins it at once, though the stream was born muted", arguments: Kind.desktops)
  func secondPlay(kind: Kind) throws {
    let stage = try CallStage(kind)
    try stage.fermata("add", try stage.makeTone())
    let phone = try stage.ring()
    try stage.ear.wait(forBeginningOf: "call")
    try stage.fermata("play")
    try stage.ear.wait(forState: "interrupted", why: "call")
    try stage.fermata("play")
    try stage.ear.wait(forState: "playing")
    try stage.hearsSound()
    withExtendedLifetime(phone) {}
    try stage.stop()
  }
}
