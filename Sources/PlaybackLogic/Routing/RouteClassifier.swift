// SPDX-License-Identifier: MIT
import AudioModel

/// Finds out what happened to the route of our sound, and whether playback has to pause for it.
///
/// A value without side effects: events come in with their times, requests come out. If an event may mean that the listener's
/// device is gone, the classifier first asks for silence and then has the sound server read to see what happened. It decides
/// within about 100 ms, within two seconds if a card changes its profile, or within five if PipeWire's session manager has ended. It reports a loss once.
package struct RouteClassifier: Sendable {
  // The events of one change come in bursts, with pauses shorter than this.
  private static let quiet = Duration.milliseconds(50)
  private static let limit = Duration.milliseconds(100)
  private static let serverReturn = Duration.seconds(2)
  /// How long PipeWire's lists may show our stream on the sink that it has left, although the server has said that it was moved.
  private static let lag = Duration.seconds(2)

  private enum Phase {
    /// There is no server. `expected` is where the sound went before, if anywhere; `told` is true if the server's loss
    /// was reported.
    case away(expected: SinkPort?, told: Bool)
    /// The server answers again, and we wait for the output that the sound went to before.
    case returning(Return)
    case serving(Settled)
  }

  /// The server has just been found, and it is not decided yet where the sound goes on it.
  private struct Return {
    var expected: SinkPort?
    var wasTold: Bool
    var since: Duration
  }

  /// What is known of a change of the route between its first sign and the decision about it.
  private struct Episode {
    var began: Duration
    var lastEvent: Duration
    /// Whether the server has been read since the first sign of the change.
    var hasReading = false
    /// Whether the server was read once more after `limit`, because our stream was still linked to nothing.
    var isReadAgain = false
    /// Since when the sink of our sound has been gone but may come back; nil if that is not so.
    var goneSince: Duration?
    /// Whether a reading showed the device gone. A loose jack may be back at the time of the decision, with the sound
    /// left elsewhere.
    var hasSeenLoss = false
    /// A harmless change that was seen but not yet reported. The sound may go to the new device already, and that can be lost as well.
    var pending: PendingChange?
    /// Whether filters may play to another sink in a moment. PipeWire reports that to nobody.
    var mayMoveFilters = false
    /// Where the server has moved our stream last, also if that stream has ended since.
    var movedTo: Sink.Index?

    /// The time from which the latest reading of the server may be believed, because the change seems to be over by then.
    var deadline: Duration { min(lastEvent + RouteClassifier.quiet, limit) }
    var limit: Duration { began + RouteClassifier.limit }
  }

  /// A harmless change that was seen but not yet reported: its reason, where the sound went, and our stream then.
  private struct PendingChange {
    var reason: RouteChange.Reason
    var destination: Destination
    var stream: SinkInput.Index?
  }

  /// The current route, as of the last report or decision; nil if there is none that anyone could hear.
  package private(set) var route: Route?

  private var phase = Phase.away(expected: nil, told: false)
  private var episode: Episode?
  private var recent = RecentArrivals()
  /// When all built-in cards went together, until one of them is there again; see `Comparison`.
  private var managerEnded: Duration?
  private var latest: Reading?
  /// The sink of our stream, as last reported, and the one behind a filter where it is heard. If one is removed, we ask for silence at once, before the
  /// server is read.
  private var ownSinks: Set<Sink.Index> = []
  /// Where the server has moved our stream last, which stream that was, and when. Its lists may lag behind that; see `Reading.corrected`.
  private var move: (stream: SinkInput.Index, to: Sink.Index, at: Duration)?
  /// The filter of our stream, if the server does not show where that plays on to, and has not for some time. Then the filter counts as the place where
  /// we are heard.
  private var hidingFilter: Sink.Index?
  private var isReading = false
  private var isOvertaken = false
  /// Whether our stream changed while the server was being read. If the reading shows it on no sink, the reading may be older than the change.
  private var mayBeLinked = false
  /// Whether we asked for silence and have not taken that back.
  private(set) var isHolding = false
  /// Whether the sink that our sound went to was seen gone since silence was asked for.
  private var hasLostSink = false
  private var wasKilled = false
  /// The sink that the listener has ordered the sound to, and until when a move there counts as obeying that order.
  private var ordered: (sink: String, until: Duration)?
  private var effects: [RouteEffect] = []
  private var due: Duration?

  /// How long a server may take to move our sound where the listener wants it.
  private static let obedience = Duration.seconds(3)

  /// A classifier that knows of no server yet.
  package init() {}

  /// Takes an event and returns what has to be done about it, in order. `now` must never go back.
  package mutating func handle(_ event: RouteEvent, at now: Duration) -> [RouteEffect] {
    let dueBefore = due
    if let ordered, now > ordered.until { self.ordered = nil }
    take(event, at: now)
    if let due, due != dueBefore || event == .timer { effects.append(.timer(after: max(.zero, due - now))) }
    defer { effects = [] }
    return effects
  }

  private mutating func take(_ event: RouteEvent, at now: Duration) {
    switch event {
    case .serverLost: loseServer()
    case .serverFound: findServer(at: now)
    case .ordered(let sink): ordered = (sink, now + Self.obedience)
    case .moved(let sink):
      ownSinks = [sink]
      move = latest?.ownInput.map { ($0, sink, now) }
      disturb(isReflex: true, at: now)
      episode?.movedTo = sink
    case .sink(.removed, let sink):
      disturb(isReflex: ownSinks.contains(sink), at: now)
      episode?.mayMoveFilters = true
    case .sink, .serverChanged:
      disturb(isReflex: false, at: now)
      episode?.mayMoveFilters = true
    case .card, .streamReady, .chosen: disturb(isReflex: false, at: now)
    case .streamChanged: changeStream(at: now)
    // It may be a filter's own stream, which was moved to another sink.
    case .otherStreamChanged: if isFiltered { disturb(isReflex: false, at: now) }
    case .streamEnded(let killed):
      move = nil
      wasKilled = wasKilled || killed
      // Silence until we know more: the stream's sink may be gone as well, and then the next stream would begin on another one.
      if killed { disturb(isReflex: true, at: now) }
    case .world(let world, let own, let chosen, let isWanted):
      take(Reading(world: world, ownInput: own, chosenSink: chosen, isWanted: isWanted), at: now)
    case .wokeUp: if case .serving = phase { report(.wakeFromSleep, to: route) }
    case .timer: judge(at: now)
    }
  }

  /// Our stream was linked to a sink, corked or muted. If it had no link, this event is the only sign of a new one, so the server
  /// is read. If a reading is under way, it may be older than the link. Otherwise the event says nothing about the route.
  private mutating func changeStream(at now: Duration) {
    if latest.map(Destination.init) == .unlinked { return disturb(isReflex: false, at: now) }
    mayBeLinked = isReading
  }

  /// Whether the sound may go elsewhere without any word of the server: PipeWire tells nobody that a filter was linked to another sink.
  private var mayMoveUnseen: Bool { isFiltered && latest?.world.server.kind == .pipeWire }

  private var isFiltered: Bool { latest.flatMap(\.path).map { $0.sinks.count > 1 || $0.isBroken } ?? false }

  /// Something happened on the server, so the server is read. `isReflex` is true if it may have been a loss: then the sound is silenced at once.
  private mutating func disturb(isReflex: Bool, at now: Duration) {
    switch phase {
    case .away: return
    case .returning: break
    case .serving:
      if isReflex { hold() }
      episode = episode ?? Episode(began: now, lastEvent: now)
      episode?.lastEvent = now
    }
    if isReading { isOvertaken = true } else { read() }
  }

  private mutating func take(_ reading: Reading, at now: Duration) {
    if case .away = phase { return }
    isReading = false
    var reading = reading
    if let move, move.stream == reading.ownInput, now - move.at < Self.lag {
      reading = reading.corrected(by: move.to)
    }
    if let successor = successor(ofChosenSink: reading) { reading.chosenSink = successor }
    if let latest { recent.note(from: latest.world, to: reading.world, at: now) }
    if let path = reading.path, !path.isBroken || path.first.index != hidingFilter { hidingFilter = nil }
    reading.takesFiltersAsEnd = hidingFilter != nil
    if let place = Destination(reading).place { ownSinks = [place.sink, place.entrance] }
    if case .serving(let settled) = phase, let place = settled.place,
      reading.world.sink(place.sink) == nil || reading.world.sink(place.entrance) == nil
    {
      hasLostSink = true
    }
    if let latest, reading.world.hasLostManager(since: latest.world) { managerEnded = now }
    latest = reading
    let isOlderThanLink = mayBeLinked && Destination(reading) == .unlinked
    if isOvertaken || isOlderThanLink { read() }
    // The last change was decided while this reading was under way, so what it shows is perhaps one more change.
    if episode == nil, case .serving = phase { episode = Episode(began: now, lastEvent: now) }
    episode?.hasReading = true
    judge(at: now)
  }

  /// The sink that has taken the place of the chosen one, because its card has another profile now; nil if there is none. A stream of ours would have
  /// been moved there by the server, but there is none.
  private func successor(ofChosenSink reading: Reading) -> String? {
    guard reading.ownInput == nil, let chosen = reading.chosenSink, reading.world.sink(named: chosen) == nil,
      case .serving(let settled) = phase, let place = settled.place, place.route.sinkName == chosen
    else { return nil }
    return place.card.flatMap { card in reading.world.sinks.first { $0.card == card }?.name }
  }

  private mutating func judge(at now: Duration) {
    due = nil
    switch phase {
    case .away: break
    case .returning(let back): judge(back, at: now)
    case .serving(let settled): judge(against: settled, at: now)
    }
  }

  // MARK: Effects, for both extensions below

  private mutating func read() {
    isReading = true
    isOvertaken = false
    mayBeLinked = false
    effects.append(.readWorld)
  }

  private mutating func hold() {
    guard !isHolding else { return }
    isHolding = true
    effects.append(.hold)
  }

  // Whether the sink was seen gone counts only for the silence that ends here.
  private mutating func release() {
    guard isHolding else { return }
    effects.append(.release(sinkIsGone: hasLostSink))
    (isHolding, hasLostSink) = (false, false)
  }

  private mutating func report(
    _ reason: RouteChange.Reason, to current: Route?, pauses: Bool = false, isUnlinked: Bool = false
  ) {
    report(reason, from: route, to: current, pauses: pauses, isUnlinked: isUnlinked)
  }

  private mutating func report(
    _ reason: RouteChange.Reason, from previous: Route?, to current: Route?, pauses: Bool,
    isUnlinked: Bool = false
  ) {
    var change = RouteChange(reason, from: previous, to: current, pauses: pauses)
    change.isUnlinked = isUnlinked
    effects.append(.change(change))
    route = current
  }

  /// Ends the decision about a change. Later readings of the server are compared with `settled`.
  private mutating func settle(_ settled: Settled, destination: Destination) {
    phase = .serving(settled)
    route = destination.route
    forgetEpisode()
  }

  private mutating func forgetEpisode() {
    episode = nil
    due = nil
    wasKilled = false
    if latest?.world.cards.contains(where: \.isBuiltIn) == true { managerEnded = nil }
    // A sink that went while nobody was waiting for it says nothing of the next look.
    if !isHolding { hasLostSink = false }
  }
}

extension RouteClassifier {
  private mutating func loseServer() {
    let (expected, wasTold) = expectation
    hold()
    hasLostSink = true
    if !wasTold { report(.mediaServicesWereLost, to: nil) }
    phase = .away(expected: expected, told: true)
    forgetServer()
  }

  /// Whether the server has no sink of this name, and what happens there is over. A server that has just started does not have its sinks yet, and a
  /// card that changes its profile removes one before it makes the next.
  func lacksSink(named name: String) -> Bool {
    guard case .serving = phase, episode == nil, let latest else { return false }
    return latest.world.sink(named: name) == nil
  }

  /// The name of the sink that our stream plays to, if that is not the server's default one; otherwise nil.
  var sinkBesideDefault: String? {
    guard case .serving(let settled) = phase, !settled.isLost, let latest, latest.ownInput != nil,
      let name = settled.place?.route.entrance, name != latest.world.server.defaultSink
    else { return nil }
    return name
  }

  /// The sink and port that have to be there again when the server is back, nil if there were none or they were lost earlier; and whether the
  /// server's loss was reported.
  private var expectation: (SinkPort?, told: Bool) {
    switch phase {
    case .away(let expected, let told): (expected, told)
    case .returning(let back): (back.expected, back.wasTold)
    case .serving(let settled): (settled.isLost ? nil : settled.place, false)
    }
  }

  /// Drops everything that holds the old server's index numbers. They mean nothing to the next server.
  private mutating func forgetServer() {
    episode = nil
    latest = nil
    managerEnded = nil
    ownSinks = []
    hidingFilter = nil
    move = nil
    recent = RecentArrivals()
    isReading = false
    isOvertaken = false
    mayBeLinked = false
    wasKilled = false
    due = nil
  }

  private mutating func findServer(at now: Duration) {
    guard case .away(let expected, let wasTold) = phase else { return }
    phase = .returning(Return(expected: expected, wasTold: wasTold, since: now))
    due = now + Self.serverReturn
    read()
  }

  /// Decides where the sound goes when a server has just been found. Waits up to two seconds until the output from before is there again, because on
  /// a server that has just started the sound may go to its stand-in for "no output" for some milliseconds.
  private mutating func judge(_ back: Return, at now: Duration) {
    let end = back.since + Self.serverReturn
    due = end > now ? end : nil
    if let path = latest?.path, path.isBroken {
      // A filter may hide the output behind it for good, as where a machine's loudspeakers have one, or until music plays.
      let patience = back.expected == nil ? Self.limit : Self.serverReturn
      let isExpected = back.expected.map { path.first.name == $0.route.entrance } ?? false
      if isExpected || now >= back.since + patience {
        takeFiltersAsEnd()
      } else {
        due = back.since + patience
      }
    }
    guard let latest else { return }
    let destination = Destination(latest)
    let isBack = destination.place.map { isExpected($0, back.expected) } ?? false
    guard isBack || now >= end else { return }
    let missing = isBack ? nil : back.expected
    let reason = back.wasTold ? RouteChange.Reason.mediaServicesWereReset : .unknown
    // At the very first connection, a missing output is reported once, below.
    if back.wasTold || destination != .noOutput {
      report(reason, to: destination.route, pauses: missing != nil)
    }
    // The route that was lost is the one from before the server went away.
    if let missing { report(.oldDeviceUnavailable, from: missing.route, to: route, pauses: true) }
    if destination == .noOutput { report(.noSuitableRouteForCategory, to: nil, pauses: true) }
    let lost = destination == .unlinked ? back.expected : nil
    settle(
      Settled(place: lost ?? destination.place, stream: latest.ownInput, isLost: lost == nil ? nil : true),
      destination: destination)
    release()
  }

  private func isExpected(_ place: SinkPort, _ expected: SinkPort?) -> Bool {
    guard let expected else { return true }
    let isSameFilter = latest?.takesFiltersAsEnd == true && place.route.entrance == expected.route.entrance
    return isSameFilter || place.route.device == expected.route.device && !place.isUnplugged
  }
}

extension RouteClassifier {
  /// Decides what happened while the server is there: compares the last reading of it with the last decision, and reports a
  /// change once the reading may be believed.
  private mutating func judge(against settled: Settled, at now: Duration) {
    guard let latest, let episode, episode.hasReading else { return }
    if let pending = episode.pending, hasLost(pending, latest, episode, at: now) {
      return leave(pending, at: now)
    }
    let destination = Destination(latest)
    let waited = episode.goneSince.map { now - $0 } ?? .zero
    // When our stream was killed, the reading shows the default sink instead, where our sound never went. That
    // difference is no route change.
    let seen = compare(settled, with: latest, in: episode, waited: waited, at: now)
    let verdict =
      isTerminated(settled, latest) ? .quiet : seen.corrected(hasSeenLoss: episode.hasSeenLoss)
    remember(verdict, destination)
    // A reading that is already out of date may raise an alarm but not clear one, until the 100 ms limit has passed.
    // While `isReading` is true, a newer one is on its way.
    if !isReading || now >= episode.limit { act(on: verdict, destination, settled, episode, at: now) }
  }

  private mutating func remember(_ verdict: Verdict, _ destination: Destination) {
    if verdict.isDangerous { hold() }
    if verdict == .lost { episode?.hasSeenLoss = true }
    if case .changed(let reason) = verdict {
      let former = episode?.pending.flatMap { $0.destination == destination ? $0.stream : nil }
      episode?.pending = PendingChange(
        reason: reason, destination: destination, stream: latest?.ownInput ?? former)
    }
    // The change was seen while we had no stream. The stream that was made after that goes to the old place, so nothing has changed.
    if verdict == .quiet, latest?.ownInput != nil, episode?.pending?.stream == nil { episode?.pending = nil }
  }

  private mutating func act(
    on verdict: Verdict, _ destination: Destination, _ settled: Settled, _ episode: Episode, at now: Duration
  ) {
    switch verdict {
    // Whoever had our stream killed has silenced it for good.
    case .quiet where episode.mayMoveFilters && mayMoveUnseen && !wasKilled:
      release()
      wait(until: episode.limit, at: now) { $0.lookAgain { $0.concludeQuietly(settled, destination) } }
    case .quiet: concludeQuietly(settled, destination)
    case .unlinked:
      wait(until: episode.limit, at: now) { $0.lookAgain { $0.concludeUnlinked(settled, at: now) } }
    case .mayReturn(let patience): awaitReturn(within: patience, at: now)
    case .changed(let reason):
      release()
      wait(until: episode.deadline, at: now) { $0.conclude(reason, destination) }
    case .lost:
      // The sound is held, so there is time to wait: in a moment the server may say where the sound goes instead.
      if destination == .unlinked || episode.goneSince != nil && mayMoveUnseen {
        wait(until: episode.limit, at: now) { $0.lookAgain { $0.concludeLoss(settled, destination) } }
      } else {
        wait(until: episode.deadline, at: now) { $0.concludeLoss(settled, destination) }
      }
    case .noOutput(let lost):
      wait(until: episode.deadline, at: now) { $0.concludeNoOutput(lost: lost) }
    }
  }

  private func compare(
    _ old: Settled, with reading: Reading, in episode: Episode, waited: Duration, at now: Duration
  ) -> Verdict {
    Comparison(
      old: old, reading: reading, recent: recent, began: episode.began, waited: waited,
      isWithoutManager: managerEnded.map { now - $0 <= Comparison.managerRestart } ?? false
    ).verdict()
  }

  /// Whether the sound went to a second device that was lost before the change to it was reported. If there was no
  /// stream, no sound went there, unless one was moved there and has ended since.
  private func hasLost(
    _ pending: PendingChange, _ latest: Reading, _ episode: Episode, at now: Duration
  ) -> Bool {
    let wasThere = episode.movedTo != nil && episode.movedTo == pending.destination.place?.entrance
    guard pending.stream != nil || latest.ownInput != nil || wasThere else { return false }
    let settled = Settled(place: pending.destination.place, stream: pending.stream)
    return compare(settled, with: latest, in: episode, waited: .zero, at: now).isDangerous
  }

  private mutating func leave(_ pending: PendingChange, at now: Duration) {
    hold()
    let settled = conclude(pending.reason, pending.destination, stream: pending.stream)
    episode = Episode(began: now, lastEvent: now, hasReading: true)
    judge(against: settled, at: now)
  }

  private mutating func wait(
    until deadline: Duration, at now: Duration, then conclude: (inout RouteClassifier) -> Void
  ) {
    if now >= deadline { conclude(&self) } else { due = deadline }
  }

  private mutating func awaitReturn(within patience: Duration, at now: Duration) {
    let since = episode?.goneSince ?? now
    episode?.goneSince = since
    due = since + patience
  }

  private func isElsewhere(_ destination: Destination, than settled: Settled) -> Bool {
    guard let new = destination.place, let old = settled.place else { return false }
    return !new.isSame(as: old)
  }

  private mutating func concludeQuietly(_ settled: Settled, _ destination: Destination) {
    if let latest, isTerminated(settled, latest) { effects.append(.terminated) }
    if let pending = episode?.pending, pending.stream != nil,
      isBetweenStreams(Settled(place: pending.destination.place, stream: pending.stream))
    {
      // The stream went before its move was told.
      conclude(pending.reason, pending.destination, stream: pending.stream)
    } else if isBetweenStreams(settled) {
      forgetEpisode()
    } else {
      settle(Settled(place: destination.place, stream: latest?.ownInput), destination: destination)
    }
    release()
  }

  /// Whether our sound has no stream only for the moment, as after Next during a call, and the place where it sounded last is still there. The last
  /// decision stays then, because the listener's device may still be lost.
  private func isBetweenStreams(_ settled: Settled) -> Bool {
    guard let latest, latest.ownInput == nil, latest.isWanted, !settled.isLost, let place = settled.place
    else { return false }
    return Condition(of: place, in: latest.world) == .intact
  }

  /// Whether somebody terminated our stream on purpose: it was killed, and its sink and port are as before. A port may have been without a plug before,
  /// too, if the listener wanted music there all the same.
  private func isTerminated(_ settled: Settled, _ latest: Reading) -> Bool {
    guard wasKilled, let place = settled.place else { return false }
    switch Condition(of: place, in: latest.world) {
    case .intact, .silenced: return true
    case .unplugged: return settled.isLost
    case .withdrawn, .removed: return false
    }
  }

  /// Has the server read once more before `conclude` decides. The last reading may be as old as the first sign of the change, and
  /// perhaps no event reported a link that was made since.
  private mutating func lookAgain(before conclude: (inout RouteClassifier) -> Void) {
    if episode?.isReadAgain == true { return conclude(&self) }
    episode?.isReadAgain = true
    if !isReading { read() }
  }

  /// Stops waiting until our stream is linked to a sink, because a session manager's policy may keep the stream unlinked for
  /// long. The last decision stays, so that a later link is compared with it.
  ///
  /// Where the server only hides what a filter plays on to, the filter is taken as the place, unless our sound was heard behind it when that was shown.
  private mutating func concludeUnlinked(_ settled: Settled, at now: Duration) {
    guard let latest, let path = latest.path, path.isBroken,
      !isIntact(settled.place, behind: path.first, in: latest.world)
    else {
      forgetEpisode()
      return release()
    }
    takeFiltersAsEnd()
    judge(against: settled, at: now)
  }

  private func isIntact(_ place: SinkPort?, behind filter: Sink, in world: AudioWorld) -> Bool {
    guard let place, place.entrance == filter.index, place.sink != filter.index else { return false }
    return Condition(of: place, in: world) == .intact
  }

  private mutating func takeFiltersAsEnd() {
    hidingFilter = latest?.path?.first.index
    latest?.takesFiltersAsEnd = true
  }

  private mutating func conclude(_ reason: RouteChange.Reason, _ destination: Destination) {
    conclude(reason, destination, stream: latest?.ownInput)
    release()
  }

  @discardableResult
  private mutating func conclude(
    _ reason: RouteChange.Reason, _ destination: Destination, stream: SinkInput.Index?
  ) -> Settled {
    // If the listener has moved the sound to this sink, that is an override, even if the sink was only just plugged in.
    let isObeyed = ordered.map { destination.route?.leads(overSinkNamed: $0.sink) == true } ?? false
    report(isObeyed && reason == .newDeviceAvailable ? .override : reason, to: destination.route)
    let settled = Settled(place: destination.place, stream: stream)
    settle(settled, destination: destination)
    return settled
  }

  private mutating func concludeLoss(_ settled: Settled, _ destination: Destination) {
    report(.oldDeviceUnavailable, to: destination.route, pauses: true, isUnlinked: destination == .unlinked)
    // That order was obeyed before, or cannot be any more: if the device comes back, nobody has moved the sound there by hand.
    ordered = nil
    // If the sound does not go elsewhere yet, the lost place is kept and marked as lost. The changes that follow are consequences of this loss, and
    // are not reported.
    let isElsewhere = isElsewhere(destination, than: settled)
    let place = isElsewhere ? destination.place : settled.place
    settle(
      Settled(place: place, stream: latest?.ownInput, isLost: isElsewhere ? nil : true),
      destination: destination)
    release()
  }

  private mutating func concludeNoOutput(lost: Bool) {
    if lost { report(.oldDeviceUnavailable, to: nil, pauses: true) }
    report(.noSuitableRouteForCategory, to: nil, pauses: true)
    settle(Settled(place: nil, stream: latest?.ownInput), destination: .noOutput)
    release()
  }
}
