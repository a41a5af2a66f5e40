// SPDX-License-Identifier: MIT

// Route changes, and the loss and return of devices and of the server.
extension Session {
  mutating func releaseRoute() {
    end(.route)
    // WirePlumber paused us because an output went away. The classifier has now found out what that was: a loss has
    // paused the music already, and anything else is no reason to stay silent.
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

  /// Reports the route change. `paused` is true if music was wanted before the loss, even if something else already
  /// kept it silent. A server that comes back without the device pauses the music at once, but the pause is reported
  /// with the loss that follows.
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

  /// Whether no announced interruption is going on.
  private var isFree: Bool { holds.keys.allSatisfy { !$0.isAnnounced } }

  /// A lost server takes its cork, suspension, stall and refusal with it, and also its mute of our stream.
  private mutating func loseServer() {
    begin(.server)
    for source in [Interruption.Source.cork, .suspend, .stall, .refusal] { end(source) }
    isMutedByServer = false
    isMuteUnclear = false
    isMuted = false
  }
}
