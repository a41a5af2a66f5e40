// SPDX-License-Identifier: MIT
import AudioModel

/// Finds out what happened to the route of our sound, and whether playback has to pause for it.
///
/// A value without side effects: events come in with their times, requests come out. If an event may mean that the
/// listener's device is gone, the classifier first asks for a cork and then reads the server's world to see what
/// happened. It decides within about 100 ms, or within two seconds if a card changes its profile. It reports a loss once.
package struct RouteClassifier: Sendable {
  // The events of one change come in bursts, with pauses shorter than this.
  static let quiet = Duration.milliseconds(50)
  static let limit = Duration.milliseconds(100)
  static let serverReturn = Duration.seconds(2)

  enum Phase {
    /// There is no server. `expected` is where the sound went before, if anywhere; `told` is true if the server's loss
    /// was reported.
    case away(expected: Place?, told: Bool)
    /// The server answers again, and we wait for the old place to be there again.
    case returning(Return)
    case serving(Standing)
  }

  /// A server that was found, while the route on it is not settled yet.
  struct Return {
    var expected: Place?
    var wasTold: Bool
    var makesStream: Bool
    var since: Duration
  }

  /// The time from the first sign of a change until the decision about it.
  struct Episode {
    var began: Duration
    var lastEvent: Duration
    /// Whether a reading has arrived since the first sign.
    var hasReading = false
    /// Whether the world was read once more after the limit, because our stream was still linked to nothing.
    var isReadAgain = false
    /// Since when the sink has been gone while its card stays; nil if that is not so.
    var goneSince: Duration?
    /// Whether a reading showed the device gone. A loose jack may be back at the time of the decision, with the sound
    /// left elsewhere.
    var hasSeenLoss = false
    /// A harmless change that was seen but not yet reported. The sound may go to that device already, so it can be lost as well.
    var stop: Stop?

    /// The time from which the latest reading may be believed.
    var deadline: Duration { min(lastEvent + RouteClassifier.quiet, limit) }
    var limit: Duration { began + RouteClassifier.limit }
  }

  /// A harmless change that was seen but not yet reported: its reason, where the sound went, and our stream then.
  struct Stop {
    var reason: RouteChange.Reason
    var landing: Landing
    var stream: SinkInput.Index?
  }

  /// The current route as it was last reported or settled; nil if there is none that anyone could hear.
  package private(set) var route: Route?

  var phase = Phase.away(expected: nil, told: false)
  var episode: Episode?
  var fresh = Freshness()
  var latest: Reading?
  /// The sink of our stream, as last reported. If it is removed, we ask for a cork at once, before any reading.
  var ownSink: Sink.Index?
  var isReading = false
  var isOvertaken = false
  /// Our stream changed while the world was being read. If the reading shows it linked to nothing, the reading may be
  /// older than the link.
  var mayBeLinked = false
  var isHolding = false
  var wasKilled = false
  var outputs: [RouteOutput] = []
  var due: Duration?

  /// A classifier that knows of no server yet.
  package init() {}

  /// Takes an event and returns what has to be done about it, in order. `now` must never go back.
  package mutating func handle(_ event: RouteEvent, at now: Duration) -> [RouteOutput] {
    let dueBefore = due
    take(event, at: now)
    if let due, due != dueBefore || event == .timer { outputs.append(.timer(after: max(.zero, due - now))) }
    defer { outputs = [] }
    return outputs
  }

  private mutating func take(_ event: RouteEvent, at now: Duration) {
    switch event {
    case .serverLost: loseServer()
    case .serverFound(let makesStream): findServer(makesStream: makesStream, at: now)
    case .moved(let sink):
      ownSink = sink
      disturb(isReflex: true, at: now)
    case .sink(.removed, let sink): disturb(isReflex: sink == ownSink, at: now)
    case .sink, .card, .serverChanged, .streamReady: disturb(isReflex: false, at: now)
    case .streamChanged: changeStream(at: now)
    case .streamEnded(let killed):
      wasKilled = wasKilled || killed
      // Hold until we know: the stream's sink may be gone as well, and then the next stream would begin on another one.
      if killed { disturb(isReflex: true, at: now) }
    case .world(let world, let own): take(Reading(world: world, ownInput: own), at: now)
    case .wokeUp: if case .serving = phase { tell(.wakeFromSleep, to: route) }
    case .timer: judge(at: now)
    }
  }

  /// Our stream was linked, corked or muted. If it had no link, this event is the only sign of a new one, so the world
  /// is read. Otherwise the event says nothing about the route.
  private mutating func changeStream(at now: Duration) {
    if latest.map(Landing.init) == .unlinked { return disturb(isReflex: false, at: now) }
    mayBeLinked = isReading
  }

  /// Something happened, so the world is read. `isReflex` is true if it may have been a loss: then the sound is held meanwhile.
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
    if let latest { fresh.note(from: latest.world, to: reading.world, at: now) }
    latest = reading
    if let place = Landing(reading).place { ownSink = place.sink }
    let isOlderThanLink = mayBeLinked && Landing(reading) == .unlinked
    if isOvertaken || isOlderThanLink { read() }
    episode?.hasReading = true
    judge(at: now)
  }

  private mutating func judge(at now: Duration) {
    due = nil
    switch phase {
    case .away: break
    case .returning(let back): judge(back, at: now)
    case .serving(let standing): judge(against: standing, at: now)
    }
  }

  // MARK: What both halves say

  mutating func read() {
    isReading = true
    isOvertaken = false
    mayBeLinked = false
    outputs.append(.readWorld)
  }

  mutating func hold() {
    guard !isHolding else { return }
    isHolding = true
    outputs.append(.hold)
  }

  mutating func release() {
    guard isHolding else { return }
    isHolding = false
    outputs.append(.release)
  }

  mutating func tell(_ reason: RouteChange.Reason, to current: Route?, pauses: Bool = false) {
    tell(reason, from: route, to: current, pauses: pauses)
  }

  mutating func tell(
    _ reason: RouteChange.Reason, from previous: Route?, to current: Route?, pauses: Bool
  ) {
    outputs.append(.change(RouteChange(reason, from: previous, to: current, pauses: pauses)))
    route = current
  }

  /// Ends the episode. Later readings are compared with this standing.
  mutating func settle(_ standing: Standing, landing: Landing) {
    phase = .serving(standing)
    route = landing.route
    forgetEpisode()
  }

  mutating func forgetEpisode() {
    episode = nil
    due = nil
    wasKilled = false
  }
}
