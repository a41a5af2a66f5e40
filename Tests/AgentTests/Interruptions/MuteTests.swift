// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

/// What somebody has set in a mixer stops nothing. It is only said why nothing is heard.
@Suite("Music that plays and is not heard", .serialized, .realTime, .endsAnyway)
struct MuteTests {
  typealias Kind = CallStage.Kind

  @Test("our stream's mute, its volume, the output's mute and its volume", arguments: Kind.desktops)
  func reasons(kind: Kind) throws {
    let stage = try CallStage.playing(kind)
    let control = stage.server.control
    let own = try stage.own()
    try control.setMute(own, true)
    try stage.isInaudible("muted")
    #expect(try stage.fermata("status").contains("(playing, but muted)"))
    try stage.hearsNothing()
    try stage.moves()
    try control.setMute(own, false)
    try stage.isHeard()
    try control.setMute(sink: "speakers", true)
    try stage.isInaudible("output-muted")
    try control.setMute(sink: "speakers", false)
    try stage.isHeard()
    try control.setVolume(sink: "speakers", 0)
    try stage.isInaudible("output-volume")
    try control.setVolume(sink: "speakers", 1)
    try stage.isHeard()
    try stage.fermata("volume", "0")
    try stage.isInaudible("volume")
    try stage.fermata("volume", "100")
    try stage.isHeard()
    #expect(stage.ear.interruptions.isEmpty && stage.ear.reasons.isEmpty)
    try stage.stop()
  }

  @Test("a call says its own name, and leaves a mute as it was", arguments: Kind.desktops)
  func call(kind: Kind) throws {
    let stage = try CallStage.playing(kind)
    let own = try stage.own()
    try stage.server.control.setMute(own, true)
    try stage.isInaudible("muted")
    do {
      let phone = try stage.ring()
      try stage.ear.wait(forState: "interrupted", why: "call")
      withExtendedLifetime(phone) {}
    }
    try stage.ear.wait(forEndOf: "call")
    try stage.isInaudible("muted")
    try stage.server.control.setMute(own, false)
    try stage.isHeard()
    try stage.stop()
  }

  @Test("the server's mute for a call is never told as the user's", arguments: Kind.desktops)
  func serverMute(kind: Kind) throws {
    let stage = try CallStage.playing(kind)
    for _ in 0..<3 {
      do {
        let phone = try stage.ring()
        try stage.ear.wait(forState: "interrupted", why: "call")
        withExtendedLifetime(phone) {}
      }
      try stage.ear.wait(forState: "playing")
      try stage.hearsSound()
    }
    try stage.expect("playing", interruptions: [])
    #expect(stage.ear.states.filter { $0.hasPrefix("playing") }.allSatisfy { $0 == "playing" })
    try stage.stop()
  }

  @Test(
    "what is muted while paused stays paused by its user, and says so when it plays", arguments: Kind.desktops
  )
  func whilePaused(kind: Kind) throws {
    let stage = try CallStage.playing(kind)
    let own = try stage.own()
    stage.agent.playerctl("pause")
    try stage.ear.wait(forState: "paused", why: "user")
    try stage.server.control.setMute(own, true)
    try stage.server.control.setMute(sink: "speakers", true)
    try stage.expect("paused", why: "user")
    stage.agent.playerctl("play")
    try stage.isInaudible("muted")
    try stage.server.control.setMute(own, false)
    try stage.isInaudible("output-muted")
    #expect(stage.ear.states.first == "paused user")
    #expect(!stage.ear.states.contains("paused muted"))
    try stage.agent.stop()
  }

  @Test("a mute after a call that ended while paused is the user's", arguments: Kind.desktops)
  func afterCall(kind: Kind) throws {
    let stage = try CallStage.playing(kind)
    do {
      let phone = try stage.ring()
      try stage.ear.wait(forBeginningOf: "call")
      stage.agent.playerctl("pause")
      withExtendedLifetime(phone) {}
    }
    try stage.ear.wait(forEndOf: "call")
    try stage.isUnmuted()
    try stage.hearsNothing()
    try stage.server.control.setMute(try stage.own(), true)
    stage.agent.playerctl("play")
    try stage.isInaudible("muted")
    try stage.agent.stop()
  }

  @Test("volume mute lasts: over a new stream and a call, until volume unmute", arguments: Kind.desktops)
  func ownMute(kind: Kind) throws {
    let stage = try CallStage.playing(kind)
    try stage.fermata("volume", "mute")
    try stage.isInaudible("muted")
    try stage.hearsNothing()
    #expect(try stage.status().contains("\"muted\":true"))
    // A sound of another rate gets a new stream.
    stage.agent.playerctl("open", "file://\(try stage.agent.makeTone("other.wav"))")
    try stage.agent.wait(for: "other", from: "metadata", "title")
    try stage.expect("playing", why: "muted")
    try stage.hearsNothing()
    do {
      let phone = try stage.ring()
      try stage.ear.wait(forState: "interrupted", why: "call")
      withExtendedLifetime(phone) {}
    }
    try stage.ear.wait(forEndOf: "call")
    try stage.hearsNothing()
    #expect(try stage.status().contains("\"muted\":true"))
    try stage.fermata("volume", "toggle")
    try stage.isHeard()
    #expect(try !stage.status().contains("\"muted\""))
    try stage.stop()
  }

  @Test("a mixer's mute and unmute last when the next track's stream waits already", arguments: Kind.desktops)
  func waitingStream(kind: Kind) throws {
    for mutes in [true, false] {
      let stage = try CallStage(kind)
      let format = AudioFormat(rate: 8_000, channels: 1)
      let first = try stage.agent.folder.write(
        "first.wav", WAVFile.bytes(Tone.sine(frames: 3 * format.rate, format), format))
      if !mutes { try stage.fermata("volume", "mute") }
      try stage.fermata("play", first, try stage.agent.makeTone("other.wav"))
      try stage.server.control.wait(for: "a stream that plays and one that waits") { world in
        Set(world.sinkInputs.map(\.isCorked)) == [false, true]
      }
      let heard = try stage.server.control.world().sinkInputs.first { !$0.isCorked }
      try stage.server.control.setMute(try #require(heard).index, mutes)
      try stage.agent.wait(for: "other", from: "metadata", "title")
      if mutes {
        try stage.hearsNothing()
        try stage.expect("playing", why: "muted")
      } else {
        try stage.hearsSound()
        #expect(try !stage.status().contains("\"muted\""))
      }
      try stage.agent.stop()
    }
  }

  @Test("an output that is muted is left behind when the stream moves", arguments: Kind.desktops)
  func moves(kind: Kind) throws {
    let stage = try CallStage.playing(kind, sinks: ["speakers", "others"])
    try stage.server.control.setMute(sink: "others", true)
    try stage.server.control.move(try stage.own(), toSink: "others")
    try stage.isInaudible("output-muted")
    try stage.server.control.move(try stage.own(), toSink: "speakers")
    try stage.isHeard()
    try stage.stop()
  }
}

extension CallStage {
  fileprivate func own() throws -> SinkInput.Index {
    guard let own = ownStream(in: try server.control.world()) else { throw KitError("no stream of ours") }
    return own.index
  }

  /// Waits until it plays, and says that nothing is heard for this reason.
  fileprivate func isInaudible(_ why: String) throws {
    try ear.wait(forState: "playing", why: why)
    try expect("playing", why: why, interruptions: [])
  }

  /// Waits until it says that it is heard, and it is.
  fileprivate func isHeard() throws {
    try ear.wait(for: "\"event\":\"state\",\"state\":\"playing\"}")
    #expect(try !status().contains("\"why\""))
    try hearsSound()
  }

  /// Its place in the track goes on.
  fileprivate func moves() throws {
    let deadline = Deadline.patient
    let start = agent.playerctl("position")
    while agent.playerctl("position") == start {
      if deadline.hasPassed { throw KitError("it stays at \(start ?? "nothing")") }
    }
  }
}
