// SPDX-License-Identifier: MIT
package import AgentLoop
import AudioModel
import DecodeIO
package import PlaybackLogic
package import PulseIO

/// Connects the player with the world: performs its decisions on the sound engine and the server, and tells it what happens there.
///
/// Owns the player value, the engine and the connection to the server. It decides nothing itself: whatever it does is an effect of
/// the player, the session or the route classifier. Loop only; `stop` ends it.
@AgentLoop
package final class PlayerService {
  /// The player value. Code outside of this module only reads it.
  package internal(set) var player: Player
  /// Called on the loop with what happens; `turn` comes last in each turn.
  package var news: @AgentLoop (PlayerNews) -> Void = { _ in }
  /// Called with what decisions are made from, in words. If it is nil, no words are made.
  package var evidence: (@AgentLoop (String) -> Void)?

  /// How the loudness of tracks is evened out. A change is heard at once.
  package var loudness = LoudnessSettings() {
    didSet {
      guard loudness != oldValue else { return }
      loudnessEdition += 1
      tell(.soundChanged)
    }
  }

  /// Stores the queue on disk, where no crash can lose it; nil if nobody does.
  var keeper: StateKeeper?
  /// What played, and where, before the edits that may still fail to be stored.
  var beforeEdits: Player.Moment?

  let server: PulseServer
  let engine: SoundEngine
  var classifier = RouteClassifier()
  var watcher: CallWatcher
  var volume = StreamVolume(user: 1)
  /// Whether the output of our stream is muted or turned down to nothing.
  var output = OutputLevel()
  var readings = WorldReadings()
  /// The index of our stream when the server last reported it.
  var knownStream: SinkInput.Index?
  let thread: BlockingThread?
  let items: ItemService
  /// The latest playings that the engine was told to play, now or next.
  var requested: [Playing] = []
  /// The entries whose exact lengths are being found.
  var measuring: [EntryID: BlockingJob] = [:]
  private var turnsUnderWay = 0
  private var loudnessEdition = 0
  private var timers: [PlayerTimer: LoopTimer] = [:]
  private var routeTimer: LoopTimer?
  var secondLook: LoopTimer?

  /// A service that plays this player's queue on `server`, which `start` starts. The volume is what the server remembers for us,
  /// unless one is given. News of `items` is passed on by this service from now on. On `thread`, the next track is prepared, and
  /// files that do not state their true length are measured.
  package init(
    player: Player, server: PulseServer, properties: [String: String], items: ItemService,
    volume: Double? = nil, thread: BlockingThread? = nil
  ) {
    self.player = player
    self.thread = thread
    self.items = items
    self.server = server
    watcher = CallWatcher(settings: player.session.settings)
    engine = SoundEngine(server: server, properties: properties, thread: thread)
    engine.volume = volume
    if let volume { self.volume = StreamVolume(user: volume) }
    engine.report = { [weak self] in self?.take($0) }
    server.handler = { [weak self] in self?.take($0) }
    items.news = { [weak self] entry in self?.inOneTurn { self?.news(.item(entry)) } }
  }

  /// Begins to connect to the server.
  package func start() { server.start() }

  /// Ends all sound and the connection.
  package func stop() {
    for timer in timers.values { timer.cancel() }
    routeTimer?.cancel()
    secondLook?.cancel()
    engine.stop()
    server.stop()
  }

  func note(_ text: @autoclosure () -> String?) {
    if let evidence, let text = text() { evidence(text) }
  }

  // MARK: Orders

  /// How many orders were carried out so far.
  private(set) var ordersTaken = 0

  /// Carries out an order and returns its outcome.
  @discardableResult
  package func order(_ order: PlayerOrder, by sender: Sender = .user) -> OrderOutcome {
    ordersTaken += 1
    let event = PlayerEvent.order(order, by: sender)
    note(Evidence.text(event))
    let effects = player.handle(event, at: AgentLoop.now)
    perform(effects)
    return OrderOutcome(effects)
  }

  /// Edits the queue. Returns what changed, and reports it as news.
  @discardableResult
  package func edit(_ edit: (inout PlayQueue) -> QueueChange) -> QueueChange {
    var made = QueueChange()
    if beforeEdits == nil, keeper != nil { beforeEdits = player.moment(at: AgentLoop.now) }
    perform(
      player.edit(at: AgentLoop.now) { queue in
        made = edit(&queue)
        return made
      })
    return made
  }

  /// Makes `queue`, the one on disk, the queue again, after edits that could not be stored. What plays goes on; if the edits had
  /// changed that, what played before goes on at its place.
  func takeBack(to queue: PlayQueue) {
    let moment = beforeEdits
    beforeEdits = nil
    perform(player.takeBack(to: queue, moment: moment, at: AgentLoop.now))
  }

  /// Notes that the files of entries are missing, or there again. Reports only those for which this is new.
  func mark(_ entries: [EntryID], asMissing isMissing: Bool) {
    guard !entries.isEmpty else { return }
    var changed: [EntryID] = []
    let effects = player.setMissing(isMissing, of: entries, at: AgentLoop.now, changed: &changed)
    if !changed.isEmpty { news(.missing(changed)) }
    perform(effects)
  }

  /// Does several things in one turn: `turn` is reported once, after all of them, so nobody is shown a state in between.
  package func inOneTurn<Result>(_ body: () throws -> Result) rethrows -> Result {
    turnsUnderWay += 1
    defer {
      turnsUnderWay -= 1
      turnEnded()
    }
    return try body()
  }

  /// Does something without reporting `turn`. This is for the silence while a change of route is examined, which nobody is shown.
  private func silently(_ body: (PlayerService) -> Void) {
    turnsUnderWay += 1
    body(self)
    turnsUnderWay -= 1
  }

  func turnEnded() {
    guard turnsUnderWay == 0 else { return }
    for effect in learnLength(from: items) { perform(effect) }
    news(.turn)
  }

  /// Sets the volume that the listener wants, a fraction of the full one.
  package func setVolume(_ fraction: Double) { setVolume { $0.choose(min(max(fraction, 0), 1)) } }

  /// Turns the volume up by a fraction of the full one, or down. Many such orders at once add up.
  package func changeVolume(by difference: Double) { setVolume { $0.change(by: difference) } }

  private func setVolume(_ set: (inout StreamVolume) -> Void) {
    set(&volume)
    applyVolume()
    news(.volume(volume.user))
    turnEnded()
  }

  /// The volume that the listener wants.
  package var userVolume: Double { volume.user }

  /// Why nothing is heard; nil while something is heard, and while nothing is wanted.
  package var why: SilenceReason? { player.session.why(at: volume, on: output) }

  /// Whether the sound server answers.
  package var isServerThere: Bool { server.isConnected }

  /// Why the sound server could not be reached last, if that was so.
  package internal(set) var lastServerError: String?

  /// Where the sound goes.
  package var route: Route? { classifier.route }

  /// Where the sound would go on: the place that is stored.
  var place: Duration { player.place(at: AgentLoop.now) }

  /// Where in the current track the listener is.
  package var position: Duration { player.position(at: AgentLoop.now) }

  // MARK: Events and effects

  func tell(_ event: PlayerEvent) {
    note(Evidence.text(event))
    perform(player.handle(event, at: AgentLoop.now))
  }

  func tell(_ events: [SessionEvent]) { for event in events { tell(.session(event)) } }

  private func perform(_ effects: [PlayerEffect]) {
    for effect in effects { perform(effect) }
    turnEnded()
  }

  private func perform(_ effect: PlayerEffect) {
    switch effect {
    case .load(let playing): engine.play(request(playing))
    case .follow(let play, let next): engine.follow(play, with: next.map(request))
    case .unload: engine.stop()
    case .corked(let isCorked): engine.isSounding = !isCorked
    case .seeked(let place): news(.seeked(place))
    case .troubled(let entry, let reason, let isSkipped):
      news(.troubled(entry, reason: reason, isSkipped: isSkipped))
    case .queueChanged(let change): news(.queue(change))
    case .refused(let refusal): news(.refused(refusal.rawValue))
    case .timer(let timer, let delay): set(timer, after: delay)
    case .cancelTimer(let timer): timers.removeValue(forKey: timer)?.cancel()
    case .session(let output): perform(output)
    }
  }

  private func request(_ playing: Playing) -> SoundRequest {
    requested = requested.suffix(3) + [playing]
    let isBeside = player.queue.isBesideItsAlbum(playing.entry.id)
    return SoundOpener.request(
      playing, named: "\(loudnessEdition) \(isBeside) \(playing.entry.location)", loudness: loudness,
      besideItsAlbum: isBeside)
  }

  private func set(_ timer: PlayerTimer, after delay: Duration) {
    timers[timer]?.cancel()
    timers[timer] = AgentLoop.after(delay) { [weak self] in
      self?.timers[timer] = nil
      self?.tell(.timer(timer))
    }
  }

  private func perform(_ output: SessionOutput) {
    switch output {
    case .interruptionBegan(let source, let wasPlaying):
      news(.interruptionBegan(source, wasPlaying: wasPlaying))
    case .interruptionEnded(let source, let shouldResume):
      news(.interruptionEnded(source, shouldResume: shouldResume))
    case .routeChanged(let change, let paused): news(.route(change, paused: paused))
    case .waiting(let source): news(.waiting(for: source))
    case .noOutput: news(.refused(OrderOutcome.noOutput))
    case .unmuteOwnStream: unmute()
    case .replaceUnmadeStream: if engine.dropUnmadeStream() { tell(.sound(.streamLost)) }
    case .duck(let level): changeVolume { $0.duck(to: level) }
    case .unduck: changeVolume { $0.unduck() }
    case .corked, .timer, .sounding, .stopPads: break
    }
  }

  private func changeVolume(_ change: (inout StreamVolume) -> Void) {
    change(&volume)
    applyVolume()
  }

  func applyVolume() {
    let wanted = volume.stream
    // An error is ignored below: a stream that is going away needs no volume, and the next one is made with it.
    volume.order()
    AgentLoop.task { [weak self, engine] in
      try? await engine.setVolume(wanted)
      if self?.volume.ordered() == true { self?.read(for: .calls) }
    }
  }

  private func unmute() {
    AgentLoop.task { [weak self, engine] in
      try? await engine.stream?.setMuted(false)
      // If the stream was not muted any more, the server reports nothing. Without a reading, its next mute would be taken for the old
      // one.
      self?.read(for: .calls)
    }
  }

  // MARK: Routes

  func tell(_ event: RouteEvent) {
    note(Evidence.text(event))
    for output in classifier.handle(event, at: AgentLoop.now) {
      note(Evidence.text(output))
      switch output {
      case .readWorld: read(for: .route)
      case .hold: silently { $0.tell(.session(.routeHeld)) }
      case .release: tell(.session(.routeReleased))
      case .timer(let delay): setRouteTimer(after: delay)
      case .change(let change): tell(.session(.routeChanged(change)))
      case .terminated: tell(.session(.streamTerminated))
      }
    }
  }

  private func setRouteTimer(after delay: Duration) {
    routeTimer?.cancel()
    routeTimer = AgentLoop.after(delay) { [weak self] in self?.tell(RouteEvent.timer) }
  }
}
