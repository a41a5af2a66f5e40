// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@testable import PlaybackLogic

@Suite("Playback in calls")
struct PlaybackCallTests {
  @Test("what a server answered before it was lost begins no call, and nobody is heard over it")
  func lateAnswer() {
    var scene = PlaybackScene.playing()
    var world = scene.desk.world
    for (number, role) in [(98, "music"), (99, "phone")] {
      world.sinkInputs.append(
        SinkInput(
          index: SinkInput.Index(rawValue: UInt32(number)), sink: Desk.analog,
          properties: ["media.role": role]))
    }
    let told = scene.send(
      .server(.streams(isOurs: false)), .server(.lost(reason: "gone")), .server(.world(world, own: Desk.own)))
    #expect(!told.contains("tell call began"), "\(told)")
    #expect(scene.playback.player.session.holds[.call] == nil)
    #expect(!scene.playback.isOtherAudioPlaying)
  }

  @Test("a cork that comes with a call is told as a call, once the world was read")
  func callAndCork() {
    var scene = PlaybackScene.playing()
    scene.send(scene.world)
    #expect(scene.send(.stream(.corkRequested)) == ["cork", "readWorld"])
    #expect(scene.playback.player.state == .playing)
    var world = scene.desk.world
    world.sinkInputs[0].isMuted = true
    world.sinkInputs.append(
      SinkInput(
        index: SinkInput.Index(rawValue: 99), sink: Desk.analog, properties: ["media.role": "phone"]))
    #expect(scene.send(.server(.world(world, own: Desk.own))) == ["tell call began"])
    #expect(scene.playback.why == .interrupted(by: .call))
  }

  @Test(
    "music comes back after a call, however short or long it was",
    arguments: [Duration.seconds(1), .seconds(60), .seconds(5 * 3_600)])
  func lengthOfCall(length: Duration) {
    var scene = PlaybackScene.playing()
    scene.send(scene.world)
    let (quiet, index) = (scene.world, SinkInput.Index(rawValue: 99))
    var world = scene.desk.world
    world.sinkInputs.append(SinkInput(index: index, sink: Desk.analog, properties: ["media.role": "phone"]))
    let during = scene.send(.server(.streams(isOurs: false)), .server(.world(world, own: Desk.own)))
    #expect(during == ["readWorld", "cork", "tell call began"])
    let end = scene.now + length
    while scene.now < end {
      scene.now = min(end, scene.now + .seconds(1))
      #expect(scene.send(.timer(.route), .timer(.player(.session))).isEmpty)
    }
    let after = scene.send(.server(.streams(isOurs: false)), quiet)
    #expect(after == ["readWorld", "tell call ended", "uncork"])
  }

  @Test(
    "a stream that is made just after a call begins is muted for the call, even if that is seen later",
    arguments: [true, false])
  func madeInUnseenCall(isOlder: Bool) {
    var scene = PlaybackScene.playing()
    scene.send(.stream(.made), .stream(.read(isMuted: true, serverCorks: true)))
    var world = scene.desk.world
    world.sinkInputs[0].isMuted = true
    let index = SinkInput.Index(rawValue: isOlder ? Desk.own.rawValue - 1 : Desk.own.rawValue + 1)
    world.sinkInputs.append(SinkInput(index: index, sink: Desk.analog, properties: ["media.role": "phone"]))
    scene.send(.server(.streams(isOurs: false)))
    #expect(scene.send(.server(.world(world, own: Desk.own))).contains("tell call began"))
    #expect(scene.send(.order(.play, by: .user)).contains("unmute") == isOlder)
  }

  private static func settings(phone policy: RolePolicy) -> PlaybackEvent {
    var session = SessionSettings()
    session.roles[.phone] = policy
    return .settings(
      PlaybackSettings(
        player: PlayerSettings(), session: session, loudness: LoudnessSettings(), repeatMode: .none,
        shuffleMode: .off))
  }

  @Test(
    "where the music is to go on in calls, a stream that the server has muted for one is unmuted, whenever it was made",
    arguments: [RolePolicy.ignore, .duck], [true, false])
  func madeInPermittedCall(policy: RolePolicy, isSeenFirst: Bool) {
    var scene = PlaybackScene.playing()
    scene.send(Self.settings(phone: policy), scene.world)
    var world = scene.desk.world
    let phone = SinkInput(
      index: SinkInput.Index(rawValue: Desk.own.rawValue - 1), sink: Desk.analog,
      properties: ["media.role": "phone"])
    let made: [PlaybackEvent] = [.stream(.made), .stream(.read(isMuted: true, serverCorks: true))]
    world.sinkInputs.append(phone)
    world.sinkInputs[0].isMuted = true
    let reading: [PlaybackEvent] = [
      .server(.streams(isOurs: false)), .server(.world(world, own: Desk.own)),
    ]
    var told: [String] = []
    for event in isSeenFirst ? reading + made : made + reading { told += scene.send(event) }
    #expect(told.contains("unmute"), "\(told)")
    #expect(scene.playback.player.state == .playing)
  }

  @Test(
    "calls that are no longer to silence the music let go of it at once, also where the server has corked it")
  func permittedInCall() {
    var scene = PlaybackScene.playing()
    scene.send(scene.world)
    scene.send(.stream(.corkRequested))
    var world = scene.desk.world
    world.sinkInputs[0].isMuted = true
    world.sinkInputs.append(
      SinkInput(
        index: SinkInput.Index(rawValue: 99), sink: Desk.analog, properties: ["media.role": "phone"]))
    scene.send(.server(.world(world, own: Desk.own)))
    #expect(scene.playback.why == .interrupted(by: .call))
    scene.send(Self.settings(phone: .ignore))
    let told = scene.send(.server(.world(world, own: Desk.own)))
    #expect(told.contains("uncork") && scene.playback.player.state == .playing, "\(told)")
  }

  @Test("a call that dies with its server is one interruption with the server's absence")
  func callAndServer() {
    var scene = PlaybackScene.playing()
    var call = scene.desk.world
    call.sinkInputs.append(
      SinkInput(
        index: SinkInput.Index(rawValue: 99), sink: Desk.analog, properties: ["media.role": "phone"]))
    scene.send(.server(.streams(isOurs: false)), .server(.world(call, own: Desk.own)))
    #expect(scene.playback.player.session.state == .interrupted)
    let told = scene.send(.server(.lost(reason: "gone")))
    #expect(!told.contains { $0.hasSuffix(" ended") || $0 == "uncork" }, "\(told)")
    #expect(scene.playback.player.session.state == .interrupted)
    scene.desk.hasStream = false
    scene.send(.server(.readingFailed(isServerThere: false)))
    #expect(scene.send(.server(.found), scene.world, scene.world).count { $0.hasSuffix(" ended") } == 1)
    #expect(scene.playback.player.session.state == .playing)
  }
}
