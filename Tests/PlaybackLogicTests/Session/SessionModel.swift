// SPDX-License-Identifier: MIT

@testable import PlaybackLogic

/// What a session should come to, in the plainest words: compared with it after each event.
struct SessionModel {
  var isAmbient = false
  var wants = false
  var hasServer = false
  var hasOutput = true
  /// What goes on and silences us; true once the user has met with it.
  var silencers: [Interruption.Source: Bool] = [:]
  /// Signs of a call that the user has met with and plays all the same.
  var overruled: Set<Interruption.Source> = []
  var ducks: Set<Interruption.Source> = []

  var sounds: Bool { wants && hasServer && silencers.isEmpty }

  mutating func handle(_ event: SessionEvent) {
    switch event {
    case .play(by: .user): userPlays()
    case .play(let sender): sender.source.map { silencers[$0] = nil }
    case .pause(by: .user), .stop, .ranOut, .streamTerminated, .sleepTimerEnded: wants = false
    case .wanted(let intent): wants = intent == .playing
    case .pause(let sender): if wants, let source = sender.source { silencers[source] = true }
    case .began(.cork) where !overruled.isEmpty: overruled.insert(.cork)
    case .began(let source) where isAmbient: overruled.insert(source)
    case .began(let source):
      overruled.remove(source)
      if silencers[source] == nil { silencers[source] = wants }
    case .ended(let source): end(source)
    case .rolesWentQuiet: end(.cork)
    case .duckBegan(let source): ducks.insert(source)
    case .duckEnded(let source): ducks.remove(source)
    case .routeHeld: silencers[.route] = true
    case .routeReleased(let sinkIsGone):
      silencers[.route] = nil
      if sinkIsGone { silencers[.wirePlumber] = nil }
    case .routeChanged(let change): follow(change)
    case .preparesForSleep:
      if silencers[.sleep] == nil { silencers[.sleep] = wants }
      wants = false
    case .wokeUp: silencers[.sleep] = nil
    case .streamRefused: if silencers[.refusal] == nil { silencers[.refusal] = wants }
    case .streamMade: silencers[.refusal] = nil
    case .toggle, .userActed, .unknownSince, .settingsRead, .streamReady, .hearsPhone, .foundMadeInCall,
      .ownMute,
      .muteChosen,
      .progressed, .corkExamined, .corkUnwanted, .timer:
      break
    }
  }

  /// Nothing is refused while nothing is wanted.
  mutating func settle() { if !wants { silencers[.refusal] = nil } }

  private mutating func userPlays() {
    guard hasOutput else { return }
    wants = true
    let met = silencers.contains { $0.key != .route && $0.value }
    let known = Set(silencers.keys)
    for source in silencers.keys where source != .route { silencers[source] = met ? nil : true }
    if met { overruled.formUnion(known.intersection([.cork, .call])) }
  }

  private mutating func end(_ source: Interruption.Source) {
    silencers[source] = nil
    overruled.remove(source)
  }

  private mutating func follow(_ change: RouteChange) {
    if change.pauses, !isAmbient || change.current == nil { wants = false }
    if change.reason == .wakeFromSleep { return }
    hasServer = change.reason != .mediaServicesWereLost
    if !hasServer {
      [.cork, .refusal].forEach { end($0) }
    } else {
      hasOutput = change.reason != .noSuitableRouteForCategory
    }
  }
}

/// What is told comes in turns: nothing begins twice, ends before it began, or is told again.
struct Ledger {
  private var isDucked = false
  // Where the session begins without a server, that was not told.
  private var isInterrupted = false

  /// Answers what is out of turn.
  mutating func enter(_ effects: [SessionEffect]) -> String? {
    for effect in effects where !isInTurn(effect) { return "\(effect) out of turn in \(effects)" }
    return nil
  }

  private mutating func isInTurn(_ effect: SessionEffect) -> Bool {
    switch effect {
    case .duck: turn(&isDucked, to: true)
    case .unduck: turn(&isDucked, to: false)
    case .interruptionBegan: turn(&isInterrupted, to: true)
    case .interruptionEnded: turn(&isInterrupted, to: false)
    case .routeChanged, .waiting, .noOutput, .unmuteOwnStream, .muteOwnStream, .followOwnMute,
      .dropUnmadeStream, .timer:
      true
    }
  }

  private func turn(_ state: inout Bool, to value: Bool) -> Bool {
    defer { state = value }
    return state != value
  }

  /// What was told to go on is what the session holds.
  func agrees(with session: Session) -> Bool {
    session.isLookingForReason || isInterrupted == !session.interruptions.isEmpty
  }
}
