// SPDX-License-Identifier: MIT

/// Decides whether music sounds: from what the user wants, and from the interruptions that keep it silent.
///
/// A value without side effects. Music sounds when it is wanted and nothing holds it. An interruption adds a hold, and
/// its end removes the hold. The loss of the listener's device changes what is wanted instead. So the end of an
/// interruption never starts music that was not playing, and no further state is needed for that.
package struct Session: Sendable {
  /// How many programs' Pauses are tracked separately. One more program's Pause is a lasting pause, which its Play does not undo.
  static let toolLimit = 16

  /// How interruptions are handled. A new value applies from the next event on.
  package var settings: SessionSettings
  /// What is wanted, whether or not it is possible at the moment.
  package internal(set) var intent: Intent
  /// The interruptions that keep the music silent now, by their source.
  package internal(set) var holds: [Interruption.Source: Interruption]

  /// Whether there is an output that anyone could hear.
  var hasOutput = true
  /// Interruptions that the user has overruled and that still go on.
  var overridden: Set<Interruption.Source> = []
  var ducks: Set<Interruption.Source> = []
  var isMuted = false
  /// We have ordered our stream to be unmuted, and no reading has shown it unmuted yet.
  var isUnmuting = false
  /// The server muted our stream for a call. We have to unmute it ourselves, as the server may forget to.
  var isMutedByServer = false
  /// Our stream was made during a call, so the server may have muted it for that call.
  var wasMadeInCall = false
  /// Our stream was made during a call, and it is not known yet whether a mute of it is the server's or the user's.
  var isMuteUnclear = false
  /// When to ask the server for a stream again; nil unless it has refused to make ours.
  var refusal: Refusal?
  var awaited: AwaitedDevice?
  /// The server came back without the listener's device, and that paused the music. The loss itself is the next route
  /// change, and that one reports the pause.
  var isLossAnnounced = false
  var lastProgress = Duration.zero
  var now = Duration.zero
  var outputs: [SessionOutput] = []

  /// A lost device, and until when its return lets the music go on.
  struct AwaitedDevice {
    let device: Route.Device
    let until: Duration
  }

  /// When to ask a server for a stream again after it refused. The wait doubles with each refusal, up to a limit.
  struct Refusal {
    var wait: Duration
    var retryAt: Duration
    /// The wait is over, so the stream may be made again.
    var isRetrying = false
  }

  /// A session that plays nothing. No server is known yet, so playing has to wait for one.
  ///
  /// - Parameter intent: stopped, or paused if a state was restored.
  package init(settings: SessionSettings = SessionSettings(), intent: Intent = .stopped) {
    self.settings = settings
    self.intent = intent
    holds = [.server: Interruption(.server, isKnown: false, isTold: false)]
  }

  /// Whether music sounds: it is wanted and nothing holds it.
  package var isSounding: Bool { intent == .playing && holds.isEmpty }

  /// Whether the stream must be corked.
  package var isCorked: Bool { intent != .playing || !holds.keys.allSatisfy(letsStreamRun) }

  /// Whether listeners would say that music is playing: the only holds, if any, are those that are not announced (a
  /// look at the route, and WirePlumber's Pause).
  var isPlayingToListeners: Bool { intent == .playing && holds.keys.allSatisfy { !$0.isAnnounced } }

  /// Takes an event and returns what has to be done about it, in order. `now` must never go back.
  package mutating func handle(_ event: SessionEvent, at now: Duration) -> [SessionOutput] {
    let (wasSounding, wasCorked) = (isSounding, isCorked)
    self.now = now
    take(event)
    // Nothing is asked of the server while no music is wanted, so nothing is refused either.
    if intent != .playing { end(.refusal) }
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
