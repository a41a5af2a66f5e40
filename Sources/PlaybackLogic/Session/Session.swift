// SPDX-License-Identifier: MIT

/// Why there is sound, or none: what the user wants, and what holds it up.
///
/// A value that does nothing itself. Music is heard when it is wanted and nothing holds it: an interruption adds a hold and its end
/// takes it away; the loss of the listener's device changes what is wanted. So nothing is resumed that was not playing, and
/// nothing has to be remembered for it.
package struct Session: Sendable {
  /// More programs than this are not kept apart; the next one's Pause is for good.
  static let toolLimit = 16

  /// How interruptions are dealt with. Another value counts from the next event on.
  package var settings: SessionSettings
  /// What is wanted.
  package internal(set) var intent: Intent
  /// What holds it up, by source.
  package internal(set) var holds: [Interruption.Source: Interruption]

  /// Whether there is an output that anyone could hear.
  var hasOutput = true
  /// Interruptions that the user has ended for us, while they still go on.
  var overridden: Set<Interruption.Source> = []
  var ducks: Set<Interruption.Source> = []
  var isMuted = false
  /// The end of its mute was ordered, and not yet read.
  var isUnmuting = false
  /// The server muted our stream for a call, and may forget to unmute it.
  var isMutedByServer = false
  /// Our stream was made during a call, and so may be muted for it.
  var wasMadeInCall = false
  /// Whose mute such a stream has is not known yet.
  var isMuteUnclear = false
  /// How the server's refusal of our stream is dealt with, while it lasts.
  var refusal: Refusal?
  var awaited: AwaitedDevice?
  /// The server came back without the listener's device and so paused the music; the loss itself is told next.
  var isLossAnnounced = false
  var lastProgress = Duration.zero
  var now = Duration.zero
  var outputs: [SessionOutput] = []

  /// A lost device whose return lets the music go on.
  struct AwaitedDevice {
    let device: Route.Device
    let until: Duration
  }

  /// A server that makes no stream for us is asked again after a while, each time after a longer one.
  struct Refusal {
    var wait: Duration
    var retryAt: Duration
    /// It is being asked now.
    var isRetrying = false
  }

  /// A session that plays nothing and knows of no server yet, so that playing waits for one.
  ///
  /// - Parameter intent: stopped, or paused where something was restored.
  package init(settings: SessionSettings = SessionSettings(), intent: Intent = .stopped) {
    self.settings = settings
    self.intent = intent
    holds = [.server: Interruption(.server, isKnown: false, isTold: false)]
  }

  /// Music is heard.
  package var isSounding: Bool { intent == .playing && holds.isEmpty }

  /// The stream must not run.
  package var isCorked: Bool { intent != .playing || !holds.keys.allSatisfy(letsStreamRun) }

  /// Music would be heard but for a look at the route, and for the Pause of whoever looks at it as well.
  var isPlayingToListeners: Bool { intent == .playing && holds.keys.allSatisfy { !$0.isAnnounced } }

  /// Takes an event and answers what has to be done about it, in order. `now` never goes back.
  package mutating func handle(_ event: SessionEvent, at now: Duration) -> [SessionOutput] {
    let (wasSounding, wasCorked) = (isSounding, isCorked)
    self.now = now
    take(event)
    if isSounding, !wasSounding { startWatching() }
    if isSounding != wasSounding { outputs.append(.sounding(isSounding)) }
    if isCorked != wasCorked { outputs.insert(.corked(isCorked), at: isCorked ? 0 : outputs.endIndex) }
    defer { outputs = [] }
    return outputs
  }

  private mutating func take(_ event: SessionEvent) {
    switch event {
    case .play(let sender): play(by: sender)
    case .pause(let sender): pause(by: sender)
    case .toggle(let sender): state.mpris == .playing ? pause(by: sender) : play(by: sender)
    case .stop, .finished: stop()
    case .userActed: awaited = nil
    case .wanted(let intent): self.intent = intent
    case .began(let source): begin(source)
    case .ended(let source): end(source)
    case .duckBegan(let source): duck(source)
    case .duckEnded(let source): unduck(source)
    case .rolesWentQuiet: end(.cork)
    case .streamMade: meetStream()
    case .streamRefused: waitForRoom()
    case .streamReady(let isMuted, let serverCorks): look(isMuted: isMuted, serverCorks: serverCorks)
    case .ownMute(let isMuted): hear(isMuted: isMuted)
    case .progressed: progress()
    case .streamTerminated: rest(because: .terminated)
    case .routeHeld: begin(.route)
    case .routeReleased: releaseRoute()
    case .routeChanged(let change): follow(change)
    case .preparesForSleep: fallAsleep()
    case .wokeUp: end(.sleep)
    case .timer: if isSounding { watchProgress() } else { retryStream() }
    }
  }
}
