// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

@testable import PlaybackLogic

@Suite("Session at random")
struct SessionRandomTests {
  private static let sources: [Interruption.Source] = [.cork, .call, .microphone, .role(.a11y)]
  private static let senders: [Sender] = [.user, .user, .user, .wirePlumber, .tool("link"), .tool("other")]

  private static let plain: [SessionEvent] = [
    .stop(by: .user), .ranOut(.finished), .ranOut(.unplayable), .userActed, .streamTerminated,
    .sleepTimerEnded, .rolesWentQuiet,
    .preparesForSleep, .wokeUp,
    .progressed, .streamRefused, .streamMade, .corkExamined, .timer, .hearsPhone(true), .hearsPhone(false),
    .settingsRead, .ownMute(true), .ownMute(false), .serverLost, .serverReset, .serverReset, .lost(.usb),
    .plugged(.usb),
    .plugged(.headphones),
    .routeChanged(RouteChange(.noSuitableRouteForCategory, from: nil, to: nil, pauses: true)),
    .routeChanged(RouteChange(.override, from: .speakers, to: .usb)),
    .routeChanged(RouteChange(.wakeFromSleep, from: .usb, to: .usb)),
  ]

  private func event(_ random: inout SeededGenerator, hasServer: Bool) -> SessionEvent {
    let source = Self.sources.randomElement(using: &random) ?? .cork
    let sender = Self.senders.randomElement(using: &random) ?? .user
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: return .play(by: sender)
    case 2: return .pause(by: sender)
    case 3: return .began(source)
    case 4: return .ended(source)
    case 5: return random.chance(50) ? .duckBegan(source) : .duckEnded(source)
    case 6: return random.chance(50) ? .routeHeld : .routeReleased(sinkIsGone: random.chance(50))
    default:
      let plain = Self.plain.randomElement(using: &random) ?? .userActed
      // A server that is away tells of nothing but its return, as its watcher does of no route.
      if case .routeChanged = plain, !hasServer { return .serverReset }
      if case .streamRefused = plain, !hasServer { return .serverReset }
      return plain
    }
  }

  @Test(
    "in 100,000 steps it sounds exactly where the plain model says, and every order comes in its turn",
    arguments: SessionCategory.allCases)
  func model(category: SessionCategory) {
    let seed: UInt64 = 2_024
    var random = SeededGenerator(seed: seed)
    var session = Session()
    session.settings.category = category
    var model = SessionModel(isAmbient: category == .ambient)
    var ledger = Ledger()
    for step in 0..<100_000 {
      let event = event(&random, hasServer: model.hasServer)
      model.handle(event)
      model.settle()
      // So short that nothing stalls: time has its own tests.
      let effects = session.handle(event, at: .microseconds(step))
      let outOfTurn = ledger.enter(effects)
      guard session.isSounding == model.sounds, outOfTurn == nil, ledger.agrees(with: session) else {
        Issue.record("seed \(seed), step \(step): \(event) gave \(session); \(model); \(outOfTurn ?? "")")
        return
      }
    }
  }
}
