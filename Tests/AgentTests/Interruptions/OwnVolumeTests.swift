// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

/// Servers keep the volume of streams by their role: every player of music would have the volume of the last one.
@Suite("The stream's own volume", .serialized, .realTime, .endsAnyway)
struct OwnVolumeTests {
  enum Kind: CaseIterable {
    case pulseAudio, pipeWire

    func start() throws -> any SoundServer {
      switch self {
      case .pulseAudio: try PrivatePulse(sinks: ["speakers"], modules: .usual + [.roleCork, .streamRestore])
      case .pipeWire: try PrivatePipeWire(sinks: ["speakers"])
      }
    }
  }

  @Test("with flat volumes no stream of ours turns the output up, and what the listener sets is obeyed")
  func flat() throws {
    let server = try PrivatePulse(
      sinks: ["speakers"], modules: .usual + [.roleCork], settings: ["flat-volumes": "yes"])
    let stage = try CallStage(server)
    func level() throws -> Double {
      try #require(server.control.world().sink(named: "speakers")?.volume)
    }
    /// Waits until the agent has read the volume that the server gave our stream.
    func isTold(_ percent: String) throws {
      let deadline = Deadline.patient
      while try !stage.fermata("volume").contains(percent) {
        if deadline.hasPassed { throw KitError("the volume is \(try stage.fermata("volume"))") }
      }
    }
    try server.control.setVolume(sink: "speakers", 0.6)
    try stage.play()
    try stage.hearsSound()
    #expect(try abs(level() - 0.6) < 0.01)
    try isTold("60")
    stage.agent.playerctl("stop")
    try server.control.wait(for: "the end of our stream") { stage.ownStream(in: $0) == nil }
    try server.control.setVolume(sink: "speakers", 0.4)
    stage.agent.playerctl("play")
    try server.control.wait(for: "our stream") { stage.ownStream(in: $0) != nil }
    try isTold("40")
    #expect(try level() < 0.41)
    try stage.fermata("volume", "80")
    try server.control.wait(for: "the output's volume") { world in
      world.sink(named: "speakers")?.volume.map { abs($0 - 0.8) < 0.01 } ?? false
    }
    // What is chosen while nothing plays is for the next stream.
    stage.agent.playerctl("stop")
    try server.control.wait(for: "the end of our stream") { stage.ownStream(in: $0) == nil }
    try stage.fermata("volume", "50")
    stage.agent.playerctl("play")
    try server.control.wait(for: "our stream") { stage.ownStream(in: $0) != nil }
    try stage.hasVolume(0.5)
    try stage.stop()
  }

  @Test("ten steps that are ordered at once are ten steps")
  func steps() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    #expect(try stage.fermata("volume", "0").status == .exited(0))
    let children = try (0..<10).map { _ in
      try Child(.beside("fermata"), ["volume", "+5%"], environment: stage.environment)
    }
    #expect(children.allSatisfy { $0.exit(until: .patient) == .exited(0) })
    #expect(try stage.fermata("volume", "--json").output.contains("\"volume\":0.5"))
    try stage.stop()
  }

  @Test(
    "another player of music changes its volume, and ours stays, also when our stream is made anew",
    arguments: Kind.allCases)
  func others(kind: Kind) throws {
    let stage = try CallStage(kind.start())
    try stage.fermata("volume", "40")
    try stage.play()
    try stage.hasVolume(0.4)
    let other = try stage.ring(role: "music")
    try stage.server.control.setVolume(other.index, 0.8)
    try stage.isRemembered(0.8)
    try stage.hasVolume(0.4)
    stage.agent.playerctl("stop")
    try stage.server.control.wait(for: "the end of our stream") { stage.ownStream(in: $0) == nil }
    try stage.agent.play(try stage.makeTone("next.wav"))
    try stage.hearsSound()
    try stage.hasVolume(0.4)
    #expect(try stage.fermata("volume").contains("40"))
    withExtendedLifetime(other) {}
    try stage.stop()
  }

  @Test("a volume that was set at a mixer is ours, and outlives the agent", arguments: Kind.allCases)
  func mixer(kind: Kind) throws {
    let stage = try CallStage(kind.start())
    try stage.play()
    let own = try #require(stage.ownStream(in: try stage.server.control.world()))
    // In a stream's first second it would be taken for the server's memory.
    let deadline = Deadline.patient
    var isTold = false
    while !isTold, !deadline.hasPassed {
      try stage.server.control.setVolume(own.index, 0.6)
      isTold = stage.ear.hears("\"event\":\"volume\"", "0.6", within: .milliseconds(300))
    }
    #expect(isTold)
    let other = try stage.ring(role: "music")
    try stage.server.control.setVolume(other.index, 0.9)
    try stage.isRemembered(0.9)
    stage.agent.playerctl("pause")
    try stage.ear.wait(forState: "paused")
    try stage.agent.restartAfterCrash()
    stage.agent.playerctl("play")
    try stage.agent.waitForStatus("Playing")
    try stage.hearsSound()
    try stage.hasVolume(0.6)
    // The server's steps are finer than a thousandth.
    #expect(try stage.fermata("volume", "--json").contains(#""volume":0.6}"#))
    // More than 100 % only a mixer gives.
    let later = try #require(stage.ownStream(in: try stage.server.control.world()))
    var volume = ""
    while !volume.contains("130% in the mixer"), !deadline.hasPassed {
      try stage.server.control.setVolume(later.index, 1.3)
      volume = try stage.fermata("volume")
    }
    #expect(volume == "130% in the mixer\n")
    #expect(try stage.fermata("volume", "--json").contains(#"{"volume":1,"mixerVolume":1."#))
    withExtendedLifetime(other) {}
    try stage.stop()
  }

  @Test("a balance that was set at a mixer stays with each volume and each track", arguments: Kind.allCases)
  func balance(kind: Kind) throws {
    let stage = try CallStage(kind.start())
    func play(rate: Int) throws {
      let format = AudioFormat(rate: rate, channels: 2)
      let tone = WAVFile.bytes(Tone.sine(frames: 60 * rate, format), format)
      try stage.agent.play(try stage.agent.folder.write("\(rate).wav", tone))
      try stage.hearsSound()
    }
    try play(rate: 8_000)
    let own = try #require(stage.ownStream(in: try stage.server.control.world()))
    // In a stream's first second it would be taken for the server's memory.
    let deadline = Deadline.patient
    var isTold = false
    while !isTold, !deadline.hasPassed {
      try stage.server.control.setVolume(own.index, 0.6, right: 0.3)
      isTold = stage.ear.hears("\"event\":\"volume\"", "0.6", within: .milliseconds(300))
    }
    #expect(isTold)
    try stage.fermata("volume", "40")
    try stage.hasChannels([0.4, 0.2])
    try play(rate: 16_000)
    try stage.hasChannels([0.4, 0.2])
    try stage.stop()
  }

  @Test(
    "the very first stream has the full volume, whatever another player was set to", arguments: Kind.allCases)
  func first(kind: Kind) throws {
    let stage = try CallStage(kind.start())
    do {
      let other = try stage.ring(role: "music")
      try stage.server.control.setVolume(other.index, 0.2)
      try stage.isRemembered(0.2)
      withExtendedLifetime(other) {}
    }
    try stage.play()
    try stage.hasVolume(1)
    try stage.stop()
  }
}

extension CallStage {
  /// Waits until the two channels of our stream have these volumes.
  fileprivate func hasChannels(_ volumes: [Double]) throws {
    let deadline = Deadline.patient
    while true {
      guard let own = ownStream(in: try server.control.world()) else { throw KitError("no stream of ours") }
      let found = try server.control.channelVolumes(of: own.index)
      if zip(found, volumes).allSatisfy({ abs($0 - $1) < 0.005 }) { break }
      if deadline.hasPassed { throw KitError("the channels have \(found), not \(volumes)") }
    }
  }

  /// Waits until our stream has this volume.
  func hasVolume(_ volume: Double, at location: SourceLocation = #_sourceLocation) throws {
    let deadline = Deadline.patient
    while true {
      guard let own = ownStream(in: try server.control.world()) else { throw KitError("no stream of ours") }
      let found = try server.control.volume(of: own.index)
      if abs(found - volume) < 0.005 { break }
      if deadline.hasPassed {
        Issue.record("the volume is \(found), not \(volume)", sourceLocation: location)
        break
      }
    }
  }

  /// Waits until a new player of music would get this volume from the server's memory.
  fileprivate func isRemembered(_ volume: Double) throws {
    let deadline = Deadline.patient
    while true {
      let probe = try ring(role: "music")
      let found = try server.control.volume(of: probe.index)
      if abs(found - volume) < 0.005 { return }
      if deadline.hasPassed { throw KitError("the server remembers \(found), not \(volume)") }
    }
  }
}
