// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@testable import PlaybackLogic

@Suite("Playback: our stream, its volume and its output")
struct PlaybackOutputTests {
  /// How a stream ends, and what that means.
  private static let ends: [(isKilled: Bool, isServerThere: Bool, why: SilenceReason?, error: String?)] = [
    (false, true, .interrupted(by: .refusal), "too many"),  // the server makes no stream
    (false, false, nil, nil),  // the server is gone, and says so itself
    (true, true, nil, nil),  // somebody killed it; a reading shows why
  ]

  @Test("a stream that ends while the server stays was refused, unless somebody killed it", arguments: 0..<3)
  func streamEnds(row: Int) {
    let end = Self.ends[row]
    var scene = PlaybackScene.playing()
    scene.send(
      .stream(.ended(isKilled: end.isKilled, reason: "too many", isServerThere: end.isServerThere)))
    #expect(scene.playback.why == end.why)
    #expect(scene.playback.lastServerError == end.error)
  }

  @Test("a volume that somebody moved in a mixer is the user's, and later streams are made with it")
  func mixer() {
    var scene = PlaybackScene.playing(volume: 0.5)
    scene.send(scene.world { $0.volume = 0.5 })
    scene.now += .seconds(2)
    scene.send(.server(.streams(isOurs: true)))
    let said = scene.send(scene.world { $0.volume = 0.25 })
    #expect(said.contains("keepVolume(0.25)") && said.contains("tell volume(0.25)"))
    #expect(scene.playback.userVolume == 0.25)
  }

  @Test(
    "music that is to be quieter before its volume is known is quieter than that volume, and as loud again afterwards"
  )
  func duckedBeforeStream() {
    var scene = PlaybackScene()
    scene.send(.server(.found), scene.world)
    var said = scene.send(.pauseLater(after: .seconds(10)), .order(.play, by: .user))
    scene.now += .seconds(8)
    said += scene.send(.timer(.sleep))
    #expect(!said.contains { $0.hasPrefix("setVolume") }, "\(said)")
    said = scene.send(.stream(.made), scene.world { $0.volume = 0.4 })
    let ordered = said.filter { $0.hasPrefix("setVolume") }
    #expect(
      ordered.count == 1 && ordered != ["setVolume(0.4)"] && scene.playback.userVolume == 0.4, "\(said)")
    said = scene.send(.stream(.volumeSet), .pauseLater(after: nil))
    #expect(said.contains("setVolume(0.4)"), "\(said)")
  }

  @Test("a new level of ducking counts at once, but not where a hand in the mixer has ended the duck")
  func duckLevel() {
    var scene = PlaybackScene.playing(volume: 0.5)
    scene.send(scene.world { $0.volume = 0.5 })
    func settings(_ level: Double) -> PlaybackEvent {
      var session = SessionSettings()
      session.roles[.phone] = .duck
      session.duckLevel = level
      return .settings(
        PlaybackSettings(
          player: PlayerSettings(), session: session, loudness: LoudnessSettings(), repeatMode: .none,
          shuffleMode: .off))
    }
    scene.send(settings(0.5))
    #expect(scene.send(settings(0.1)).allSatisfy { !$0.hasPrefix("setVolume") }, "nothing ducks")
    var world = scene.desk.world
    for at in world.sinkInputs.indices { world.sinkInputs[at].volume = 0.5 }
    world.sinkInputs.append(
      SinkInput(
        index: SinkInput.Index(rawValue: 99), sink: Desk.analog, properties: ["media.role": "phone"]))
    let ducked = scene.send(.server(.streams(isOurs: false)), .server(.world(world, own: Desk.own)))
    #expect(ducked.contains("setVolume(0.05)"), "\(ducked)")
    #expect(scene.send(settings(0.5)).contains("setVolume(0.25)"))
    // The two orders are answered, and somebody moves the volume in a mixer.
    scene.send(.stream(.volumeSet), .stream(.volumeSet))
    scene.now += .seconds(5)
    world.sinkInputs[0].volume = 0.4
    // The first answer is to a question from before the orders were answered.
    for _ in 0..<2 { scene.send(.server(.streams(isOurs: true)), .server(.world(world, own: Desk.own))) }
    #expect(scene.playback.userVolume == 0.4)
    #expect(scene.send(settings(0.2)).allSatisfy { !$0.hasPrefix("setVolume") })
  }

  @Test("another server's stream is a new one, whatever its number: its remembered volume is not the user's")
  func otherServer() {
    var scene = PlaybackScene.playing(volume: 0.5)
    scene.send(scene.world { $0.volume = 0.5 })
    scene.now += .seconds(60)
    scene.send(.server(.lost(reason: "gone")), .server(.found), scene.world { $0.volume = nil })
    let said = scene.send(.stream(.made), scene.world { $0.volume = 0.9 })
    #expect(said.contains("setVolume(0.5)") && scene.playback.userVolume == 0.5)
  }

  @Test("a volume that was read while an order was under way is read again after the answer")
  func doubtfulVolume() {
    var scene = PlaybackScene.playing(volume: 0.5)
    scene.send(scene.world { $0.volume = 0.5 })
    scene.send(.server(.streams(isOurs: true)), .volume(.set(0.8)))
    scene.send(scene.world { $0.volume = 0.5 })
    #expect(scene.playback.userVolume == 0.8)
    #expect(scene.send(.stream(.volumeSet)) == ["readWorld"])
  }

  @Test("our own unmute is checked by a reading")
  func unmuted() {
    var scene = PlaybackScene.playing()
    scene.send(scene.world)
    #expect(scene.send(.stream(.muteSet)) == ["readWorld"])
  }

  @Test("an output that is chosen is that of later streams, until the sound goes elsewhere or it is gone")
  func output() {
    var scene = PlaybackScene.playing()
    scene.send(scene.world)
    #expect(scene.send(.output("nowhere")) == ["makeStreams(on: \"nowhere\")", "readWorld"])
    #expect(scene.playback.chosenSink == "nowhere")
    scene.send(.server(.streams(isOurs: true)))
    #expect(scene.send(scene.world).contains("leaveSink") && scene.playback.chosenSink == nil)
    let here = scene.desk.world.sinks[0].name
    scene.send(.output(here), .server(.streams(isOurs: true)))
    #expect(!scene.send(scene.world).contains("leaveSink") && scene.playback.chosenSink == here)
    #expect(!scene.send(.server(.lost(reason: "gone"))).contains("leaveSink"))
    #expect(scene.playback.chosenSink == here)
  }

  @Test("an output that is chosen stays chosen through its card's profiles, and is left when the card goes")
  func outputAcrossProfiles() {
    var scene = PlaybackScene.playing()
    scene.desk = scene.desk.addingA2DP()
    scene.send(.server(.sink(.new, Desk.a2dp)), scene.world)
    scene.desk = scene.desk.playing(on: Desk.a2dp)
    scene.send(.output("a2dp"), .stream(.moved(to: Desk.a2dp)), scene.world)
    scene.now += .seconds(3)
    scene.send(.timer(.route), scene.world)

    // The server has the stream on the loudspeakers until the card's next sink is there.
    let headset = scene.desk
    scene.desk = headset.without(Desk.a2dp).playing(on: Desk.analog)
    #expect(!scene.send(.server(.sink(.removed, Desk.a2dp)), scene.world).contains("leaveSink"))
    #expect(scene.playback.chosenSink == "a2dp")
    scene.desk = scene.desk.addingHandsfree().playing(on: Desk.handsfree)
    scene.send(.server(.sink(.new, Desk.handsfree)), scene.world)
    scene.now += .milliseconds(100)
    let told = scene.send(.timer(.route))
    #expect(told.contains("makeStreams(on: \"hfp\")") && told.contains("tell categoryChange"), "\(told)")
    #expect(scene.playback.chosenSink == "hfp")

    // A headset that is switched off is gone, and so is the choice.
    scene.desk = scene.desk.without(Desk.handsfree).playing(on: Desk.analog)
    scene.send(.server(.sink(.removed, Desk.handsfree)), scene.world)
    #expect(scene.playback.chosenSink == "hfp")
    scene.now += .seconds(2)
    #expect(scene.send(.timer(.route)).contains("leaveSink") && scene.playback.chosenSink == nil)
  }

  @Test("an output that is chosen stays chosen through its card's profiles without a stream too")
  func outputAcrossProfilesInSilence() {
    var scene = PlaybackScene()
    scene.desk = scene.desk.addingA2DP().with { $0.hasStream = false }
    scene.send(.server(.found), scene.world, scene.world)
    scene.send(.output("a2dp"), scene.world)
    scene.now += .seconds(3)
    scene.send(.timer(.route))
    #expect(scene.playback.route?.sinkName == "a2dp")
    scene.desk = scene.desk.without(Desk.a2dp)
    scene.send(.server(.sink(.removed, Desk.a2dp)), scene.world)
    scene.desk = scene.desk.addingHandsfree()
    scene.send(.server(.sink(.new, Desk.handsfree)), scene.world)
    scene.now += .milliseconds(100)
    #expect(scene.send(.timer(.route)).contains("tell categoryChange"))
    #expect(scene.playback.chosenSink == "hfp" && scene.playback.route?.sinkName == "hfp")
    scene.desk = scene.desk.without(Desk.handsfree).addingA2DP()
    scene.send(.server(.sink(.removed, Desk.handsfree)), .server(.sink(.new, Desk.a2dp)), scene.world)
    scene.now += .milliseconds(100)
    scene.send(.timer(.route))
    #expect(scene.playback.chosenSink == "a2dp" && scene.playback.route?.sinkName == "a2dp")
  }

  @Test(
    "where the server restarts, music goes on at the output that was chosen, by us or in a mixer, and not at the default",
    arguments: [true, false])
  func outputAfterRestart(isOurs: Bool) {
    var scene = PlaybackScene.playing()
    scene.desk = scene.desk.addingUSB()
    scene.send(.server(.sink(.new, Desk.usb)), scene.world)
    scene.desk = scene.desk.playing(on: Desk.usb)
    if isOurs { scene.send(.output("usb")) }
    scene.send(.server(.streams(isOurs: true)), .stream(.moved(to: Desk.usb)), scene.world)
    scene.now += .seconds(3)
    scene.send(.timer(.route), scene.world)
    #expect(scene.playback.route?.sinkName == "usb")

    #expect(scene.send(.server(.lost(reason: "gone"))).contains("tell mediaServicesWereLost"))
    #expect(scene.playback.chosenSink == "usb")
    scene.send(.server(.readingFailed(isServerThere: false)))
    // A server that has just started has no output yet, and then these two.
    let whole = scene.desk.with { $0.hasStream = false }
    scene.desk = Desk().addingNull().with { ($0.hasStream, $0.defaultSink) = (false, Sink.nullSinkName) }
    scene.send(.server(.found), scene.world)
    scene.desk = whole
    let told = scene.send(.server(.sink(.new, Desk.usb)), scene.world, scene.world)
    #expect(told.contains("tell mediaServicesWereReset") && !told.contains("tell oldDeviceUnavailable"))
    #expect(scene.playback.route?.sinkName == "usb" && scene.playback.chosenSink == "usb")
    #expect(scene.playback.player.session.state == .playing)
  }

  @Test("a mute is ordered, told, and taken back by the same order")
  func mute() {
    var scene = PlaybackScene.playing()
    scene.send(scene.world)
    #expect(scene.send(.volume(.toggleMute)) == ["setMuted(true)"])
    #expect(scene.playback.isMuted && scene.playback.why == .inaudible(.muted))
    #expect(scene.send(.volume(.toggleMute)) == ["setMuted(false)"])
    #expect(!scene.playback.isMuted && scene.playback.why == nil)
  }
}
