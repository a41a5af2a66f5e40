// SPDX-License-Identifier: MIT

// What becomes of the sound's way.
extension Session {
  mutating func releaseRoute() {
    end(.route)
    // It paused for what has now been found: either that was a loss and counts as one, or it was none.
    end(.wirePlumber)
  }

  mutating func follow(_ change: RouteChange) {
    let wasWanted = intent == .playing || isLossAnnounced
    defer { tell(change, wasWanted: wasWanted) }
    if change.pauses { lose(change) }
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

  /// A loss paused the music if music was wanted before it, whatever held the music up by then. A server that comes back without the
  /// device pauses already, but the loss that is told next is the reason.
  private mutating func tell(_ change: RouteChange, wasWanted: Bool) {
    let paused = change.pauses && wasWanted && intent == .paused(by: .route)
    isLossAnnounced = paused && change.reason == .mediaServicesWereReset
    outputs.append(.routeChanged(change, paused: paused && !isLossAnnounced))
  }

  private mutating func noteOutput(_ isThere: Bool) {
    hasOutput = isThere
    end(.server)
  }

  private mutating func lose(_ change: RouteChange) {
    let wasPlaying = isPlayingToListeners
    if intent == .playing { intent = .paused(by: .route) }
    outputs.append(.stopPads)
    guard wasPlaying, let wait = settings.resumeOnReturn, let device = change.previous?.device else { return }
    awaited = AwaitedDevice(device: device, until: now + wait)
  }

  private mutating func resumeOnReturn(_ change: RouteChange) {
    guard let awaited, awaited.device == change.current?.device else { return }
    self.awaited = nil
    if now <= awaited.until, intent == .paused(by: .route), isFree { intent = .playing }
  }

  /// Nothing has come between since.
  private var isFree: Bool { holds.keys.allSatisfy { !$0.isAnnounced } }

  /// With the server goes whatever it held, and what it had muted.
  private mutating func loseServer() {
    begin(.server)
    for source in [Interruption.Source.cork, .suspend, .stall, .refusal] { end(source) }
    isMutedByServer = false
    isMuteUnclear = false
    isMuted = false
  }
}
