// SPDX-License-Identifier: MIT
import AudioModel

@testable import PlaybackLogic

/// A session with what it said so far. One event a second, unless a time is given.
struct Played {
  var session: Session
  private(set) var said: [SessionEffect] = []
  private var clock = Duration.zero

  /// A session whose server and route are there, with nothing said yet.
  init(_ settings: SessionSettings = SessionSettings(), playing: Bool = false) {
    session = Session(settings: settings, intent: .paused(by: .restored))
    send(.routeChanged(RouteChange(.unknown, from: nil, to: .speakers)))
    send(.streamReady(isMuted: false, serverCorks: true))
    if playing { send(.play(by: .user)) }
    said = []
  }

  mutating func send(_ events: SessionEvent...) { send(events) }

  mutating func send(_ events: [SessionEvent], after wait: Duration = .seconds(1)) {
    for event in events {
      clock += wait
      said += session.handle(event, at: clock)
      // Whatever the reason is, it is found at once.
      if event == .began(.cork) { said += session.handle(.corkExamined, at: clock) }
    }
  }

  mutating func forget() { said = [] }

  var began: [Interruption.Source] {
    said.compactMap { if case .interruptionBegan(let told) = $0 { told.source } else { nil } }
  }
  /// The sources of each interruption that ended.
  var ended: [[Interruption.Source]] {
    said.compactMap { if case .interruptionEnded(let told, _) = $0 { told.sources } else { nil } }
  }
  /// How each interruption ended.
  var ends: [InterruptionEnd] {
    said.compactMap { if case .interruptionEnded(_, let end) = $0 { end } else { nil } }
  }
  /// Which changes of the route paused the music.
  var pausedBy: [RouteChange.Reason] {
    said.compactMap { if case .routeChanged(let change, paused: true) = $0 { change.reason } else { nil } }
  }
  func count(_ effect: SessionEffect) -> Int { said.count { $0 == effect } }

  /// What the streams that wait were to follow: true for a mute, false for its end.
  var followed: [Bool] {
    said.compactMap { if case .followOwnMute(let isMuted) = $0 { isMuted } else { nil } }
  }
}

extension Route {
  static let speakers = Route(sinkName: "analog", device: Device(name: "pci", port: "speaker"))
  static let headphones = Route(
    sinkName: "analog", portKind: .headphones, isPrivate: true,
    device: Device(name: "pci", port: "headphones"))
  static let usb = Route(sinkName: "usb", isPrivate: true, device: Device(name: "usb card", port: "out"))
}

extension SessionEvent {
  static let userPlays = SessionEvent.play(by: .user)
  static let userPauses = SessionEvent.pause(by: .user)
  static func lost(_ route: Route, now: Route? = .speakers) -> SessionEvent {
    .routeChanged(RouteChange(.oldDeviceUnavailable, from: route, to: now, pauses: true))
  }
  static func plugged(_ route: Route) -> SessionEvent {
    .routeChanged(RouteChange(.newDeviceAvailable, from: .speakers, to: route))
  }
  static let serverLost = SessionEvent.routeChanged(
    RouteChange(.mediaServicesWereLost, from: .speakers, to: nil))
  static let serverReset = SessionEvent.routeChanged(
    RouteChange(.mediaServicesWereReset, from: nil, to: .speakers))
}
