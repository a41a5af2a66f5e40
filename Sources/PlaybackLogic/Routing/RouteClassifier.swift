// SPDX-License-Identifier: MIT
import AudioModel

/// Tells what happened to the way that our sound takes, and whether playback has to pause for it.
///
/// A value that does nothing itself: events with their times go in, wishes come out. Whatever may mean that the listener's
/// device is gone corks first and asks afterwards; what it was is then read from the world, at latest after 100 ms, or after a
/// second where a card changes its profile. A loss is told once.
package struct RouteClassifier: Sendable {
  // What belongs together comes in bursts with pauses below this.
  static let quiet = Duration.milliseconds(50)
  static let limit = Duration.milliseconds(100)
  static let serverReturn = Duration.seconds(2)

  enum Phase {
    /// No server. Where the sound went before, if anywhere, and whether the loss has been told.
    case away(expected: Place?, told: Bool)
    /// The server answers; is the old way there again?
    case returning(Return)
    case serving(Standing)
  }

  /// A server that was found, until the way is settled.
  struct Return {
    var expected: Place?
    var wasTold: Bool
    var makesStream: Bool
    var since: Duration
  }

  /// From the first sign of a change until its verdict.
  struct Episode {
    var began: Duration
    var lastEvent: Duration
    /// A reading that was begun after the first sign is there.
    var hasReading = false
    /// The world was read once more after the limit, as nothing had told what an unlinked stream means.
    var isReadAgain = false
    /// Since when the sink has been away from a card that stays.
    var goneSince: Duration?
    /// The device was seen gone. A jack that rattles may have it back by the time of the verdict, with the sound left elsewhere.
    var hasSeenLoss = false
    /// Where the sound was let through to before that was told: it may be lost as well.
    var stop: Stop?

    /// When what was seen last may be believed.
    var deadline: Duration { min(lastEvent + RouteClassifier.quiet, limit) }
    var limit: Duration { began + RouteClassifier.limit }
  }

  /// A harmless change that has been seen and not been told.
  struct Stop {
    var reason: RouteChange.Reason
    var landing: Landing
    var stream: SinkInput.Index?
  }

  /// Where the sound goes now, as far as it is settled; nil where nobody could hear it.
  package private(set) var route: Route?

  var phase = Phase.away(expected: nil, told: false)
  var episode: Episode?
  var fresh = Freshness()
  var latest: Reading?
  /// The sink of our stream, as last heard of: its end has to cork without a question.
  var ownSink: Sink.Index?
  var isReading = false
  var isOvertaken = false
  /// Our stream changed while the world was read: where the reading shows it linked to nothing, it may be older than the link.
  var mayBeLinked = false
  var isHolding = false
  var wasKilled = false
  var outputs: [RouteOutput] = []
  var due: Duration?

  /// A classifier that knows of no server yet.
  package init() {}

  /// Takes an event and answers what has to be done about it, in order. `now` never goes back.
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
      // Its sink may be gone as well: the next stream would begin on another one.
      if killed { disturb(isReflex: true, at: now) }
    case .world(let world, let own): take(Reading(world: world, ownInput: own), at: now)
    case .wokeUp: if case .serving = phase { tell(.wakeFromSleep, to: route) }
    case .timer: judge(at: now)
    }
  }

  /// Its link comes without another sign where it had none. Whatever else happens to it says nothing of its way.
  private mutating func changeStream(at now: Duration) {
    if latest.map(Landing.init) == .unlinked { return disturb(isReflex: false, at: now) }
    mayBeLinked = isReading
  }

  /// Something happened: look what it was, and meanwhile be silent if it may have been a loss.
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

  /// From here on this is what readings are compared with.
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
