// SPDX-License-Identifier: MIT
import AudioModel

extension RouteClassifier {
  /// Judges while the server is there: compares the last reading with what was settled, and reports a change once the
  /// reading may be believed.
  mutating func judge(against standing: Standing, at now: Duration) {
    guard let latest, let episode, episode.hasReading else { return }
    if let stop = episode.stop, isEndOfStop(stop, latest, episode) { return leave(stop, at: now) }
    let landing = Landing(latest)
    let waited = episode.goneSince.map { now - $0 } ?? .zero
    // When our stream was killed, the reading shows the default sink instead, where our sound never went. That
    // difference is no route change.
    let seen = compare(standing, with: latest, in: episode, waited: waited)
    let verdict =
      isTerminated(standing, latest) ? .quiet : seen.afterAll(hasSeenLoss: episode.hasSeenLoss)
    remember(verdict, landing)
    // A reading that is already out of date may raise an alarm but not clear one, until the 100 ms limit has passed.
    // While `isReading` is true, a newer one is on its way.
    if !isReading || now >= episode.limit { act(on: verdict, landing, standing, episode, at: now) }
  }

  private mutating func remember(_ verdict: Verdict, _ landing: Landing) {
    if verdict.isDangerous { hold() }
    if verdict == .lost { episode?.hasSeenLoss = true }
    if case .changed(let reason) = verdict {
      episode?.stop = Stop(reason: reason, landing: landing, stream: latest?.ownInput)
    }
    // The change was seen while we had no stream. The stream made since goes to the old place, so nothing has changed.
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
      // The sound is held, so there is time to wait: in a moment the server may say where the sound goes instead.
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

  /// Whether the sound went to a second device that was lost before the change to it was reported. If there was no
  /// stream, no sound went there.
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

  /// Whether somebody terminated our stream on purpose: it was killed, and its sink and port are as before.
  private func isTerminated(_ standing: Standing, _ latest: Reading) -> Bool {
    guard wasKilled, let place = standing.place else { return false }
    return Fate(of: place, in: latest.world) == .intact
  }

  /// Reads the world once more before it concludes. The last reading may be as old as the first sign of the change, and
  /// no event may have reported a link made since.
  private mutating func lookAgain(before conclude: (inout RouteClassifier) -> Void) {
    if episode?.isReadAgain == true { return conclude(&self) }
    episode?.isReadAgain = true
    if !isReading { read() }
  }

  /// Stops waiting for the link, because a session manager's policy may keep the stream unlinked for long. The settled
  /// standing stays, so that a later link is compared with it.
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
    // If the sound goes nowhere else yet, the lost place stays the settled one and is marked as lost: what comes next
    // is a consequence of this loss and not reported.
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
