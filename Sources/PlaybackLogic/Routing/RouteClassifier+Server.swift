// SPDX-License-Identifier: MIT

extension RouteClassifier {
  mutating func loseServer() {
    let (expected, wasTold) = expectation
    hold()
    if !wasTold { tell(.mediaServicesWereLost, to: nil) }
    phase = .away(expected: expected, told: true)
    forgetServer()
  }

  /// The place that has to be there again when the server is back, and whether the server's loss was reported.
  private var expectation: (Place?, told: Bool) {
    switch phase {
    case .away(let expected, let told): (expected, told)
    case .returning(let back): (back.expected, back.wasTold)
    case .serving(let standing): (standing.isLost ? nil : standing.place, false)
    }
  }

  /// Drops everything that holds the old server's index numbers. They mean nothing to the next server.
  private mutating func forgetServer() {
    episode = nil
    latest = nil
    ownSink = nil
    fresh = Freshness()
    isReading = false
    isOvertaken = false
    mayBeLinked = false
    wasKilled = false
    due = nil
  }

  mutating func findServer(makesStream: Bool, at now: Duration) {
    guard case .away(let expected, let wasTold) = phase else { return }
    phase = .returning(Return(expected: expected, wasTold: wasTold, makesStream: makesStream, since: now))
    due = now + Self.serverReturn
    read()
  }

  /// Judges while a server has just been found. Waits until the old place is there again, for two seconds at most. The
  /// first connection may land for some milliseconds on the server's stand-in for no output.
  mutating func judge(_ back: Return, at now: Duration) {
    let end = back.since + Self.serverReturn
    due = end > now ? end : nil
    guard let latest else { return }
    let landing = Landing(latest)
    let hasStream = latest.ownInput != nil || !back.makesStream
    let isBack = landing.place.map { hasStream && isExpected($0, back.expected) } ?? false
    guard isBack || now >= end else { return }
    let missing = isBack ? nil : back.expected
    let reason = back.wasTold ? RouteChange.Reason.mediaServicesWereReset : .unknown
    // On the very first connection, if there is no output, that is all there is to report.
    if back.wasTold || landing != .noOutput {
      tell(reason, to: landing.route, pauses: missing != nil)
    }
    // The route that was lost is the one from before the server went away.
    if let missing { tell(.oldDeviceUnavailable, from: missing.route, to: route, pauses: true) }
    if landing == .noOutput { tell(.noSuitableRouteForCategory, to: nil, pauses: true) }
    let lost = landing == .unlinked ? back.expected : nil
    settle(
      Standing(place: lost ?? landing.place, stream: latest.ownInput, isLost: lost == nil ? nil : true),
      landing: landing)
    release()
  }

  private func isExpected(_ place: Place, _ expected: Place?) -> Bool {
    guard let expected else { return true }
    return place.route.device == expected.route.device && !place.isUnplugged
  }
}
