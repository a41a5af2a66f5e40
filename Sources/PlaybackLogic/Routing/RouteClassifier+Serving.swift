// SPDX-License-Identifier: MIT

extension RouteClassifier {
  /// While the server is there: compares the last reading with what was settled, and says so when it may be believed.
  mutating func judge(against standing: Standing, at now: Duration) {
    guard let latest, let episode, episode.hasReading else { return }
    let landing = Landing(latest)
    let verdict = Comparison(
      old: standing, reading: latest, fresh: fresh, began: episode.began,
      waited: episode.goneSince.map { now - $0 } ?? .zero
    ).verdict()
    if verdict.isDangerous { hold() }
    // What was overtaken may alarm, and may not calm: only at the limit is it good enough.
    if isReading, now < episode.limit {
      due = episode.limit
      return
    }
    switch verdict {
    case .quiet: concludeQuietly(standing, landing)
    case .unlinked: wait(until: episode.limit, at: now) { $0.settle(standing, landing: landing) }
    case .mayReturn(let patience): awaitReturn(within: patience, at: now)
    case .changed(let reason):
      release()
      wait(until: episode.deadline, at: now) { $0.conclude(reason, landing) }
    case .lost:
      // It is silent already, and a moment later the server may say where the sound goes instead.
      let deadline = landing == .unlinked ? episode.limit : episode.deadline
      wait(until: deadline, at: now) { $0.concludeLoss(standing, landing) }
    case .noOutput(let lost):
      wait(until: episode.deadline, at: now) { $0.concludeNoOutput(lost: lost) }
    }
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
    if wasKilled, let place = standing.place, let latest, Fate(of: place, in: latest.world) == .intact {
      outputs.append(.terminated)
    }
    let isLost = standing.isLost && !isElsewhere(landing, than: standing)
    settle(
      Standing(place: landing.place, stream: latest?.ownInput, isLost: isLost ? true : nil), landing: landing)
  }

  private mutating func conclude(_ reason: RouteChange.Reason, _ landing: Landing) {
    tell(reason, to: landing.place?.route)
    settle(Standing(place: landing.place, stream: latest?.ownInput), landing: landing)
  }

  private mutating func concludeLoss(_ standing: Standing, _ landing: Landing) {
    tell(.oldDeviceUnavailable, to: landing.place?.route, pauses: true)
    // Where nothing has taken its place yet, the lost one stands for it: what comes next follows from its loss.
    let isElsewhere = isElsewhere(landing, than: standing)
    let place = isElsewhere ? landing.place : standing.place
    settle(
      Standing(place: place, stream: latest?.ownInput, isLost: isElsewhere ? nil : true), landing: landing)
  }

  private mutating func concludeNoOutput(lost: Bool) {
    if lost { tell(.oldDeviceUnavailable, to: nil, pauses: true) }
    tell(.noSuitableRouteForCategory, to: nil, pauses: true)
    settle(Standing(place: nil, stream: latest?.ownInput), landing: .noOutput)
  }
}
