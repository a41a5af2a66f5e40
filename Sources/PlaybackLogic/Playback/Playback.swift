// SPDX-License-Identifier: MIT
import AudioModel

/// Decides everything about playing: what is heard, whether music sounds at all, and what others are told.
///
/// A value without side effects: events go in, effects come out, and the time is a parameter. It owns smaller values that each
/// decide one thing, and passes what one finds out to the others. For example, a change of the route that the classifier finds
/// becomes an event of the player's session. Whoever owns this value forwards events and carries out effects, and decides
/// nothing.
package struct Playback: Sendable {
  /// The queue, the session, and what the sound engine should have loaded.
  package private(set) var player: Player
  /// The settings that bring tracks to a similar loudness.
  package private(set) var loudness = LoudnessSettings()
  /// How often `loudness` has changed. A sound that was opened before the last change has the wrong loudness and has to be opened again.
  package private(set) var loudnessEdition = 0
  /// Why the sound server could not be reached, or made no stream, at the last try; nil once a try succeeds.
  package private(set) var lastServerError: String?
  /// Whether an order to play, pause, skip or the like has come since the start, whether or not it was carried out.
  package private(set) var hasOrders = false
  private var history = OrderMoment()
  /// The sink that a user chose through us; later streams are made there. Nil once the sound goes elsewhere, or the sink is gone.
  package private(set) var chosenSink: String?
  /// Whether effects include texts for the verbose log that explain decisions (`PlaybackEffect.explain`).
  package var explains = false

  /// The route whose loss paused the music; nil if the music is not paused for that.
  package var lostRoute: Route? { player.session.why == .paused(by: .route) ? lastLoss : nil }
  /// This moment, for an order to play that comes now and is carried out later.
  package var moment: OrderMoment {
    var moment = history
    moment.interruptions = player.session.interruptionCount
    return moment
  }

  /// What keeps an order to play that came at this earlier moment from starting its track; nil if nothing does.
  func hindrance(since moment: OrderMoment) -> OrderMoment.Hindrance? {
    history.hindrance(since: moment)
  }

  /// The fraction of the volume that is left while another program's sound takes precedence; nil otherwise.
  package var duckLevel: Double? { volume.stream.level }
  /// What the music is ducked (played more quietly) for, such as a call; nil while it is not ducked.
  package var duckedFor: Interruption.Source? { player.session.duckedFor }

  /// The programs that interrupt or duck the music by a call, a recording or another stream, by their names for people. Those of the most important
  /// interruption come first.
  package var callers: [String] {
    let sources = player.session.interruptions + (duckedFor.map { [$0] } ?? [])
    var names: [String] = []
    for name in sources.flatMap(watcher.programs) where !names.contains(name) { names.append(name) }
    return names
  }

  /// Whether it is known where our sound goes, or known that no server answers. False for some milliseconds after the start.
  package private(set) var knowsOutput = false

  /// Whether another program's sound is heard, as far as the sound server shows it.
  package private(set) var isOtherAudioPlaying = false

  /// The timer after which the music pauses; nil if the listener set none.
  package var sleepTimer: SleepTimer? { volume.sleepTimer }

  private(set) var classifier = RouteClassifier()
  /// Whether the sound server answers.
  private var isServerThere = false
  private var watcher: CallWatcher
  private var volume: VolumeControl
  /// What is special about the output, as last read.
  private var traits = OutputTraits()
  private var others = Guard()
  private var output = OutputLevel()
  private var readings = WorldReadings()
  private var lengths = TrackLengths()
  private var lastLoss: Route?
  /// Whether the timer `PlaybackTimer.streams` runs, after which other programs' streams are read once more.
  private var willLookAgain = false
  private var now = Duration.zero
  private var effects: [PlaybackEffect] = []

  /// The decisions for this player. Without `volume`, the volume is the one that the server remembers for us. No server is known yet.
  package init(player: Player, volume: Double? = nil) {
    self.player = player
    watcher = CallWatcher(settings: player.session.settings)
    self.volume = VolumeControl(volume)
  }

  // MARK: What others see

  /// The volume that the listener wants.
  package var userVolume: Double { volume.stream.user }

  /// Whether the user has muted our stream, here or in a mixer.
  package var isMuted: Bool { player.session.isMutedByUser }

  /// Why nothing is heard; nil while something is heard, and where no reason for a stop is known.
  package var why: SilenceReason? { player.session.why(at: volume.stream, on: output) }

  /// Where the sound goes; nil if there is no output that anyone could hear.
  package var route: Route? { classifier.route }

  /// The current entry, if its length is not known yet; otherwise nil.
  package var entryWithoutLength: Entry? {
    player.length == nil ? player.queue.current.flatMap(player.queue.entry) : nil
  }

  /// The current entry, if it is not known yet whether it is a song, a book or a podcast; otherwise nil.
  package var entryWithoutKind: Entry? { player.places.entryWithoutKind.flatMap(player.queue.entry) }

  // MARK: Events

  /// Takes an event and returns the effects to carry out, in order. `now` must never go back.
  package mutating func handle(_ event: PlaybackEvent, at now: Duration) -> [PlaybackEffect] {
    inOneStep(at: now) { $0.take(event) }
  }

  /// Edits the queue. An edit touches the sound only if it removes the current entry or makes another one current.
  ///
  /// With `fromBeginning`, the added entries start at their beginning and not at the place where they were left.
  package mutating func edit(
    at now: Duration, fromBeginning: Bool = false, _ edit: (inout PlayQueue) -> QueueChange
  ) -> [PlaybackEffect] {
    inOneStep(at: now) { playback in
      playback.player.places.isIgnored = fromBeginning
      var added: [Entry] = []
      playback.pass(
        on: playback.player.edit(at: now) { queue in
          let change = edit(&queue)
          for case .added(let entries, _) in change.edits where fromBeginning { added += entries }
          return change
        })
      playback.player.places.beginAnew(added)
      playback.player.places.isIgnored = false
    }
  }

  /// Notes that an entry that the last edit added was made to play instead of the one in `moment`, so that undoing that edit leads back there.
  package mutating func noteLeft(_ moment: Player.Moment, at now: Duration) -> [PlaybackEffect] {
    inOneStep(at: now) { $0.pass(on: $0.player.noteLeft(moment, at: now)) }
  }

  /// The state before an edit at `now`. `takeBack` needs it if the edit cannot be stored, and `noteLeft` if another entry plays since.
  package func moment(at now: Duration) -> Player.Moment {
    player.moment(at: now, silencings: history.silencings)
  }

  /// Puts back `queue`, as it was before edits that could not be stored. The present track goes on; if the edits had made another entry current, the
  /// one in `moment` goes on at its place, but in silence if there has been a reason for silence since.
  package mutating func takeBack(
    to queue: PlayQueue, moment: Player.Moment?, at now: Duration
  ) -> [PlaybackEffect] {
    inOneStep(at: now) {
      $0.pass(
        on: $0.player.takeBack(to: queue, moment: moment, silencings: $0.history.silencings, at: now))
    }
  }

  /// Notes that the files of these entries are missing, or are there again. Listeners are told only of those of which that was not noted before. This
  /// is not an edit, so undo does not take it back.
  package mutating func mark(
    _ entries: [EntryID], asMissing isMissing: Bool, at now: Duration
  ) -> [PlaybackEffect] {
    inOneStep(at: now) { playback in
      var changed: [EntryID] = []
      let made = playback.player.setMissing(isMissing, of: entries, at: now, changed: &changed)
      if !changed.isEmpty { playback.effects.append(.tell(.missing(changed))) }
      playback.pass(on: made)
    }
  }

  /// Gives entries the locations that their files have now, since these were renamed or moved. This is not an edit, so undo does not take it back.
  package mutating func relocate(_ renamings: [FileRenaming], at now: Duration) -> [PlaybackEffect] {
    inOneStep(at: now) { $0.pass(on: $0.player.relocate(renamings, at: now)) }
  }

  /// Sets why an entry can't be played, as somebody found out by trying; nil if it can. The entry is tried again when its turn comes.
  package mutating func mark(
    _ entry: EntryID, asUnplayable reason: String?, at now: Duration
  ) -> [PlaybackEffect] {
    inOneStep(at: now) { playback in
      if playback.player.setUnplayable(reason, entry) { playback.effects.append(.tell(.item(entry))) }
    }
  }

  private mutating func inOneStep(at now: Duration, _ step: (inout Playback) -> Void) -> [PlaybackEffect] {
    self.now = now
    let before = ResumePlaces.Moment(player, at: now)
    let wasPlaying = isPlaying
    step(&self)
    if isPlaying, !wasPlaying, player.session.settings.category == .solo { informGuard(.musicBegan) }
    keepPlaces(since: before)
    defer { effects = [] }
    return effects
  }

  /// Whether listeners would say that music plays. A look at the route, which lasts some milliseconds, does not count as a pause.
  private var isPlaying: Bool { player.session.state == .playing }

  /// Has the listener's place in a long track stored if the track was left in this step, or if it is time to store the place.
  private mutating func keepPlaces(since before: ResumePlaces.Moment) {
    let queue = player.queue
    let present = ResumePlaces.Moment(player, at: now)
    let steps = player.places.see(from: before, to: present, at: now, queue.entry)
    // What comes next may be the very track that was left.
    if steps.contains(where: \.keepsPlace) { pass(on: player.announceAgain(at: now)) }
    for step in steps {
      switch step {
      case .keep(let location, let place): effects.append(.keepPlace(location, place))
      case .timer(let delay): effects.append(.timer(.place, after: delay))
      case .cancelTimer: effects.append(.cancelTimer(.place))
      }
    }
  }

  private mutating func take(_ event: PlaybackEvent) {
    switch event {
    case .order(let order, let sender):
      hasOrders = true
      let (track, wasWanted) = (player.queue.current, player.session.intent == .playing)
      informPlayer(.order(order, by: sender))
      let endedPlaying = wasWanted && player.session.intent != .playing
      let changedTrack = player.queue.current.map { $0 != track } ?? false
      history.note(order, by: sender, changedTrack: changedTrack, endedPlaying: endedPlaying)
    case .orderComing:
      hasOrders = true
      history.choices += 1
    case .orderFailed(let moment): history.forget(moment)
    case .lateOrder(let order, let moment):
      if let refusal = history.refusal(of: order, since: moment) {
        return effects.append(.tell(.refused(refusal)))
      }
      informSession(.unknownSince(interruption: moment.interruptions))
      informPlayer(.order(order, by: .user))
    case .volume(let order): change(by: order)
    case .pauseLater(let time): perform(volume.pause(after: time, at: now))
    case .outputOrdered(let sink): informClassifier(.ordered(sinkNamed: sink))
    case .output(let sink):
      choose(sink)
      informClassifier(.chosen)
    case .settings(let settings): apply(settings)
    case .tagged(let entry, let length): informPlayer(.tagged(entry, length: length))
    case .kind(let entry, let kind): player.places.note(kind, of: entry)
    case .places(let places, let books): pass(on: player.load(places: places, ofBooks: books, at: now))
    case .server(let event): handleServer(event)
    case .stream(let event): handleStream(event)
    case .sound(let report): handleSound(report)
    case .measured(let entry, let length):
      let reports = lengths.measured(length, of: entry)
      for report in reports { informPlayer(.sound(report)) }
      if let length, !reports.isEmpty { effects.append(.learned(entry, length: length)) }
    case .guarding(let event): informGuard(event)
    case .preparesForSleep:
      history.silencings += 1
      informSession(.preparesForSleep)
      // The music is paused for the night. A timer that went on after it would end the music of the next morning.
      if sleepTimer != nil { perform(volume.pause(after: nil, at: now)) }
    case .wokeUp:
      informSession(.wokeUp)
      informClassifier(.wokeUp)
    // The client is gone, so no `endSeek` will come. The held seek ends, and does not count as a tap.
    case .seekButtonGone: informPlayer(.timer(.run))
    case .timer(.player(let timer)): informPlayer(.timer(timer))
    case .timer(.sleep): perform(volume.goOnSleeping(at: now))
    case .timer(.guarding): informGuard(.timer)
    case .timer(.route): informClassifier(.timer)
    case .timer(.place): break  // it is looked at after each event
    case .timer(.streams):
      willLookAgain = false
      read(for: .calls)
    }
  }

  private mutating func apply(_ settings: PlaybackSettings) {
    let hasNewCrossfade = player.settings.crossfade != settings.player.crossfade
    player.settings = settings.player
    player.sessionSettings = settings.session
    watcher.settings = settings.session
    informSession(.settingsRead)
    informGuard(.settings(settings.guarding))
    let hasNewLoudness = loudness != settings.loudness
    if hasNewLoudness {
      loudness = settings.loudness
      loudnessEdition += 1
    }
    if hasNewLoudness || hasNewCrossfade { informPlayer(.soundChanged) }
    perform(volume.duckOn(to: settings.session.duckLevel))
    let queue = player.queue
    if queue.repeatPreference != settings.repeatMode || queue.shufflePreference != settings.shuffleMode {
      pass(
        on: player.edit(at: now) {
          $0.setPreferences(repeat: settings.repeatMode, shuffle: settings.shuffleMode)
        })
    }
    // With the new settings, a stream that was ignored so far may count as a call, or what the server has corked us for may count no more.
    if isServerThere { read(for: player.session.holds[.cork] == nil ? .calls : .cork) }
  }

  // MARK: The server and its world

  private mutating func handleServer(_ event: ServerEvent) {
    switch event {
    case .found:
      isServerThere = true
      lastServerError = nil
      informClassifier(.serverFound)
      read(for: .calls)
    case .lost(let reason):
      isServerThere = false
      knowsOutput = true
      lastServerError = reason
      readings.forget()
      volume.serverLost()
      output = OutputLevel()
      isOtherAudioPlaying = false
      // Whoever moved our stream in a mixer wants it there again when the server is back.
      if chosenSink == nil, let sink = classifier.sinkBesideDefault { choose(sink) }
      informGuard(.serverLost)
      informClassifier(.serverLost)
      // A call that dies with its server comes last, because its end must not start the music.
      informSession(watcher.serverLost())
      informSession(.hearsPhone(false))
    case .sink(let change, let sink): informClassifier(.sink(change, sink))
    case .card(let change, let card): informClassifier(.card(change, card))
    case .changed: informClassifier(.serverChanged)
    case .streams(let isOurs):
      informClassifier(isOurs ? .streamChanged : .otherStreamChanged)
      read(for: .calls)
    case .world(let world, let own): finishReading { $0.lookAt(world, own: own, for: $1) }
    case .readingFailed(let isServerThere):
      finishReading { if isServerThere { $0.readings.wantAgain($1) } }
    }
  }

  private mutating func read(for reader: WorldReadings.Reader) {
    readings.want(reader)
    beginReading()
  }

  private mutating func beginReading() {
    if readings.begin(at: volume.stream.mark) { effects.append(.readWorld) }
  }

  private mutating func finishReading(_ use: (inout Playback, WorldReadings.Reading) -> Void) {
    // What a server answered before it was lost tells nothing of the next one.
    if isServerThere, let reading = readings.underWay { use(&self, reading) }
    readings.end()
    if isServerThere { beginReading() }
  }

  private mutating func note(_ found: OutputTraits) {
    guard found != traits else { return }
    traits = found
    effects.append(.noteTraits(found))
  }

  /// Has later streams made on this sink; nil leaves it to the server.
  private mutating func choose(_ sink: String?) {
    chosenSink = sink
    effects.append(sink.map { .makeStreams(on: $0) } ?? .leaveSink)
  }

  /// Keeps the chosen output through the server's absence, and through another profile of its card, which makes another sink. After any other change
  /// of the route that leads away from it, the sound goes where the server puts it.
  private mutating func keepSink(after change: RouteChange) {
    guard let sink = chosenSink, change.reason != .mediaServicesWereLost else { return }
    if change.current?.leads(overSinkNamed: sink) == true { return }
    choose(classifier.lacksSink(named: sink) ? change.successor(ofSink: sink) : nil)
  }

  private mutating func lookAt(
    _ world: AudioWorld, own: SinkInput.Index?, for reading: WorldReadings.Reading
  ) {
    output.look(at: world, ownInput: own, chosenSink: chosenSink)
    isOtherAudioPlaying = ForeignStreams(in: world, own: own).areHeard
    let input = own.flatMap(world.sinkInput)
    note(OutputTraits(of: world, ownSink: input?.sink))
    if let input {
      informSession(.ownMute(input.isMuted))
      perform(volume.look(at: input, reading.volumeMark, isFlat: traits.hasFlatVolume, at: now))
    }
    let events = watcher.handle(
      world, ownClient: world.ownClient ?? input?.client, ownInputs: own.map { [$0] } ?? [],
      isAfterCork: reading.readers.contains(.cork), at: now)
    if !events.isEmpty { explain("streams: " + Evidence.others(in: world, own: own)) }
    if watcher.hearsPhone != player.session.hearsPhone { informSession(.hearsPhone(watcher.hearsPhone)) }
    informSession(events)
    if let own, watcher.hasNewCall(before: own) { informSession(.foundMadeInCall) }
    if reading.readers.contains(.cork) { informSession(.corkExamined) }
    if watcher.hasDoubt, !willLookAgain {
      willLookAgain = true
      effects.append(.timer(.streams, after: CallWatcher.grace))
    }
    if reading.readers.contains(.route) {
      let isWanted = player.session.intent == .playing
      informClassifier(.world(world, ownInput: own, chosenSink: chosenSink, isWanted: isWanted))
      knowsOutput = true
    }
    informGuard(.world(world, own: own))
  }

  // MARK: Our stream, its volume and its sound

  private mutating func handleStream(_ event: StreamEvent) {
    switch event {
    case .made:
      informSession(.streamMade)
      informClassifier(.streamReady)
      // A stream that was made during a call is muted, and no event says so.
      effects.append(.readStream)
    case .read(let isMuted, let serverCorks):
      informSession(.streamReady(isMuted: isMuted, serverCorks: serverCorks))
    case .progressed(let isSuspended):
      // A request for sound that the server made before it suspended the output may reach us only afterwards. That is no progress.
      if !isSuspended { informSession(.progressed) }
    case .moved(let sink): informClassifier(.moved(to: sink))
    case .suspended(let isSuspended): informSession(isSuspended ? .began(.suspend) : .ended(.suspend))
    case .corkRequested:
      informSession(.began(.cork))
      read(for: .cork)
    case .uncorkRequested: informSession(.ended(.cork))
    case .ended(let isKilled, let reason, let isServerThere):
      // The route event comes first, because it may call for silence: at `soundLost` the player loads a new sound as soon as it may.
      informClassifier(.streamEnded(killed: isKilled))
      if !isKilled, isServerThere {
        lastServerError = reason
        informSession(.streamRefused)
      }
      handleSound(.soundLost)
    case .volumeSet: if volume.ordered() { read(for: .calls) }
    // If our stream was unmuted already, the server reports nothing. Without a reading of it, the stream's next mute would be taken for the old one.
    case .muteSet: read(for: .calls)
    }
  }

  private mutating func change(by order: VolumeOrder) {
    switch order {
    case .set(let fraction): perform(volume.choose(fraction))
    case .change(let difference): perform(volume.change(by: difference))
    case .mute(let isMuted): informSession(.muteChosen(isMuted))
    case .toggleMute: informSession(.muteChosen(!isMuted))
    }
  }

  private mutating func perform(_ made: [VolumeEffect]) {
    for effect in made {
      switch effect {
      case .set(let volume): effects.append(.setVolume(volume))
      case .keep(let volume): effects.append(.keepVolume(volume))
      case .tell(let choice): effects.append(.tell(.volume(choice)))
      case .timer(let delay): effects.append(.timer(.sleep, after: delay))
      case .cancelTimer: effects.append(.cancelTimer(.sleep))
      case .pause:
        history.silencings += 1
        informSession(.sleepTimerEnded)
        perform(volume.fadeIsOver())
      case .readAgain: readings.want(.calls)
      }
    }
  }

  private mutating func handleSound(_ report: SoundReport) {
    informPlayer(.sound(report))
    if case .opened(let play, let length, let isExact, _) = report {
      effects += lengths.opened(play, length, isExact: isExact)
    }
  }

  // MARK: The wiring

  private mutating func informSession(_ events: [SessionEvent]) {
    for event in events { informSession(event) }
  }

  private mutating func informSession(_ event: SessionEvent) { informPlayer(.session(event)) }

  private mutating func informPlayer(_ event: PlayerEvent) {
    explain(Evidence.text(event))
    pass(on: player.handle(event, at: now))
  }

  private mutating func pass(on made: [PlayerEffect]) {
    for effect in made {
      switch effect {
      case .sound(let order):
        lengths.note(order)
        effects.append(.sound(order))
      case .tell(let news):
        if case .route(let change, let paused) = news {
          if paused { lastLoss = change.previous }
          // Where no output was known before, such as when the agent has just started, none is lost.
          if change.pauses, change.previous != nil, !player.session.playsOn(after: change) {
            history.silencings += 1
          }
        }
        if case .route(let change, _) = news { keepSink(after: change) }
        effects.append(.tell(news))
      case .timer(let timer, let delay): effects.append(.timer(.player(timer), after: delay))
      case .cancelTimer(let timer): effects.append(.cancelTimer(.player(timer)))
      case .duck(let level): perform(volume.duck(to: level))
      case .unmuteOwnStream: effects.append(.unmute)
      case .muteOwnStream(let isMuted): effects.append(.setMuted(isMuted))
      case .followOwnMute(let isMuted): effects.append(.followMute(isMuted))
      case .dropUnmadeStream: effects.append(.dropUnmadeStream)
      }
    }
  }

  private mutating func informClassifier(_ event: RouteEvent) {
    explain(Evidence.text(event))
    for effect in classifier.handle(event, at: now) {
      explain(Evidence.text(effect))
      switch effect {
      case .readWorld: read(for: .route)
      case .hold: informSession(.routeHeld)
      case .release(let sinkIsGone): informSession(.routeReleased(sinkIsGone: sinkIsGone))
      case .timer(let delay): effects.append(.timer(.route, after: delay))
      case .change(let change): informSession(.routeChanged(change))
      case .terminated:
        history.silencings += 1
        informSession(.streamTerminated)
      }
    }
    if let chosenSink, classifier.lacksSink(named: chosenSink) { choose(nil) }
  }

  private mutating func informGuard(_ event: GuardEvent) {
    for effect in others.handle(event, at: now) {
      explain(Evidence.text(effect))
      switch effect {
      case .readWorld: read(for: .others)
      case .timer(let delay): effects.append(.timer(.guarding, after: delay))
      case .tell(let report): effects.append(.tell(.guarded(report)))
      case .find, .ask, .pause, .readStatus, .leave: effects.append(.guarding(effect))
      }
    }
  }

  private mutating func explain(_ text: @autoclosure () -> String?) {
    if explains, let text = text() { effects.append(.explain(text)) }
  }
}
