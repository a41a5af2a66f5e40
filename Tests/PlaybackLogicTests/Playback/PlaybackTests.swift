// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@testable import PlaybackLogic

/// What `Playback` itself decides, apart from its parts, which have tests of their own.
@Suite("Playback")
struct PlaybackTests {
  @Test("music that is to be alone asks for the other players each time that it begins, and never otherwise")
  func solo() {
    var scene = PlaybackScene.playing()
    func settings(_ category: SessionCategory) -> PlaybackEvent {
      var session = SessionSettings()
      session.category = category
      return .settings(
        PlaybackSettings(
          player: PlayerSettings(), session: session, loudness: LoudnessSettings(), repeatMode: .none,
          shuffleMode: .off))
    }
    func searches(_ events: PlaybackEvent...) -> Int {
      events.reduce(0) { sum, event in sum + scene.send(event).count { $0.hasPrefix("guarding(") } }
    }
    #expect(searches(.order(.pause, by: .user), .order(.play, by: .user)) == 0)
    // Music that plays already has begun before.
    #expect(searches(settings(.solo)) == 0)
    #expect(searches(.order(.next, by: .user), .order(.pause, by: .user)) == 0)
    #expect(searches(.order(.play, by: .user)) == 1)
    var call = scene.desk.world
    call.sinkInputs.append(
      SinkInput(
        index: SinkInput.Index(rawValue: 99), sink: Desk.analog, properties: ["media.role": "phone"]))
    let inCall = PlaybackEvent.server(.world(call, own: Desk.own))
    #expect(searches(scene.world, .server(.streams(isOurs: false)), inCall) == 0)
    #expect(scene.playback.player.session.state == .interrupted)
    #expect(searches(.order(.play, by: .user)) == 1)
    #expect(searches(settings(.ambient), .order(.pause, by: .user), .order(.play, by: .user)) == 0)
  }

  @Test("another program is heard while one of its streams runs, and is neither muted nor corked")
  func others() {
    var scene = PlaybackScene.playing()
    #expect(!scene.playback.isOtherAudioPlaying)
    func shows(_ change: (inout SinkInput) -> Void) -> Bool {
      var world = scene.desk.world
      guard var other = world.sinkInputs.first else { return false }
      (other.index, other.client, other.isCorked, other.isMuted) = (
        SinkInput.Index(rawValue: 77), AudioClient.Index(rawValue: 77), false, false
      )
      change(&other)
      world.sinkInputs.append(other)
      scene.send(.server(.streams(isOurs: false)), .server(.world(world, own: Desk.own)))
      return scene.playback.isOtherAudioPlaying
    }
    #expect(shows { _ in })
    #expect(!shows { $0.isCorked = true })
    #expect(!shows { $0.isMuted = true })
    #expect(!shows { $0.sink = nil })
    #expect(!shows { $0.client = nil })
    #expect(shows { $0.properties["media.role"] = "phone" })
    scene.send(.server(.lost(reason: "gone")))
    #expect(!scene.playback.isOtherAudioPlaying)
  }

  @Test("a time to sleep fades out and pauses, and the volume is as before; off takes back what has faded")
  func sleep() {
    var scene = PlaybackScene.playing(volume: 0.8)
    #expect(scene.send(.pauseLater(after: .seconds(30))) == [])
    #expect(scene.playback.sleepTimer?.left(at: scene.now) == .seconds(30))
    scene.now += .seconds(25)
    #expect(scene.send(.timer(.sleep)).count == 1 && scene.playback.userVolume == 0.8)
    #expect(scene.send(.pauseLater(after: nil)) == ["setVolume(0.8)"] && scene.playback.sleepTimer == nil)
    scene.send(.pauseLater(after: .seconds(30)))
    scene.now += .seconds(29)
    scene.send(.timer(.sleep))
    scene.now += .seconds(1)
    let end = scene.send(.timer(.sleep))
    #expect(end.first == "cork" && end.last == "setVolume(0.8)", "\(end)")
    #expect(scene.playback.player.state == .paused && scene.playback.sleepTimer == nil)
    #expect(scene.playback.player.session.why?.text == "sleep-timer")
  }

  @Test(
    "who turns the volume up while it fades is awake: the timer ends, and the volume is as ordered",
    arguments: [VolumeOrder.set(0.6), .change(by: 0.2)])
  func awake(order: VolumeOrder) {
    var scene = PlaybackScene.playing(volume: 0.4)
    scene.send(.pauseLater(after: .seconds(30)))
    scene.now += .seconds(25)
    scene.send(.timer(.sleep))
    let said = scene.send(.volume(order))
    #expect(said.contains("setVolume(0.6)") && scene.playback.sleepTimer == nil, "\(said)")
    scene.now += .seconds(10)
    scene.send(.timer(.sleep))
    #expect(scene.playback.player.state == .playing && scene.playback.userVolume == 0.6)
  }

  @Test(
    "who turns it down falls asleep to it: it fades on from there, and is never louder than before",
    arguments: [VolumeOrder.set(0.4), .change(by: -0.4)])
  func quieter(order: VolumeOrder) {
    var scene = PlaybackScene.playing(volume: 0.8)
    scene.send(.pauseLater(after: .seconds(30)))
    scene.now += .seconds(25)
    let faded = scene.send(.timer(.sleep))
    #expect(faded.first?.hasPrefix("setVolume(0.39") == true, "\(faded)")
    let said = scene.send(.volume(order))
    #expect(said.first?.hasPrefix("setVolume(0.19") == true && scene.playback.sleepTimer != nil, "\(said)")
    scene.now += .seconds(5)
    scene.send(.timer(.sleep))
    #expect(scene.playback.player.session.why?.text == "sleep-timer" && scene.playback.userVolume == 0.4)
  }

  @Test("the machine's sleep ends the time to sleep: it does not go on in the morning")
  func asleep() {
    var scene = PlaybackScene.playing(volume: 0.8)
    scene.send(.pauseLater(after: .seconds(30)))
    scene.now += .seconds(25)
    scene.send(.timer(.sleep))
    let said = scene.send(.preparesForSleep)
    #expect(said.first == "cork" && said.last == "setVolume(0.8)", "\(said)")
    #expect(scene.playback.sleepTimer == nil && scene.playback.player.session.why?.text == "sleep")
  }

  @Test("silence comes before anybody is told why, and sound comes last")
  func order() {
    var scene = PlaybackScene.playing()
    scene.send(scene.world)
    #expect(scene.send(.stream(.corkRequested)) == ["cork", "readWorld"])
    // What asks for silence has a role that nobody watches.
    var world = scene.desk.world
    world.sinkInputs[0].isMuted = true
    world.sinkInputs.append(
      SinkInput(index: SinkInput.Index(rawValue: 99), sink: Desk.analog, properties: ["media.role": "game"]))
    #expect(scene.send(.server(.world(world, own: Desk.own))) == ["tell cork began"])
    #expect(
      scene.send(.stream(.uncorkRequested)) == ["unmute", "tell cork ended", "uncork"])
  }

  @Test("one reading of the world is under way at a time, and serves all who asked before it began")
  func oneReading() {
    var scene = PlaybackScene.playing()
    scene.send(scene.world)
    #expect(scene.send(.server(.streams(isOurs: false))) == ["readWorld"])
    #expect(scene.send(.server(.streams(isOurs: false)), .server(.changed)).isEmpty)
    #expect(scene.send(scene.world) == ["readWorld"])
    #expect(scene.send(scene.world).isEmpty)
  }

  @Test("a reading that fails is made again while the server is there, and not when it is gone")
  func readingFails() {
    var scene = PlaybackScene.playing()
    scene.send(scene.world)
    scene.send(.server(.streams(isOurs: false)))
    #expect(scene.send(.server(.readingFailed(isServerThere: true))) == ["readWorld"])
    scene.send(.server(.lost(reason: "gone")))
    #expect(scene.send(.server(.readingFailed(isServerThere: false))).isEmpty)
  }

  @Test("while the output is suspended, answered requests are no progress")
  func suspendedProgress() {
    var scene = PlaybackScene.playing()
    scene.send(.stream(.suspended(true)))
    #expect(scene.playback.why == .interrupted(by: .suspend))
    scene.send(.stream(.progressed(isSuspended: true)))
    #expect(scene.playback.why == .interrupted(by: .suspend))
    scene.send(.stream(.progressed(isSuspended: false)))
    #expect(scene.playback.why == nil)
  }

  @Test("a new crossfade is for the track that plays, too")
  func crossfade() {
    var scene = PlaybackScene.playing()
    func settings(_ seconds: Int) -> PlaybackEvent {
      var player = PlayerSettings()
      player.crossfade = .seconds(seconds)
      return .settings(
        PlaybackSettings(
          player: player, session: SessionSettings(), loudness: LoudnessSettings(), repeatMode: .none,
          shuffleMode: .off))
    }
    #expect(scene.send(settings(0)).allSatisfy { !$0.hasPrefix("load") })
    #expect(scene.send(settings(5)).contains { $0.hasPrefix("load") })
    #expect(scene.send(settings(5)).allSatisfy { !$0.hasPrefix("load") })
  }

  @Test("a length that may be wrong is measured once, however often the track is opened")
  func measuring() {
    var scene = PlaybackScene.playing()
    let guess = Duration.seconds(10)
    #expect(
      scene.send(.sound(.opened(play: 1, length: guess, isExact: false))) == ["measure 1"])
    #expect(scene.send(.order(.seekTo(.zero), by: .user)).contains("load 1"))
    #expect(scene.send(.sound(.opened(play: 3, length: guess, isExact: false))).isEmpty)
    let entry = EntryID(rawValue: 1)
    #expect(scene.send(.measured(entry, length: .seconds(11))) == ["learned 1 11"])
    #expect(scene.playback.player.length == .seconds(11))
  }

  @Test("a length that was measured is that of what is heard too where the same track comes next")
  func measuringRepeated() {
    var scene = PlaybackScene.playing(repeat: .one)
    scene.send(.sound(.opened(play: 1, length: .seconds(10), isExact: false)))
    #expect(scene.send(.measured(EntryID(rawValue: 1), length: .seconds(11))) == ["learned 1 11"])
    #expect(scene.playback.player.length == .seconds(11))
  }

  @Test(
    "an edit that is taken back brings no music after a reason for silence",
    arguments: [nil, .order(.pause, by: .user), .preparesForSleep] as [PlaybackEvent?])
  func takenBack(reason: PlaybackEvent?) {
    var scene = PlaybackScene.playing()
    let (queue, moment) = (scene.playback.player.queue, scene.playback.moment(at: scene.now))
    _ = scene.playback.edit(at: scene.now) { $0.clear() }
    if let reason { scene.send(reason) }
    _ = scene.playback.takeBack(to: queue, moment: moment, at: scene.now)
    #expect(scene.playback.player.session.intent == (reason == nil ? .playing : .paused(by: .user)))
  }

  @Test("what is decided from is put into words only for who asks")
  func explaining() {
    var scene = PlaybackScene.playing()
    #expect(!scene.send(.stream(.corkRequested)).contains { $0.hasPrefix("explain") })
    scene.playback.explains = true
    #expect(
      scene.send(.stream(.uncorkRequested)).contains(
        #"explain("session: ended(PlaybackLogic.Interruption.Source.cork)")"#))
  }
}
