// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@testable import PlaybackLogic

/// What `Playback` itself decides, apart from its parts, which have tests of their own.
@Suite("Playback")
struct PlaybackTests {
  /// Playback of three tracks at a desk with loudspeakers, and what it wanted done since it was last asked.
  private struct Scene {
    var playback: Playback
    var desk = Desk.laptop(jack: false)
    var now = Duration.zero

    init(volume: Double? = nil, repeat: RepeatMode = .none) {
      var queue = PlayQueue(seed: 1, repeat: `repeat`)
      _ = queue.append((0..<3).map { EntrySource("/music/\($0).flac") })
      playback = Playback(player: Player(queue: queue), volume: volume)
    }

    /// At the first server, with a route and a stream that plays.
    static func playing(volume: Double? = nil, repeat: RepeatMode = .none) -> Scene {
      var scene = Scene(volume: volume, repeat: `repeat`)
      scene.send(.server(.found), scene.world)
      scene.send(.order(.play, by: .user), .stream(.made), scene.world)
      scene.send(.stream(.read(isMuted: false, serverCorks: true)))
      return scene
    }

    var world: PlaybackEvent { .server(.world(desk.world, own: desk.hasStream ? Desk.own : nil)) }

    /// Our stream as it stands in the server's world, changed like this.
    func world(_ change: (inout SinkInput) -> Void) -> PlaybackEvent {
      var world = desk.world
      for at in world.sinkInputs.indices { change(&world.sinkInputs[at]) }
      return .server(.world(world, own: Desk.own))
    }

    @discardableResult
    mutating func send(_ events: PlaybackEvent...) -> [String] {
      var made: [PlaybackEffect] = []
      for event in events {
        now += .milliseconds(1)
        made += playback.handle(event, at: now)
      }
      return made.compactMap(Self.words)
    }

    /// An effect in words; nil for a timer.
    static func words(_ effect: PlaybackEffect) -> String? {
      switch effect {
      case .sound(.load(let playing)): "load \(playing.entry.id.rawValue)"
      case .sound(.follow(_, let next)): "then \(next.map { "\($0.entry.id.rawValue)" } ?? "nothing")"
      case .sound(.unload): "unload"
      case .sound(.cork(let isCorked)): isCorked ? "cork" : "uncork"
      case .tell(let news): "tell " + words(news)
      case .measure(let entry): "measure \(entry.id.rawValue)"
      case .learned(let entry, let length): "learned \(entry.rawValue) \(length.components.seconds)"
      case .timer, .cancelTimer: nil
      default: "\(effect)"
      }
    }

    private static func words(_ news: PlayerNews) -> String {
      switch news {
      case .queue: "queue"
      case .route(let change, _): change.reason.rawValue
      case .interruptionBegan(let told): "\(told.source.text) began"
      case .interruptionEnded(let told, _): "\(told.source.text) ended"
      default: "\(news)"
      }
    }
  }

  @Test("music that is to be alone asks for the other players each time that it begins, and never otherwise")
  func solo() {
    var scene = Scene.playing()
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

  @Test("what a server answered before it was lost begins no call, and nobody is heard over it")
  func lateAnswer() {
    var scene = Scene.playing()
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

  @Test("another program is heard while one of its streams runs, and is neither muted nor corked")
  func others() {
    var scene = Scene.playing()
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
    var scene = Scene.playing(volume: 0.8)
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
    "who turns the volume up or down while it fades is awake: the timer ends, and the volume is as ordered")
  func awake() {
    for order in [VolumeOrder.set(0.6), .change(by: -0.2)] {
      var scene = Scene.playing(volume: 0.8)
      scene.send(.pauseLater(after: .seconds(30)))
      scene.now += .seconds(25)
      scene.send(.timer(.sleep))
      let said = scene.send(.volume(order))
      #expect(said.contains("setVolume(0.6)") && scene.playback.sleepTimer == nil, "\(said)")
      scene.now += .seconds(10)
      scene.send(.timer(.sleep))
      #expect(scene.playback.player.state == .playing && scene.playback.userVolume == 0.6)
    }
  }

  @Test("the machine's sleep ends the time to sleep: it does not go on in the morning")
  func asleep() {
    var scene = Scene.playing(volume: 0.8)
    scene.send(.pauseLater(after: .seconds(30)))
    scene.now += .seconds(25)
    scene.send(.timer(.sleep))
    let said = scene.send(.preparesForSleep)
    #expect(said.first == "cork" && said.last == "setVolume(0.8)", "\(said)")
    #expect(scene.playback.sleepTimer == nil && scene.playback.player.session.why?.text == "sleep")
  }

  @Test("silence comes before anybody is told why, and sound comes last")
  func order() {
    var scene = Scene.playing()
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

  @Test("a cork that comes with a call is told as a call, once the world was read")
  func callAndCork() {
    var scene = Scene.playing()
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
    var scene = Scene.playing()
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
    var scene = Scene.playing()
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
    var scene = Scene.playing()
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
    var scene = Scene.playing()
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

  @Test("one reading of the world is under way at a time, and serves all who asked before it began")
  func oneReading() {
    var scene = Scene.playing()
    scene.send(scene.world)
    #expect(scene.send(.server(.streams(isOurs: false))) == ["readWorld"])
    #expect(scene.send(.server(.streams(isOurs: false)), .server(.changed)).isEmpty)
    #expect(scene.send(scene.world) == ["readWorld"])
    #expect(scene.send(scene.world).isEmpty)
  }

  @Test("a reading that fails is made again while the server is there, and not when it is gone")
  func readingFails() {
    var scene = Scene.playing()
    scene.send(scene.world)
    scene.send(.server(.streams(isOurs: false)))
    #expect(scene.send(.server(.readingFailed(isServerThere: true))) == ["readWorld"])
    scene.send(.server(.lost(reason: "gone")))
    #expect(scene.send(.server(.readingFailed(isServerThere: false))).isEmpty)
  }

  @Test("while the output is suspended, answered requests are no progress")
  func suspendedProgress() {
    var scene = Scene.playing()
    scene.send(.stream(.suspended(true)))
    #expect(scene.playback.why == .interrupted(by: .suspend))
    scene.send(.stream(.progressed(isSuspended: true)))
    #expect(scene.playback.why == .interrupted(by: .suspend))
    scene.send(.stream(.progressed(isSuspended: false)))
    #expect(scene.playback.why == nil)
  }

  /// How a stream ends, and what that means.
  private static let ends: [(isKilled: Bool, isServerThere: Bool, why: SilenceReason?, error: String?)] = [
    (false, true, .interrupted(by: .refusal), "too many"),  // the server makes no stream
    (false, false, nil, nil),  // the server is gone, and says so itself
    (true, true, nil, nil),  // somebody killed it; a reading shows why
  ]

  @Test("a stream that ends while the server stays was refused, unless somebody killed it", arguments: 0..<3)
  func streamEnds(row: Int) {
    let end = Self.ends[row]
    var scene = Scene.playing()
    scene.send(
      .stream(.ended(isKilled: end.isKilled, reason: "too many", isServerThere: end.isServerThere)))
    #expect(scene.playback.why == end.why)
    #expect(scene.playback.lastServerError == end.error)
  }

  @Test("a volume that somebody moved in a mixer is the user's, and later streams are made with it")
  func mixer() {
    var scene = Scene.playing(volume: 0.5)
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
    var scene = Scene()
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
    var scene = Scene.playing(volume: 0.5)
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
    var scene = Scene.playing(volume: 0.5)
    scene.send(scene.world { $0.volume = 0.5 })
    scene.now += .seconds(60)
    scene.send(.server(.lost(reason: "gone")), .server(.found), scene.world { $0.volume = nil })
    let said = scene.send(.stream(.made), scene.world { $0.volume = 0.9 })
    #expect(said.contains("setVolume(0.5)") && scene.playback.userVolume == 0.5)
  }

  @Test("a new crossfade is for the track that plays, too")
  func crossfade() {
    var scene = Scene.playing()
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

  @Test("a volume that was read while an order was under way is read again after the answer")
  func doubtfulVolume() {
    var scene = Scene.playing(volume: 0.5)
    scene.send(scene.world { $0.volume = 0.5 })
    scene.send(.server(.streams(isOurs: true)), .volume(.set(0.8)))
    scene.send(scene.world { $0.volume = 0.5 })
    #expect(scene.playback.userVolume == 0.8)
    #expect(scene.send(.stream(.volumeSet)) == ["readWorld"])
  }

  @Test("our own unmute is checked by a reading")
  func unmuted() {
    var scene = Scene.playing()
    scene.send(scene.world)
    #expect(scene.send(.stream(.muteSet)) == ["readWorld"])
  }

  @Test("an output that is chosen is that of later streams, until the sound goes elsewhere or it is gone")
  func output() {
    var scene = Scene.playing()
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
    var scene = Scene.playing()
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
    var scene = Scene()
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
    var scene = Scene.playing()
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

  @Test("a call that dies with its server is one interruption with the server's absence")
  func callAndServer() {
    var scene = Scene.playing()
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

  @Test("a mute is ordered, told, and taken back by the same order")
  func mute() {
    var scene = Scene.playing()
    scene.send(scene.world)
    #expect(scene.send(.volume(.toggleMute)) == ["setMuted(true)"])
    #expect(scene.playback.isMuted && scene.playback.why == .inaudible(.muted))
    #expect(scene.send(.volume(.toggleMute)) == ["setMuted(false)"])
    #expect(!scene.playback.isMuted && scene.playback.why == nil)
  }

  @Test("a length that may be wrong is measured once, however often the track is opened")
  func measuring() {
    var scene = Scene.playing()
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
    var scene = Scene.playing(repeat: .one)
    scene.send(.sound(.opened(play: 1, length: .seconds(10), isExact: false)))
    #expect(scene.send(.measured(EntryID(rawValue: 1), length: .seconds(11))) == ["learned 1 11"])
    #expect(scene.playback.player.length == .seconds(11))
  }

  @Test(
    "an edit that is taken back brings no music after a reason for silence",
    arguments: [nil, .order(.pause, by: .user), .preparesForSleep] as [PlaybackEvent?])
  func takenBack(reason: PlaybackEvent?) {
    var scene = Scene.playing()
    let (queue, moment) = (scene.playback.player.queue, scene.playback.moment(at: scene.now))
    _ = scene.playback.edit(at: scene.now) { $0.clear() }
    if let reason { scene.send(reason) }
    _ = scene.playback.takeBack(to: queue, moment: moment, at: scene.now)
    #expect(scene.playback.player.session.intent == (reason == nil ? .playing : .paused(by: .user)))
  }

  @Test("what is decided from is put into words only for who asks")
  func explaining() {
    var scene = Scene.playing()
    #expect(!scene.send(.stream(.corkRequested)).contains { $0.hasPrefix("explain") })
    scene.playback.explains = true
    #expect(
      scene.send(.stream(.uncorkRequested)).contains(
        #"explain("session: ended(PlaybackLogic.Interruption.Source.cork)")"#))
  }
}
