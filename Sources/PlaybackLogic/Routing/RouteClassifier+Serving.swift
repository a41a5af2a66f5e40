// SPDX-License-Identifier: MIT
import AudioModel

extension RouteClassifier {
  /// While the server is there: compares the last reading with what was settled, and says so when it may be believed.
  mutating func judge(against standing: Standing, at now: Duration) {
    guard let latest, let episode, episode.hasReading else { return }
    if let stop = episode.stop, isEndOfStop(stop, latest, episode) { return leave(stop, at: now) }
    let landing = Landing(latest)
    let waited = episode.goneSince.map { now - $0 } ?? .zero
    // Without the stream the default counts, and that is no way that the sound has taken.
    let seen = compare(standing, with: latest, in: episode, waited: waited)
    let verdict =
      isTerminated(standing, latest) ? .quiet : seen.afterAll(hasSeenLoss: episode.hasSeenLoss)
    remember(verdict, landing)
    // What was overtaken may alarm, and may not calm: only after the limit is it good enough. The next reading is on its way.
    if !isReading || now >= episode.limit { act(on: verdict, landing, standing, episode, at: now) }
  }

  private mutating func remember(_ verdict: Verdict, _ landing: Landing) {
    if verdict.isDangerous { hold() }
    if verdict == .lost { episode?.hasSeenLoss = true }
    if case .changed(let reason) = verdict {
      episode?.stop = Stop(reason: reason, landing: landing, stream: latest?.ownInput)
    }
    // The stream that was made since went the old way.
    if verdict == .quiet, latest?.ownInput != nil, episode?.stop?.stream == nil { episode?.stop = nil }
  }

  private mutating func act(
    on verdict: Verdict, _ landing: Landing, _ standing: Standing, _ episode: Episode, at now: Duration
  ) {
    switch verdict {
    case .quiet: concludeQuietly(standing, landing)
    case .unlinked: wait(until: episode.limit, at: now) { $0.lookAgain { $0.concludeUnlinked() } }
    case .mayReturn(let patience): awaitReturn(within: patience, at: now)
    case .changed(let reason):
      release()
      wait(until: episode.deadline, at: now) { $0.conclude(reason, landing) }
    case .lost:
      // It is silent already, and a moment later the server may say where the sound goes instead.
      if landing == .unlinked {
        wait(until: episode.limit, at: now) { $0.lookAgain { $0.concludeLoss(standing, landing) } }
      } else {
        wait(until: episode.deadline, at: now) { $0.concludeLoss(standing, landing) }
      }
    case .noOutput(let lost):
      wait(until: episode.deadline, at: now) { $0.concludeNoOutput(lost: lost) }
    }
  }

  private func compare(_ old: Standing, with reading: Reading, in episode: Episode, waited: Duration)
    -> Verdict
  {
    Comparison(old: old, reading: reading, fresh: fresh, began: episode.began, waited: waited).verdict()
  }

  /// The sound went to a second device, and that is gone before the first change was told. Without a stream none
  /// went there.
  private func isEndOfStop(_ stop: Stop, _ latest: Reading, _ episode: Episode) -> Bool {
    guard stop.stream != nil || latest.ownInput != nil else { return false }
    let standing = Standing(place: stop.landing.place, stream: stop.stream)
    return compare(standing, with: latest, in: episode, waited: .zero).isDangerous
  }

  private mutating func leave(_ stop: Stop, at now: Duration) {
    hold()
    let standing = conclude(stop.reason, stop.landing, stream: stop.stream)
    episode = Episode(began: now, lastEvent: now, hasReading: true)
    judge(against: standing, at: now)
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

  private func isElsewhere(_ landing: Landing, than standing: Standing) -> Bool {
    guard let new = landing.place, let old = standing.place else { return false }
    return !new.isSame(as: old)
  }

  private mutating func concludeQuietly(_ standing: Standing, _ landing: Landing) {
    if let latest, isTerminated(standing, latest) { outputs.append(.terminated) }
    settle(Standing(place: landing.place, stream: latest?.ownInput), landing: landing)
    release()
  }

  /// Somebody ended our stream, and not because its sink went.
  private func isTerminated(_ standing: Standing, _ latest: Reading) -> Bool {
    guard wasKilled, let place = standing.place else { return false }
    return Fate(of: place, in: latest.world) == .intact
  }

  /// The reading may be as old as the first sign, and nothing tells of a link that came since.
  private mutating func lookAgain(before conclude: (inout RouteClassifier) -> Void) {
    if episode?.isReadAgain == true { return conclude(&self) }
    episode?.isReadAgain = true
    if !isReading { read() }
  }

  /// A session manager's policy may keep it so for long. What was settled stands, for the link that comes to be compared with.
  private mutating func concludeUnlinked() {
    forgetEpisode()
    release()
  }

  private mutating func conclude(_ reason: RouteChange.Reason, _ landing: Landing) {
    conclude(reason, landing, stream: latest?.ownInput)
    release()
  }

  @discardableResult
  private mutating func conclude(
    _ reason: RouteChange.Reason, _ landing: Landing, stream: SinkInput.Index?
  ) -> Standing {
    tell(reason, to: landing.route)
    let standing = Standing(place: landing.place, stream: stream)
    settle(standing, landing: landing)
    return standing
  }

  private mutating func concludeLoss(_ standing: Standing, _ landing: Landing) {
    tell(.oldDeviceUnavailable, to: landing.route, pauses: true)
    // Where nothing has taken its place yet, the lost one stands for it: what comes next follows from its loss.
    let isElsewhere = isElsewhere(landing, than: standing)
    let place = isElsewhere ? landing.place : standing.place
    settle(
      Standing(place: place, stream: latest?.ownInput, isLost: isElsewhere ? nil : true), landing: landing)
    release()
  }

  private mutating func concludeNoOutput(lost: Bool) {
    if lost { tell(.oldDeviceUnavailable, to: nil, pauses: true) }
    tell(.noSuitableRouteForCategory, to: nil, pauses: true)
    settle(Standing(place: nil, stream: latest?.ownInput), landing: .noOutput)
    release()
  }
}
