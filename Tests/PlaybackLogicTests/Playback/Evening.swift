// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit

@testable import PlaybackLogic

/// An evening at the desk: `Playback` as the agent has it, a server that answers late, people and programs that come
/// between, and at every moment the question whether anybody hears what they should not.
struct Evening {
  private enum Told {
    case world(stream: Sink.Index?)
    case event(PlaybackEvent)
    case effect(PlaybackEffect)
  }

  private enum Item {
    case step(ModelServer.Deed, ModelServer.Step)
    case event(PlaybackEvent, life: Int)
    case answer(life: Int)
    case timer(PlaybackTimer, number: Int)
  }

  private(set) var playback: Playback
  private var server: ModelServer
  private var random: SeededGenerator
  private(set) var now = 0
  private var agenda: [(time: Int, item: Item)] = []
  private var timers: [PlaybackTimer: Int] = [:]
  private var timersMade = 0
  private var isAlive = false
  /// Answers that were asked of a server that has died since never come.
  private var life = 0

  // What the sound engine was told, and what the server does to our stream.
  private var isLoaded = false
  private var isCorked = true
  private var isStreamMade = false
  private var isMutedByServer = false
  /// How many calls there were: each has a stream of its own.
  private var calls: UInt32 = 0

  /// Since when somebody calls.
  private var callSince: Int?
  private var wasPlayedInCall = false
  /// What the user wants, as anybody would say it.
  private var isWanted = false { didSet { if oldValue { lastWanted = now } } }
  private var lastWanted = -1_000
  /// When the listener's device went and the sound with it, until somebody plays again.
  private var spill: Int?
  /// Since when the sound has been going to this sink, and to the listener alone. What was so for some milliseconds, nobody
  /// could know.
  private var privateSince: (time: Int, sink: Sink.Index)?
  /// What was lost last, until something else is told.
  private var lost: Route.Device?
  private var interruption: ToldInterruption?
  /// What happened last, for the report.
  private var trail: [(time: Int, what: Told)] = []
  /// What has gone wrong.
  private(set) var complaint: String?

  init(seed: UInt64, isPipeWire: Bool, settings: SessionSettings = SessionSettings()) {
    random = SeededGenerator(seed: seed)
    server = ModelServer(isPipeWire: isPipeWire)
    if isPipeWire { server.desk.server = "PulseAudio (on PipeWire 1.4.2)" }
    var queue = PlayQueue(seed: seed, repeat: .all)
    _ = queue.append((0..<5).map { EntrySource("/music/\($0).flac") })
    playback = Playback(player: Player(queue: queue, session: Session(settings: settings)))
  }

  /// The moments before something went wrong.
  var report: String { trail.suffix(40).map { "\($0.time) \($0.what)" }.joined(separator: "\n") }

  private var session: Session { playback.player.session }

  // MARK: Time

  /// Lets some milliseconds pass, with everything that is due in them.
  mutating func pass(_ milliseconds: Int) {
    let end = now + milliseconds
    while complaint == nil, let next = agenda.first, next.time <= end {
      agenda.removeFirst()
      now = max(now, next.time)
      run(next.item)
      check()
    }
    now = end
  }

  private mutating func plan(_ item: Item, after wait: Int) {
    let time = now + wait
    agenda.insert((time, item), at: agenda.firstIndex { $0.time > time } ?? agenda.endIndex)
  }

  /// Plans the server's answer to something that was asked now.
  private mutating func answer(_ event: PlaybackEvent) {
    plan(.event(event, life: life), after: Int.random(in: 1...3, using: &random))
  }

  private mutating func run(_ item: Item) {
    switch item {
    case .step(let deed, let step): run(step, of: deed)
    case .event(let event, let life): if isAlive, life == self.life { happen(event) }
    case .answer(let life):
      // The server's death is told before its readings fail.
      let isThere = isAlive && life == self.life
      happen(.server(isThere ? .world(world, own: Desk.own) : .readingFailed(isServerThere: isAlive)))
      if isThere, !isStreamMade { makeStream() }
    case .timer(let timer, let number):
      guard timers[timer] == number else { return }
      timers[timer] = nil
      happen(.timer(timer))
    }
  }

  // MARK: The desk

  mutating func doRandomly() {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<9: plan(ModelServer.Deed.allCases.randomElement(using: &random) ?? .volume)
    case 9..<12: userPlays()
    case 12: userPauses()
    case 13, 14: ring(callSince == nil)
    case 15: happen(.order(random.chance(50) ? .pause : .play, by: .tool("link")))
    case 16: closeLid()
    case 17: if random.chance(30) { isAlive ? die() : rise() }
    case 18: if random.chance(50) { progress() } else { happen(.order(.seekTo(.seconds(1)), by: .user)) }
    default: if !isAlive { rise() }
    }
    check()
  }

  private mutating func plan(_ deed: ModelServer.Deed) {
    var wait = 0
    for step in server.steps(of: deed) {
      wait += step.wait
      plan(.step(deed, step), after: wait)
    }
  }

  private mutating func run(_ step: ModelServer.Step, of deed: ModelServer.Deed) {
    let wasPrivate = privateSince.map { now > $0.time + 8 } ?? false
    let events = step.act(&server)
    switch deed {
    case .jackOut, .usbOut, .bluetoothOut, .bluetoothProfile:
      if wasPrivate, !isPrivate { spill = now }
    default: break
    }
    if isAlive { events.compactMap(PlaybackEvent.init).forEach { happen($0) } }
    if isPrivate { spill = nil }
    notePrivate()
  }

  private mutating func notePrivate() {
    guard isPrivate, let sink = server.desk.stream else { return privateSince = nil }
    if privateSince?.sink == sink { return }
    privateSince = session.holds[.server] == nil ? (now, sink) : nil
  }

  private var isPrivate: Bool { server.desk.stream != nil && !server.isPublic }

  private var world: AudioWorld {
    var world = server.desk.world
    for at in world.sinkInputs.indices { world.sinkInputs[at].isMuted = isMutedByServer }
    if callSince != nil {
      world.sinkInputs.append(
        SinkInput(
          index: SinkInput.Index(rawValue: 100 + calls), sink: Desk.analog,
          properties: ["media.role": "phone"]))
    }
    return world
  }

  private mutating func die() {
    isAlive = false
    life += 1
    isMutedByServer = false
    privateSince = nil
    happen(.stream(.ended(isKilled: false, reason: "connection terminated", isServerThere: false)))
    happen(.server(.lost(reason: "connection terminated")))
  }

  mutating func rise() {
    guard !isAlive else { return }
    isAlive = true
    isStreamMade = false
    happen(.server(.found))
  }

  /// Our stream is made only when the world has been read. In a call it is muted from its beginning.
  private mutating func makeStream() {
    isStreamMade = true
    isMutedByServer = callSince != nil && !server.isPipeWire
    answer(.stream(.made))
  }

  private mutating func progress() {
    if isAlive, isLoaded, !isCorked { happen(.stream(.progressed(isSuspended: false))) }
  }

  // MARK: People and programs

  private mutating func userPlays() {
    if session.hasOutput { isWanted = true }
    spill = nil
    wasPlayedInCall = true
    happen(.order(.play, by: .user))
  }

  private mutating func userPauses() {
    isWanted = false
    happen(.order(.pause, by: .user))
  }

  private mutating func ring(_ rings: Bool) {
    callSince = rings ? now : nil
    if rings {
      wasPlayedInCall = false
      calls += 1
    }
    guard isAlive else { return }
    // PulseAudio may lose the end.
    if !server.isPipeWire, isStreamMade, rings || random.chance(50) {
      isMutedByServer = rings
      happen(.stream(rings ? .corkRequested : .uncorkRequested))
    }
    happen(.server(.streams(isOurs: false)))
  }

  private mutating func closeLid() {
    happen(.preparesForSleep)
    isWanted = false
    happen(.wokeUp)
  }

  // MARK: What the agent does with the effects

  private mutating func happen(_ event: PlaybackEvent) {
    if case .server(.world) = event { note(.world(stream: server.desk.stream)) } else { note(.event(event)) }
    for effect in playback.handle(event, at: .milliseconds(now)) { perform(effect) }
  }

  private mutating func perform(_ effect: PlaybackEffect) {
    note(.effect(effect))
    switch effect {
    case .sound(let order): perform(order)
    case .readWorld: plan(.answer(life: life), after: Int.random(in: 1...3, using: &random))
    case .readStream: answer(.stream(.read(isMuted: isMutedByServer, serverCorks: !server.isPipeWire)))
    case .setVolume: answer(.stream(.volumeSet))
    case .unmute:
      isMutedByServer = false
      answer(.stream(.muteSet))
    case .setMuted, .followMute, .makeStreams, .leaveSink: break
    case .timer(let timer, let wait):
      timersMade += 1
      timers[timer] = timersMade
      plan(.timer(timer, number: timersMade), after: max(1, Int(wait / .milliseconds(1))))
    case .cancelTimer(let timer): timers[timer] = nil
    case .tell(let news): hear(news)
    case .keepVolume, .noteTraits, .dropUnmadeStream, .measure, .stopMeasuring, .learned, .keepPlace,
      .guarding,
      .explain:
      break
    }
  }

  private mutating func perform(_ order: SoundOrder) {
    switch order {
    case .load: isLoaded = true
    case .unload: isLoaded = false
    case .follow: break
    case .cork(let isCorked):
      if self.isCorked == isCorked { complaint = "corked twice, or let go twice" }
      self.isCorked = isCorked
    }
  }

  private mutating func hear(_ news: PlayerNews) {
    switch news {
    case .route(let change, _): hear(change)
    case .interruptionBegan(let told):
      if interruption != nil { complaint = "an interruption began in another one" }
      interruption = told
      // A cork is told when its reason is known. Somebody may have paused since.
      if told.wasPlaying, !isWanted, now > lastWanted + 200 {
        complaint = "\(told.source) stopped music that nobody wanted"
      }
    case .interruptionEnded(let told, let end):
      if interruption?.source != told.source { complaint = "\(told.source) ended before it began" }
      interruption = nil
      if end == .overruled, !isWanted { complaint = "overruled by nobody" }
    default: break
    }
  }

  private mutating func hear(_ change: RouteChange) {
    if change.pauses { isWanted = false }
    let lost = change.reason == .oldDeviceUnavailable ? change.previous?.device : nil
    if let lost, lost == self.lost { complaint = "a loss told twice" }
    // It may be there again by the time that its loss is told.
    self.lost = change.current?.device == lost ? nil : lost
  }

  private mutating func note(_ what: Told) {
    if trail.count > 1_000 { trail.removeFirst(900) }
    trail.append((now, what))
  }

  // MARK: The question

  /// Whether music comes out: the engine has something and was told to let it go on.
  private var isHeard: Bool { isLoaded && !isCorked && session.isSounding }

  private mutating func check() {
    guard complaint == nil else { return }
    if isHeard, !isWanted { complaint = "sounds unwanted" }
    // The call is known only when the world was read, twice if one reading was under way.
    if isHeard, let callSince, now > callSince + 12, !wasPlayedInCall { complaint = "sounds in a call" }
    if isHeard, !isAlive { complaint = "sounds without a server" }
    // The jack is known only when it was asked for.
    if let spill, now > spill + 8, isAlive, !isCorked, server.isPublic {
      complaint = "the whole room hears it"
    }
    if isCorked != (session.isCorked || !isLoaded) { complaint = "the engine is not told what is wanted" }
    if playback.classifier.isHolding != (session.holds[.route] != nil) {
      complaint = "a hold that is not balanced"
    }
    let goesOn = session.holds.values.contains(where: \.isTold)
    if !session.isLookingForReason, (interruption != nil) != goesOn {
      complaint = "\(String(describing: interruption)) was told"
    }
  }

  /// After some quiet seconds everything has to be settled.
  mutating func checkRest() {
    guard complaint == nil, isAlive else { return }
    if playback.classifier.isHolding { complaint = "held for ever" }
    if playback.route != Destination(server.reading).route { complaint = "a wrong route" }
    let holds = session.holds.keys.filter { $0 != .stall }
    if isWanted, callSince == nil, holds.contains(where: \.isWatched) { complaint = "a call that never ends" }
    if isWanted, callSince == nil, isMutedByServer { complaint = "muted for ever" }
  }
}

extension PlaybackEvent {
  /// What the model server says of routes, as the agent hears it.
  fileprivate init?(_ event: RouteEvent) {
    switch event {
    case .moved(let sink): self = .stream(.moved(to: sink))
    case .sink(let change, let sink): self = .server(.sink(change, sink))
    case .card(let change, let card): self = .server(.card(change, card))
    case .serverChanged: self = .server(.changed)
    case .streamChanged: self = .server(.streams(isOurs: true))
    default: return nil
    }
  }
}
