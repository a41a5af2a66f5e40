// SPDX-License-Identifier: MIT
package import AgentLoop
import AudioModel
import BusIO
import DecodeIO
import MediaModel
package import PlaybackLogic
package import PulseIO
package import SettingsModel

/// Connects `Playback` with the outside: passes it the events of the server, the engine and timers, and carries out the effects that it returns.
///
/// Owns that value, the engine and the connection to the server. It decides nothing. Loop only; `stop` ends it.
@AgentLoop
package final class PlayerService {
  /// The value that makes all decisions about what plays and what is heard.
  package private(set) var playback: Playback
  /// Called on the loop with everything that the player reports. What happens at one time is a turn, and `turn` comes last in it.
  package var news: @AgentLoop (PlayerNews) -> Void = { _ in }
  /// Called with a text about the facts that a decision was made from. If it is nil, no such text is made.
  package var evidence: (@AgentLoop (String) -> Void)? {
    didSet { playback.explains = evidence != nil }
  }

  /// Returns a function that looks up the loudness that was measured of a file, for a thread that may block; nil if nobody measures.
  var measuredGains: @AgentLoop () -> (@Sendable (FilePath) -> Loudness?)? = { nil }
  /// Called with a track's location and the place where the track is to resume when it is played again; nil means at its beginning.
  var keepPlace: @AgentLoop (String, Duration?) -> Void = { _, _ in }
  /// The index of the pads' stream; its changes on the server do not concern the music. Nil while there is none.
  var padStream: @AgentLoop () -> SinkInput.Index? = { nil }

  /// Stores the queue on disk, so that no crash can lose it; nil in a process that does not store its queue.
  var keeper: StateKeeper?
  /// What played, and where, before the edits that are not stored yet; needed if they have to be taken back. Nil if all are stored.
  var beforeEdits: Player.Moment?

  /// Pauses other programs' players that have lost their device; nil in a process that leaves this to the session's agent.
  private var guardian: GuardService?
  private let server: PulseServer
  private let engine: SoundEngine
  private let thread: BlockingThread?
  private let items: ItemService
  private var measuring: [EntryID: BlockingJob] = [:]
  private var turnsUnderWay = 0
  private var timers: [PlaybackTimer: LoopTimer] = [:]
  private let waitingForTurn = WaitingCallers()
  /// How often an output was chosen, so that a choice that is under way notices a later one.
  private var outputOrders = 0

  /// A service that plays this player's queue on `server`. Without `volume`, the volume is the one that the server remembers for us. This service
  /// sets `items.news` and passes that news on as its own. On `thread`, the next track is prepared, and files that do not state their true length are
  /// measured; without a thread, neither is done.
  package init(
    player: Player, server: PulseServer, properties: [String: String], items: ItemService,
    volume: Double? = nil, thread: BlockingThread? = nil
  ) {
    playback = Playback(player: player, volume: volume)
    self.thread = thread
    self.items = items
    self.server = server
    engine = SoundEngine(server: server, properties: properties, thread: thread)
    engine.volume = volume.map { BalancedVolume($0) }
    engine.report = { [weak self] in self?.forward($0) }
    server.handler = { [weak self] in self?.forward($0) }
    items.news = { [weak self] entry in self?.inOneTurn { self?.news(.item(entry)) } }
    items.foundUnplayable = { [weak self] entry, reason in self?.mark(entry, asUnplayable: reason) }
  }

  /// Lets this service also have other programs' players pause, from the next `apply` on, as the settings want it: those whose device is gone, and with the
  /// category `solo` those that sound when our music begins.
  package func guardOthers() {
    guardian = GuardService { [weak self] in self?.handle(.guarding($0)) }
  }

  /// Sets the bus on which other players are asked to pause; nil when the bus is gone.
  func guardOthers(on connection: BusConnection?) {
    if let connection { guardian?.join(connection) } else { guardian?.leave() }
  }

  /// Begins to connect to the server.
  package func start() { server.start() }

  /// When `stop` ended the sound. The place is stored a moment later, and must not run on until then.
  private var ended: Duration?

  /// Ends all sound and closes the connection.
  package func stop() {
    ended = ended ?? AgentLoop.now
    for timer in timers.values { timer.cancel() }
    waitingForTurn.resume()
    engine.stop()
    server.stop()
  }

  /// Returns when it is known which output the sound goes to, or that no server answers; after `patience` in any case.
  func outputIsKnown(within patience: Duration) async {
    await until(within: patience) { playback.knowsOutput }
  }

  /// Returns when it is known whether the current track can be opened, or, as others are tried in its place, whether anything can; after `patience` in any
  /// case.
  func soundIsOpened(within patience: Duration) async {
    await until(within: patience) { !playback.player.isOpening }
  }

  /// Returns when this holds at the end of a turn, or at once if it holds already; after `patience` in any case, and when the service has stopped.
  private func until(within patience: Duration, _ holds: () -> Bool) async {
    let deadline = AgentLoop.now + patience
    while ended == nil, !holds(), AgentLoop.now < deadline {
      await waitingForTurn.wait(atMost: deadline - AgentLoop.now)
    }
  }

  // MARK: Orders

  /// Carries out an order and returns its outcome.
  @discardableResult
  package func order(_ order: PlayerOrder, by sender: Sender = .user) -> OrderOutcome {
    let effects = playback.handle(.order(order, by: sender), at: AgentLoop.now)
    perform(effects)
    return OrderOutcome(effects)
  }

  /// Carries out an order of the user that came at this moment and had to wait. Returns its outcome.
  func order(_ order: PlayerOrder, at moment: OrderMoment) -> OrderOutcome {
    let effects = playback.handle(.lateOrder(order, at: moment), at: AgentLoop.now)
    perform(effects)
    return OrderOutcome(effects)
  }

  /// Edits the queue. Returns the change, and reports it as news. With `fromBeginning`, added tracks start at their beginning and not at the place
  /// where they were left.
  @discardableResult
  package func edit(
    fromBeginning: Bool = false, _ edit: (inout PlayQueue) -> QueueChange
  ) -> QueueChange {
    var made = QueueChange()
    if beforeEdits == nil, keeper != nil { beforeEdits = playback.moment(at: AgentLoop.now) }
    perform(
      playback.edit(at: AgentLoop.now, fromBeginning: fromBeginning) { queue in
        made = edit(&queue)
        return made
      })
    return made
  }

  /// The present entry, the place in it and what is wanted, for `noteLeft`.
  var moment: Player.Moment { playback.moment(at: AgentLoop.now) }

  /// Notes that an entry that the last edit added was made to play instead of the one in `moment`, so that undoing that edit leads back there.
  func noteLeft(_ moment: Player.Moment) { perform(playback.noteLeft(moment, at: AgentLoop.now)) }

  /// Replaces the queue by `queue`, the one on disk, because edits could not be stored. The present track goes on. If one of the edits had changed
  /// the current track, the track from before the edits goes on at its place.
  func takeBack(to queue: PlayQueue) {
    let moment = beforeEdits
    beforeEdits = nil
    perform(playback.takeBack(to: queue, moment: moment, at: AgentLoop.now))
  }

  /// Marks entries as missing, or as there again. Reports only those for which this is new.
  func mark(_ entries: [EntryID], asMissing isMissing: Bool) {
    if !entries.isEmpty { perform(playback.mark(entries, asMissing: isMissing, at: AgentLoop.now)) }
  }

  /// Gives entries the locations that their files have now, since these were renamed or moved.
  func relocate(_ renamings: [FileRenaming]) {
    items.relocate(renamings)
    perform(playback.relocate(renamings, at: AgentLoop.now))
  }

  /// Sets why an entry can't be played; nil if it can. Reports it if that is new.
  func mark(_ entry: EntryID, asUnplayable reason: String?) {
    perform(playback.mark(entry, asUnplayable: reason, at: AgentLoop.now))
  }

  /// Sets the places where long tracks were left, by their locations.
  func load(places: [String: Duration]?, ofBooks books: Set<String> = []) {
    handle(.places(places, ofBooks: books))
  }

  /// Sets the volume that the listener wants, a fraction of the full one.
  package func setVolume(_ fraction: Double) { handle(.volume(.set(fraction))) }

  /// Changes the volume by a fraction of the full one; a negative one turns it down. Orders that come while others are carried out are added up.
  package func changeVolume(by difference: Double) { handle(.volume(.change(by: difference))) }

  /// Mutes the music, or unmutes it: our present stream and those to come.
  func setMuted(_ isMuted: Bool) { handle(.volume(.mute(isMuted))) }

  /// Mutes the music if it isn't muted, and unmutes it if it is.
  func toggleMute() { handle(.volume(.toggleMute)) }

  /// The outputs of the server; throws if it does not answer.
  func outputs() async throws(PulseError) -> Outputs {
    Outputs(of: try await server.readWorld(), ownInput: engine.stream?.index, chosen: playback.chosenSink)
  }

  /// Fades out and pauses after this time; nil cancels that.
  func sleep(after time: Duration?) { handle(.pauseLater(after: time)) }

  /// The time until the sleep timer pauses the music; nil if none is set.
  var sleepLeft: Duration? { playback.sleepTimer?.left(at: AgentLoop.now) }

  /// What came of the wish to have the sound at another sink.
  enum SinkChoice: Sendable {
    case moved
    /// Nothing has changed, for this reason.
    case refused(String)
    case noServer
  }

  /// Lets the sound go to the sink of this name: that of our present streams, and of those to come. Returns when it is there, or cannot get there. A
  /// later choice ends an earlier one.
  func choose(sink: String) async -> SinkChoice {
    outputOrders += 1
    let order = outputOrders
    handle(.outputOrdered(sink))
    var move = OutputMove(to: sink, at: AgentLoop.now)
    while true {
      guard let world = try? await server.readWorld() else { return .noServer }
      guard order == outputOrders else { return .refused("another output was chosen meanwhile") }
      switch move.next(world, places: engine.streams.map(\.sink), at: AgentLoop.now) {
      case .ask:
        do throws(PulseError) { try await engine.move(toSink: sink) } catch {
          move.refused(because: error.reason)
        }
      case .look(let delay):
        await AgentLoop.pause(delay)
      case .done:
        handle(.output(sink))
        // Everybody is shown it when the classifier has looked at the server once more.
        await until(within: .milliseconds(500)) { route?.leads(overSinkNamed: sink) == true }
        return .moved
      case .failed(let reason): return .refused(reason)
      }
    }
  }

  /// Applies the user's settings. Those about the sound take effect at once.
  package func apply(_ settings: Settings) {
    handle(
      .settings(
        PlaybackSettings(
          player: settings.player, session: settings.session, loudness: settings.loudness,
          repeatMode: settings.repeatMode, shuffleMode: settings.shuffleMode,
          guarding: guardian == nil ? GuardSettings() : settings.guarding)))
  }

  /// Call this when the machine is about to sleep. Silences the music; `untilSilent` waits for that.
  func fallAsleep() { handle(.preparesForSleep) }

  /// Returns when the server has silenced the music, as it was ordered to before, or is not there.
  func untilSilent() async {
    // The server answers in order, so when this answer comes, it has carried out the cork as well.
    await engine.refreshPosition()
  }

  /// Returns when the server has played what it still had when all sound ended: a fraction of a second later at most, or at once.
  package func restIsHeard() async { await engine.restIsHeard() }

  /// Call this when the client that held a seek button is gone.
  func loseSeekButton() { handle(.seekButtonGone) }

  /// Call this when the machine has woken up.
  func wakeUp() { handle(.wokeUp) }

  // MARK: What others see

  /// The queue, what is wanted and what holds it up, and which track should be heard at which place.
  package var player: Player { _read { yield playback.player } }

  /// The volume that the listener wants.
  package var userVolume: Double { playback.userVolume }

  /// Why nothing is heard; nil while something is heard, and where no reason for a stop is known.
  package var why: SilenceReason? { playback.why }

  /// Whether the sound server answers.
  package var isServerThere: Bool { server.isConnected }

  /// Why the sound server could not be reached, or made no stream, at the last try; nil once a try succeeds.
  package var lastServerError: String? { playback.lastServerError }

  /// Notes that the file of the order that came at this moment cannot be opened. The order then counts as never given.
  func orderFailed(at moment: OrderMoment) { handle(.orderFailed(at: moment)) }

  /// Where the sound goes; nil if no output can be heard.
  package var route: Route? { playback.route }

  /// Whether an order has come so far.
  var hasOrders: Bool { playback.hasOrders }

  /// Notes an order to play that has come and is carried out later, and returns its moment. To be called when the order is read: until its answer is
  /// begun, the orders behind it may have been carried out.
  func comingOrder() -> OrderMoment {
    handle(.orderComing)
    return playback.moment
  }

  /// The place in the current track where the sound would go on, for storing. Unlike `position` it may be past the known length.
  var place: Duration { playback.player.place(at: ended ?? AgentLoop.now) }

  /// The listener's place in the current track, never past the track's end.
  package var position: Duration { playback.player.position(at: ended ?? AgentLoop.now) }

  // MARK: Turns

  /// Runs `body`, in which several things may happen, as one turn: `turn` is reported once, at the end, so nobody is shown a state in between.
  package func inOneTurn<Result>(_ body: () throws -> Result) rethrows -> Result {
    turnsUnderWay += 1
    defer {
      turnsUnderWay -= 1
      endTurn()
    }
    return try body()
  }

  func endTurn() {
    guard turnsUnderWay == 0 else { return }
    // A paused track is not opened before it plays, so only its tags tell its length.
    if let entry = playback.entryWithoutLength, let length = items.item(entry).item.tags.duration {
      performAll(playback.handle(.tagged(entry.id, length: length), at: AgentLoop.now))
    }
    if let entry = playback.entryWithoutKind {
      let known = items.item(entry)
      if known.areTagsRead {
        performAll(playback.handle(.kind(entry.id, known.item.tags.mediaType), at: AgentLoop.now))
      }
    }
    nameStream()
    news(.turn)
    waitingForTurn.resume()
  }

  /// Gives our stream the name of the present track once its tags are known, because mixers show it.
  private func nameStream() {
    guard engine.stream != nil, let entry = playback.player.queue.current.flatMap(playback.player.queue.entry)
    else { return }
    let item = items.item(entry).item
    guard !items.isReading(entry.id) else { return }
    let artist = item.tags.artist.isEmpty && item.tags.albumArtist.isEmpty ? "" : "\(item.displayArtist) – "
    // Cut, because a file's tags may be of any length and a mixer shows one line.
    let name = String((artist + item.displayTitle).unicodeScalars.prefix(200).filter { $0.value >= 0x20 })
    engine.name = name.isEmpty ? "Music" : name
  }

  // MARK: Events

  private func handle(_ event: PlaybackEvent) {
    perform(playback.handle(event, at: AgentLoop.now))
  }

  private func forward(_ event: PulseServer.Event) {
    switch event {
    case .connected: handle(.server(.found))
    case .disconnected(let error, _): handle(.server(.lost(reason: error.reason)))
    case .changed(.sink, let kind, let index):
      handle(.server(.sink(kind, Sink.Index(rawValue: index))))
    case .changed(.card, let kind, let index):
      handle(.server(.card(kind, Card.Index(rawValue: index))))
    case .changed(.server, _, _): handle(.server(.changed))
    case .changed(.sinkInput, _, let index) where index == padStream()?.rawValue: break
    case .changed(.sinkInput, _, let index):
      handle(.server(.streams(isOurs: index == engine.stream?.index?.rawValue)))
    case .changed(.sourceOutput, _, _): handle(.server(.streams(isOurs: false)))
    }
  }

  private func forward(_ report: SoundEngine.Report) {
    switch report {
    case .sound(let report): handle(.sound(report))
    case .progressed: progressed()
    case .stream(let event): forward(event)
    }
  }

  private func progressed() {
    handle(.stream(.progressed(isSuspended: engine.stream?.isSuspended == true)))
  }

  private func forward(_ event: PlaybackStream.Event) {
    switch event {
    case .ready: handle(.stream(.made))
    case .started: progressed()
    case .underflow: break
    case .moved(let sink): handle(.stream(.moved(to: sink)))
    case .suspended(let isSuspended): handle(.stream(.suspended(isSuspended)))
    case .corkRequested: handle(.stream(.corkRequested))
    case .uncorkRequested: handle(.stream(.uncorkRequested))
    case .ended(let error):
      handle(
        .stream(
          .ended(isKilled: error.code == .killed, reason: error.reason, isServerThere: server.isConnected)))
    }
  }

  /// Writes into the verbose log, if there is one.
  func note(_ text: @autoclosure () -> String?) { if let evidence, let text = text() { evidence(text) } }

  // MARK: Effects

  private func perform(_ effects: [PlaybackEffect]) {
    performAll(effects)
    endTurn()
  }

  private func performAll(_ effects: [PlaybackEffect]) { for effect in effects { perform(effect) } }

  private func perform(_ effect: PlaybackEffect) {
    switch effect {
    case .sound(let order): perform(order)
    case .setVolume(let volume): setStreamVolume(volume)
    case .keepVolume(let volume): engine.followVolume(volume)
    case .noteTraits(let traits): engine.note(traits)
    case .unmute: order(mute: { try await $0.unmuteStreams() })
    case .setMuted(let isMuted):
      // This is set now and not in the task below, because a stream may be made before that task runs.
      engine.isMuted = isMuted
      order(mute: { try await $0.setMuted(isMuted) })
    case .followMute(let isMuted): engine.followMute(isMuted)
    case .makeStreams(let sink): engine.sink = sink
    case .leaveSink: engine.sink = nil
    case .readStream: readStream()
    case .dropUnmadeStream: if engine.dropUnmadeStream() { handle(.sound(.soundLost)) }
    case .readWorld: readWorld()
    case .measure(let entry): measure(entry)
    case .stopMeasuring(let entry): measuring[entry]?.cancel()
    case .learned(let entry, let length): items.learn(length: length, of: entry)
    case .keepPlace(let location, let place): keepPlace(location, place)
    case .guarding(let effect): guardian?.perform(effect)
    case .timer(let timer, let delay): set(timer, after: delay)
    case .cancelTimer(let timer): timers.removeValue(forKey: timer)?.cancel()
    case .tell(let news):
      if case .missing(let entries) = news { items.filesCameOrWent(entries) }
      self.news(news)
    case .explain(let text): evidence?(text)
    }
  }

  private func perform(_ order: SoundOrder) {
    switch order {
    case .load(let playing): engine.play(request(playing))
    case .follow(let play, let next): engine.follow(play, with: next.map(request))
    case .unload: engine.stop()
    case .cork(let isCorked): engine.isSounding = !isCorked
    }
  }

  private func request(_ playing: Playing) -> SoundRequest {
    let key = SoundKey(
      playing.entry.location, isBesideItsAlbum: playing.isBesideItsAlbum,
      loudnessEdition: playback.loudnessEdition)
    return SoundOpener.request(
      playing, key: key, loudness: playback.loudness, besideItsAlbum: playing.isBesideItsAlbum,
      reader: items.soundReader, measured: measuredGains())
  }

  private func set(_ timer: PlaybackTimer, after delay: Duration) {
    timers[timer]?.cancel()
    timers[timer] = AgentLoop.after(delay) { [weak self] in
      self?.timers[timer] = nil
      self?.handle(.timer(timer))
    }
  }

  private func setStreamVolume(_ volume: BalancedVolume) {
    AgentLoop.task { [weak self, engine] in
      // The error is ignored: a stream that is going away needs no volume, and the next one starts with it.
      try? await engine.setVolume(volume)
      self?.handle(.stream(.volumeSet))
    }
  }

  private func order(mute: @escaping @AgentLoop (SoundEngine) async throws -> Void) {
    AgentLoop.task { [weak self, engine] in
      try? await mute(engine)
      self?.handle(.stream(.muteSet))
    }
  }

  private func readStream() {
    guard let stream = engine.stream else { return }
    AgentLoop.task { [weak self, server] in
      guard let input = try? await stream.readSinkInput() else { return }
      let kind = (try? await server.readWorld(readings: 1))?.server.kind
      self?.handle(.stream(.read(isMuted: input.isMuted, serverCorks: kind == .pulseAudio)))
    }
  }

  private func readWorld() {
    AgentLoop.task { [weak self, server] in
      var world = try? await server.readWorld()
      world?.sinkInputs.removeAll(where: \.isOfPads)
      guard let self else { return }
      let answer =
        world.map { ServerEvent.world($0, own: self.engine.stream?.index) }
        ?? .readingFailed(isServerThere: server.isConnected)
      self.handle(.server(answer))
    }
  }

  private func measure(_ entry: Entry) {
    if let length = items.measuredLength(of: entry.id) { return handle(.measured(entry.id, length: length)) }
    guard let thread else { return handle(.measured(entry.id, length: nil)) }
    let job = BlockingJob()
    measuring[entry.id] = job
    AgentLoop.task { [weak self] in
      let found = try? await thread.run(job) { job in
        job.looks(at: entry.location)
        return SoundOpener.length(of: entry, goesOn: job.goesOn)
      }
      self?.measuring[entry.id] = nil
      self?.handle(.measured(entry.id, length: found ?? nil))
    }
  }
}
