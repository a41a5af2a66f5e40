// SPDX-License-Identifier: MIT

/// Decides whether music sounds: from what the user wants, and from the interruptions that keep it silent.
///
/// A value without side effects. Music sounds when it is wanted and there is no hold. An interruption adds a hold to `holds`, and
/// its end removes it. The loss of the listener's device changes what is wanted instead. So the end of an interruption never
/// starts music that was not playing, and no further state is needed for that.
package struct Session: Sendable {
  /// How many programs' Pauses are tracked separately. One more program's Pause is a lasting pause, which its Play does not undo.
  static let toolLimit = 16
  /// How long listeners are not told that the server asked for silence (cork), while the reason is looked for. Mostly that takes some milliseconds.
  private static let longestCorkLook = Duration.milliseconds(200)

  /// How interruptions are handled. A new value applies from the next event on.
  package var settings: SessionSettings
  /// What the user wants: music, a pause or nothing, whether or not it is possible at the moment.
  package private(set) var intent: Intent
  /// The interruptions that keep the music silent now, by their source.
  package private(set) var holds: [Interruption.Source: Interruption]

  /// Whether there is an output that anyone could hear.
  package private(set) var hasOutput = true
  /// Why the session stopped; nil while it is not stopped, and if that is not known or not true any more.
  private(set) var ending: Ending?
  /// Interruptions that the user has overruled by a Play and that still go on.
  private var overridden: Set<Interruption.Source> = []
  /// Programs that ordered Pause for reasons of their own and have not taken that back yet, whoever has ended their pause since.
  private var pausers: Set<Interruption.Source> = []
  private var ducks: Set<Interruption.Source> = []
  /// What the music is ducked (played more quietly) for, the most important if there are several; nil while it is not ducked.
  package var duckedFor: Interruption.Source? { ducks.min() }
  private var mute = OwnMute()
  /// Whether another program's call is heard, also one for which the settings let the music go on.
  private(set) var hearsPhone = false
  private var retry = StreamRetry()
  private var awaited: AwaitedDevice?
  /// The server's request for silence (cork) whose reason is still looked for; nil if there is none. Listeners are told nothing
  /// before the reason is known, so that a call is reported as a call.
  private var corkLook: CorkLook?
  /// The interruption that listeners were told of; nil again when its last source is gone.
  private var told: ToldInterruption?
  /// Whether the event being handled is a Play of the user that ends interruptions although their causes go on.
  private var isOverruling = false
  /// Whether the pause for a lost device still has to be reported. The server came back without the device, and that paused the music at once. The
  /// loss itself comes as the next route change, which reports the pause.
  private var isLossAnnounced = false
  /// How many interruptions have begun, whether or not they are over.
  private(set) var interruptionCount = 0
  private var lastProgress = Duration.zero
  /// When the present look at the route began, or the last one.
  private var lookBegan = Duration.zero
  /// When WirePlumber paused us last.
  private var wirePlumberPaused = Duration.zero
  /// How long before the look at the route WirePlumber's Pause may come that belongs to it: it moves streams a second after its Pause.
  private static let longestPauseBeforeLook = Duration.seconds(5)
  private var now = Duration.zero
  private var effects: [SessionEffect] = []

  private struct CorkLook {
    /// Whether music was heard before the server asked for silence.
    let wasPlaying: Bool
  }

  /// A lost device whose return may let the music go on, and when it was lost.
  private struct AwaitedDevice {
    let device: Route.Device
    let lost: Duration
  }

  /// A session that plays nothing. No server is known yet, so playing has to wait for one.
  ///
  /// - Parameter intent: stopped, or paused if a state was restored.
  package init(settings: SessionSettings = SessionSettings(), intent: Intent = .stopped) {
    self.settings = settings
    self.intent = intent
    holds = [.server: Interruption(.server, number: 0, isKnown: false, isTold: false)]
  }

  /// Whether music sounds: it is wanted, and no interruption keeps it silent.
  package var isSounding: Bool { intent == .playing && holds.isEmpty }

  /// Whether our stream must be corked, so that the server takes no sound from it.
  package var isCorked: Bool { intent != .playing || !holds.keys.allSatisfy(letsStreamRun) }

  /// Whether programs that follow the state are told that music is playing. It may be silent all the same: they are never told of the interruptions in which
  /// we find out where the sound goes now, of our own accord or because WirePlumber ordered a pause.
  private var isPlayingToListeners: Bool { intent == .playing && isFree }

  /// Whether no interruption is going on of which listeners are told.
  private var isFree: Bool { holds.keys.allSatisfy { !$0.isAnnounced } }

  /// Whether a call is going on, including one that the user has overruled.
  private var isInCall: Bool {
    hearsPhone || holds.keys.contains(where: \.isCall) || overridden.contains(where: \.isCall)
      || duckedFor?.isCall == true
  }

  /// Whether the server asked for silence (cork) and the reason is still looked for.
  var isLookingForReason: Bool { corkLook != nil }

  /// Whether listeners are shown this interruption. A look at the route and the search for the reason why the server asked for
  /// silence are not shown, because they are over before anyone could notice them.
  func isShown(_ source: Interruption.Source) -> Bool {
    source != .route && !(source == .cork && isLookingForReason)
  }

  /// Whether the user has muted our stream, as far as that is known.
  package var isMutedByUser: Bool { mute.isByUser }

  /// Whether our stream may run, or be made, while this interruption lasts.
  private func letsStreamRun(_ source: Interruption.Source) -> Bool {
    source == .refusal ? retry.isTrying : source.leavesStreamOpen
  }

  /// Handles an event and returns what has to be done about it, in order. `now` must never go back.
  package mutating func handle(_ event: SessionEvent, at now: Duration) -> [SessionEffect] {
    let (wasSounding, wasPlaying) = (isSounding, corkLook?.wasPlaying ?? isPlayingToListeners)
    self.now = now
    handle(event)
    if intent != .stopped { ending = nil }
    // The server is asked for a stream and for progress only while music is wanted, so otherwise it refuses nothing and nothing stalls.
    if intent != .playing {
      end(.refusal)
      end(.stall)
    }
    // Without a stream nobody would say that its output runs again.
    if intent == .stopped { end(.suspend) }
    if isSounding, !wasSounding { startWatching() }
    tellInterruption(wasPlaying: wasPlaying)
    defer { effects = [] }
    return effects
  }

  /// Tells listeners of an interruption when its first source begins and when its last source ends. Sources that begin or end
  /// in between belong to the same interruption.
  private mutating func tellInterruption(wasPlaying: Bool) {
    defer { isOverruling = false }
    if corkLook != nil { return }
    let sources = interruptions
    if told == nil, let first = sources.first {
      let new = ToldInterruption(first, wasPlaying: wasPlaying)
      told = new
      effects.append(.interruptionBegan(new))
    }
    for source in sources where told?.sources.contains(source) == false { told?.sources.append(source) }
    guard sources.isEmpty, let over = told else { return }
    told = nil
    let end: InterruptionEnd =
      isOverruling ? .overruled : state == .playing ? .resumes : .staysSilent
    effects.append(.interruptionEnded(over, end))
  }

  private mutating func handle(_ event: SessionEvent) {
    switch event {
    case .play(let sender): play(by: sender)
    case .pause(let sender):
      pause(by: sender)
      if let source = sender.source, holds[source] != nil, pausers.count < Self.toolLimit {
        pausers.insert(source)
      }
    case .toggle(let sender): toggle(by: sender)
    case .unknownSince(let number): forgetThatKnown(since: number)
    case .stop(let sender): stop(.ordered(by: sender))
    case .ranOut(let how): stop(how)
    case .userActed: awaited = nil
    case .wanted(let intent): self.intent = intent
    case .settingsRead: if settings.category == .ambient { mixWithCalls() }
    case .began(let source): begin(source)
    case .ended(let source): end(source)
    case .corkExamined: corkLook = nil
    case .corkUnwanted: if holds[.cork] != nil { passOver(.cork) }
    case .duckBegan(let source): duck(for: source)
    case .duckEnded(let source): unduck(for: source)
    case .rolesWentQuiet: end(.cork)
    case .streamMade:
      end(.refusal)
      mute.streamMade(inCall: isInCall)
    case .streamRefused: waitForRoom()
    case .streamReady(let isMuted, let serverCorks):
      lookAtNewStream(isMuted: isMuted, serverCorks: serverCorks)
    case .hearsPhone(let isHeard): hearsPhone = isHeard
    case .foundMadeInCall:
      mute.foundMadeInCall()
      // If the music is to go on in this call, nobody else would unmute the stream.
      if mute.isByServer, !holds.keys.contains(where: \.isCall) { unmute() }
    case .ownMute(let isMuted): if mute.reported(isMuted) { effects.append(.followOwnMute(isMuted)) }
    case .muteChosen(let isMuted):
      mute.choose(isMuted)
      effects.append(.muteOwnStream(isMuted))
    case .progressed: progress()
    case .streamTerminated: rest(because: .terminated)
    case .sleepTimerEnded: rest(because: .sleepTimer)
    case .routeHeld:
      if holds[.route] == nil { lookBegan = now }
      begin(.route)
    case .routeReleased(let sinkIsGone):
      end(.route)
      // WirePlumber paused us because an output went away. If that was our own, the classifier has now found out what it was: a loss has
      // paused the music already, and anything else is no reason to stay silent. If our output is still there, the Pause was about a device behind it,
      // such as the headphones behind a filter that hides them, and this look tells nothing of it. Nor does it tell anything of a Pause from long before.
      if sinkIsGone, wirePlumberPaused > lookBegan - Self.longestPauseBeforeLook { end(.wirePlumber) }
    case .routeChanged(let change): changeRoute(change)
    case .preparesForSleep:
      begin(.sleep)
      rest(because: .sleep)
    case .wokeUp: end(.sleep)
    case .timer:
      corkLook = nil
      if isSounding { watchProgress() } else { retryStream() }
    }
  }

  // MARK: Orders from people and programs

  private mutating func play(by sender: Sender) {
    // A program that paused for reasons of its own may undo its own Pause and nothing else.
    if let source = sender.source {
      pausers.remove(source)
      return end(source)
    }
    awaited = nil
    corkLook = nil
    guard hasOutput else { return effects.append(.noOutput) }
    intent = .playing
    let yielding = holds.values.filter(\.source.yieldsToUser)
    if yielding.contains(where: \.isKnown) { overrule(yielding.map(\.source)) } else { introduce(yielding) }
    if mute.isByServer, holds.keys.allSatisfy({ !$0.yieldsToUser }) { unmute() }
    if let first = holds.keys.min(), first != .route {
      effects.append(.waiting(for: first))
    }
  }

  /// Ends these interruptions as far as the music goes: the user knows that it is interrupted, and wants it all the same. Those whose causes still go on
  /// are remembered, so that they do not interrupt again.
  private mutating func overrule(_ sources: [Interruption.Source]) {
    isOverruling = sources.contains(where: \.isWatched)
    for source in sources.sorted() {
      end(source)
      if source.isWatched { overridden.insert(source) }
    }
  }

  private mutating func introduce(_ interruptions: [Interruption]) {
    for interruption in interruptions { holds[interruption.source]?.isKnown = true }
  }

  private mutating func forgetThatKnown(since number: Int) {
    for hold in holds.values where hold.number > number { holds[hold.source]?.isKnown = false }
  }

  private mutating func pause(by sender: Sender) {
    if sender != .wirePlumber { awaited = nil }
    guard let source = sender.source else {
      if intent != .stopped { intent = .paused(by: .user) }
      return
    }
    guard intent == .playing else { return }
    if case .tool(let name) = source, holds[source] == nil, toolCount >= Self.toolLimit {
      intent = .paused(by: .tool(name))
    } else {
      begin(source)
    }
  }

  /// Whether a toggle by this sender only takes back a Pause of its own, and starts nothing else.
  func onlyTakesBackPause(_ sender: Sender) -> Bool {
    guard let source = sender.source else { return false }
    if pausers.contains(source) { return true }
    guard case .tool = sender else { return state.mpris != .playing }
    return state.mpris != .playing && intent == .playing && holds[source] != nil
  }

  /// A phone link orders `PlayPause` for two reasons. If it has ordered a Pause before, because the phone rang, it takes that back now, also where
  /// somebody else has ended that pause since. Otherwise somebody has tapped the button on the phone, and wants to hear music if there is none; also
  /// where the music was paused for another reason after the last tap.
  private mutating func toggle(by sender: Sender) {
    if let source = sender.source, pausers.remove(source) != nil { return end(source) }
    if state.mpris == .playing {
      pause(by: sender)
    } else if case .tool(let name) = sender, holds[.tool(name)] == nil || intent != .playing {
      play(by: .user)
    } else {
      play(by: sender)
    }
  }

  private var toolCount: Int {
    holds.keys.count { if case .tool = $0 { true } else { false } }
  }

  /// Forgets why playing has ended if that was because of the entry that was current, because another one is now.
  mutating func forgetEndingOfEntry() { if ending?.isOfEntry == true { ending = nil } }

  private mutating func stop(_ how: Ending) {
    awaited = nil
    intent = .stopped
    ending = how
  }

  /// Pauses the music, if it is wanted, until somebody orders Play. After this, the return of a lost device no longer starts it.
  private mutating func rest(because pauser: Intent.Pauser) {
    awaited = nil
    if intent == .playing { intent = .paused(by: pauser) }
  }

  // MARK: Interruptions

  private mutating func begin(_ source: Interruption.Source) {
    // The server also suspends an output that is idle. While we are corked that is no interruption, and it ends when a
    // stream starts to run.
    if source == .suspend, isCorked { return }
    if source == .cork, overridden.contains(where: \.isCall) { return overruleCork() }
    if settings.category == .ambient, source.isWatched { return mix(with: source) }
    guard holds[source] == nil else { return }
    overridden.remove(source)
    if source == .wirePlumber { wirePlumberPaused = now }
    if source == .cork { beginCorkLook() }
    interruptionCount += 1
    holds[source] = Interruption(
      source, number: interruptionCount, isKnown: intent == .playing, isTold: source.isAnnounced)
  }

  private mutating func beginCorkLook() {
    mute.corked()
    corkLook = CorkLook(wasPlaying: isPlayingToListeners)
    // If the server does not answer, listeners are told of the cork request itself. A wait for the server's stream has its own timer.
    if holds[.refusal] == nil { effects.append(.timer(after: Self.longestCorkLook)) }
  }

  /// Lets the music go on although a call or the like begins, as if the user had overruled that.
  private mutating func mix(with source: Interruption.Source) {
    if source == .cork { return overruleCork() }
    overridden.insert(source)
    // The stream may have been made in this call, and then the server has muted it.
    if source.isCall, mute.isByServer { unmute() }
  }

  /// Lets the music go on although calls or the like have silenced it already, because the category is now `ambient`.
  private mutating func mixWithCalls() {
    corkLook = nil
    for source in holds.keys.filter(\.isWatched) { passOver(source) }
  }

  /// Ends an interruption that goes on, because the settings say that the music does not stop for it.
  private mutating func passOver(_ source: Interruption.Source) {
    end(source)
    overridden.insert(source)
  }

  /// Undoes the mute that comes with another request for silence. The server asks again whenever another stream moves
  /// or another phone rings, but the user has already overruled this call.
  private mutating func overruleCork() {
    overridden.insert(.cork)
    if !mute.isMuted { unmute() }
  }

  private mutating func end(_ source: Interruption.Source) {
    overridden.remove(source)
    guard holds.removeValue(forKey: source) != nil else { return }
    if source.isCall, mute.isByServer, !holds.keys.contains(where: \.isCall) { unmute() }
    if source == .refusal { retry = StreamRetry() }
  }

  // MARK: Our stream

  private mutating func lookAtNewStream(isMuted: Bool, serverCorks: Bool) {
    switch mute.read(isMuted, serverCorks: serverCorks, inCall: isInCall) {
    case .byServer:
      // The call may be over by now, and then nobody else would unmute the stream.
      if !holds.keys.contains(where: \.isCall) { unmute() }
      return
    // Session managers remember a mute for all players of music, so another player's would silence our next track.
    case .foreign: mute.choose(false)
    case .usual: break
    }
    // Some servers ignore what a stream is made with, or give it the mute that they remember.
    guard let choice = mute.choice, choice != isMuted else { return }
    mute.choose(choice)
    effects.append(.muteOwnStream(choice))
  }

  /// Ends the server's mute of our stream. If the user wants it muted, it stays so.
  private mutating func unmute() {
    if mute.choice == true {
      mute.muteAgain()
      return effects.append(.muteOwnStream(true))
    }
    mute.unmute()
    effects.append(.unmuteOwnStream)
  }

  private mutating func waitForRoom() {
    begin(.refusal)
    effects.append(.timer(after: retry.refused(at: now)))
  }

  /// Lets our stream be made once more, if the wait after the server's last refusal is over. If the server neither makes nor
  /// refuses it until the stall limit, that counts as a refusal.
  private mutating func retryStream() {
    switch retry.timeOut(at: now, patience: settings.stallLimit) {
    case .try(let wait): effects.append(.timer(after: wait))
    case .giveUp:
      effects.append(.dropUnmadeStream)
      waitForRoom()
    case nil: break
    }
  }

  // MARK: Ducking

  private mutating func duck(for source: Interruption.Source) {
    if ducks.isEmpty { effects.append(.duck(settings.duckLevel)) }
    ducks.insert(source)
  }

  private mutating func unduck(for source: Interruption.Source) {
    if ducks.remove(source) != nil, ducks.isEmpty { effects.append(.unduck) }
  }

  // MARK: Progress

  private mutating func progress() {
    guard !isCorked else { return }
    lastProgress = now
    // The timer is set again at each progress: setting it costs nothing, but a timer that runs out wakes the processor.
    if isSounding { watchProgress() }
    end(.stall)
    end(.suspend)
  }

  /// While our stream is stalled: when the server last took sound from it.
  var lastProgressBeforeStall: Duration? { holds[.stall] == nil ? nil : lastProgress }

  private mutating func startWatching() {
    lastProgress = now
    watchProgress()
  }

  /// Sets the timer for a stall, or begins the stall if the server has taken no sound from our stream for too long. Also called
  /// when the timer fires.
  private mutating func watchProgress() {
    let left = lastProgress + settings.stallLimit - now
    if left > .zero { return effects.append(.timer(after: left)) }
    begin(.stall)
    effects.append(.dropUnmadeStream)
  }

  // MARK: Routes and devices

  private mutating func changeRoute(_ change: RouteChange) {
    let wasWanted = intent == .playing || isLossAnnounced
    defer { report(change, wasWanted: wasWanted) }
    if change.pauses, !playsOn(after: change) { lose(change) }
    switch change.reason {
    case .mediaServicesWereLost: loseServer()
    case .noSuitableRouteForCategory: noteOutput(false)
    case .wakeFromSleep: break
    case .newDeviceAvailable:
      noteOutput(true)
      resumeOnReturn(change)
    default: noteOutput(true)
    }
  }

  /// Whether the music goes on although its device is lost: the category is `ambient`, music for nobody in particular, and there is another output.
  func playsOn(after change: RouteChange) -> Bool {
    settings.category == .ambient && (change.current != nil || change.isUnlinked)
  }

  /// Reports a change of the route. It says that this paused the music if music was wanted before the loss, even if something
  /// else already kept it silent. A server that comes back without the device pauses the music at once, but the pause is reported
  /// with the loss that follows.
  private mutating func report(_ change: RouteChange, wasWanted: Bool) {
    let paused = change.pauses && wasWanted && intent == .paused(by: .route)
    isLossAnnounced = paused && change.reason == .mediaServicesWereReset
    effects.append(.routeChanged(change, paused: paused && !isLossAnnounced))
  }

  private mutating func noteOutput(_ isThere: Bool) {
    hasOutput = isThere
    end(.server)
  }

  private mutating func lose(_ change: RouteChange) {
    // A device that goes out of reach is suspended at first, or takes no sound any more. That is no other cause of silence than its loss.
    let wasPlaying = intent == .playing && holds.keys.allSatisfy { !$0.isAnnounced || $0.leavesStreamOpen }
    if intent == .playing { intent = .paused(by: .route) }
    // If that output was suspended, nobody says any more that it runs again.
    end(.suspend)
    guard wasPlaying, settings.resumeOnReturn != nil, let device = change.previous?.device else { return }
    awaited = AwaitedDevice(device: device, lost: now)
  }

  private mutating func resumeOnReturn(_ change: RouteChange) {
    guard let awaited, awaited.device == change.current?.device else { return }
    self.awaited = nil
    // The setting may have been changed or removed since the loss.
    guard let wait = settings.resumeOnReturn, now - awaited.lost <= wait else { return }
    if intent == .paused(by: .route), isFree { intent = .playing }
  }

  /// When the server is lost, its cork, suspension, stall and refusal end, and so does its mute of our stream.
  private mutating func loseServer() {
    begin(.server)
    corkLook = nil
    for source in [Interruption.Source.cork, .suspend, .stall, .refusal] { end(source) }
    mute.serverLost()
  }
}
