// SPDX-License-Identifier: MIT
package import PlaybackLogic

/// Decides when struck pads sound: whether they may, when their stream is made, held, and given up.
///
/// A value without side effects: events go in, effects come out, in the order in which they are to be carried out. Pads follow the
/// music's session, but have no intent of their own: what an interruption or a lost route has ended does not come back, and the next
/// hit is a new beginning.
package struct PadSession: Sendable {
  /// How long a stream is kept while nothing sounds. On PulseAudio a stream with a short buffer makes the music's stream wake the server
  /// often, so it goes soon. On PipeWire it costs nothing as long as it is corked, and the next hit sounds in half the time.
  package static let keptOnPulseAudio = Duration.seconds(10)
  package static let keptOnPipeWire = Duration.seconds(60)
  /// How long after the last sound a stream on PipeWire is corked: when the server has certainly played what it has.
  package static let drainTime = Duration.milliseconds(250)
  /// How long the server may take to make a stream.
  package static let patience = Duration.seconds(3)
  /// How long a stream that the server moved waits to hear whether its old output was lost.
  package static let verdictTime = Duration.milliseconds(300)
  private static let longestRetry = Duration.seconds(15)

  private enum Stream {
    case absent, making
    /// Sounds what it is given.
    case running
    /// Corked until the next hit.
    case resting
  }

  private var stream = Stream.absent
  private var surroundings = PadSurroundings()
  /// Why there is no kit; nil if there is one.
  private var kitProblem: String?
  /// Why the server made no stream the last time.
  private var streamProblem: String?
  private var retryWait = Duration.seconds(1)
  /// Whether the server asked our own stream to be silent.
  private var isCorkRequested = false
  /// Whether the server moved the stream, and it is not known yet whether the old output was lost.
  private var wasMoved = false
  private var isPipeWire = false
  /// Whether the pads sound, or should as soon as there is a stream.
  private var isSounding = false
  private var effects: [PadEffect] = []

  package init() {}

  /// Why a hit would be refused now; nil if it would sound.
  package var refusal: PadRefusal? {
    outerRefusal ?? streamProblem.map { .noStream($0) }
  }

  /// Why a hit would be refused, apart from what the server said the last time that it was asked for a stream.
  private var outerRefusal: PadRefusal? {
    if surroundings.isServerLost { return .noServer(surroundings.serverError ?? "it does not answer") }
    if let source = surroundings.interruption ?? (isCorkRequested ? .cork : nil) {
      return .interrupted(by: source)
    }
    if !surroundings.hasOutput { return .noOutput }
    if surroundings.isRefused { return .noStream(surroundings.serverError ?? "it has too many") }
    return kitProblem.map { .noKit($0) }
  }

  /// Takes an event and returns the effects to carry out, in order.
  package mutating func handle(_ event: PadEvent) -> [PadEffect] {
    effects = []
    let before = refusal
    take(event)
    let now = refusal
    if before == nil, now != nil { silence() }
    // A stream from before an interruption may have been muted for it, and nothing says whether it was unmuted.
    if case .interrupted? = before, now == nil { disconnect() }
    if before != now { effects.append(.announce) }
    connectIfWanted()
    return effects
  }

  private mutating func take(_ event: PadEvent) {
    switch event {
    case .hit(let pad): hit(pad)
    case .prepare: if refusal == nil, stream == .absent { connect() }
    case .stop: effects.append(.fadeOut)
    case .surroundings(let now): lookAround(now)
    case .routeLost: loseRoute()
    case .kit(let problem):
      kitProblem = problem
      isSounding = false
      if stream != .absent { disconnect() }
    case .fellSilent: fallSilent()
    case .ranDry: if !isSounding, isPipeWire, stream == .running { effects.append(.flush) }
    case .streamMade(let isPipeWire): streamMade(isPipeWire)
    case .streamMoved: streamMoved()
    case .streamEnded(let reason, let isKilled): streamEnded(reason, isKilled: isKilled)
    case .corkRequested(let isAsked): isCorkRequested = isAsked
    case .timer(let timer): take(timer)
    }
  }

  private mutating func take(_ timer: PadTimer) {
    switch timer {
    case .silence:
      guard !isSounding else { return }
      if isPipeWire, stream == .running { rest() } else { disconnect() }
    case .verdict:
      // The classifier of routes is still at it, and will say when it is done.
      wasMoved = false
      goOn()
    case .making:
      disconnect()
      fail("it does not make one in time")
    case .retry:
      if outerRefusal == nil, surroundings.isServerThere { return connect() }
      // Nothing sounds now in any case, and the next hit asks the server again.
      streamProblem = nil
    }
  }

  // MARK: Hits

  private mutating func hit(_ pad: Int) {
    if let refusal { return effects.append(.refuse(refusal)) }
    isSounding = true
    effects.append(.strike(pad))
    switch stream {
    case .absent, .making: break
    case .running: if !isLooking { effects += [.cancel(.silence), .render] }
    case .resting:
      stream = .running
      effects.append(.cancel(.silence))
      if !isLooking { effects += [.render, .cork(false)] }
    }
  }

  /// Makes the stream for sounds that wait for one, as soon as there is a server.
  private mutating func connectIfWanted() {
    if isSounding, stream == .absent, refusal == nil, surroundings.isServerThere { connect() }
  }

  private mutating func fallSilent() {
    guard isSounding else { return }
    isSounding = false
    if stream == .running { awaitNextHit() }
  }

  /// Sets the time after which a silent stream rests or is given up.
  private mutating func awaitNextHit() {
    effects.append(.timer(.silence, after: isPipeWire ? Self.drainTime : Self.keptOnPulseAudio))
  }

  private mutating func rest() {
    stream = .resting
    let time = isPipeWire ? Self.keptOnPipeWire - Self.drainTime : Self.keptOnPulseAudio
    effects += [.cork(true), .flush, .timer(.silence, after: time)]
  }

  /// Ends what sounds, at once, and what the server has of it.
  private mutating func silence() {
    isSounding = false
    effects.append(.drop)
    if stream == .running { rest() }
  }

  // MARK: The stream

  private mutating func connect() {
    guard surroundings.isServerThere else { return }
    stream = .making
    effects += [.cancel(.retry), .connect, .timer(.making, after: Self.patience)]
  }

  private mutating func disconnect() {
    guard stream != .absent else { return }
    forgetStream()
    effects.append(.disconnect)
  }

  private mutating func forgetStream() {
    stream = .absent
    isCorkRequested = false
    wasMoved = false
    effects += [.cancel(.silence), .cancel(.making), .cancel(.verdict)]
  }

  private mutating func streamMade(_ isPipeWire: Bool) {
    guard stream == .making else { return }
    self.isPipeWire = isPipeWire
    streamProblem = nil
    retryWait = .seconds(1)
    stream = .running
    effects.append(.cancel(.making))
    if isLooking { effects.append(.cork(true)) }
    if isSounding { effects.append(.render) } else { awaitNextHit() }
  }

  private mutating func streamEnded(_ reason: String, isKilled: Bool) {
    guard stream != .absent else { return }
    forgetStream()
    isSounding = false
    effects += [.drop, .disconnect]
    // Somebody ended it in a mixer: the next hit makes another.
    if !isKilled, surroundings.isServerThere { fail(reason) }
  }

  /// Notes that the server makes no stream. It is asked again after a while, which becomes longer each time.
  private mutating func fail(_ reason: String) {
    isSounding = false
    streamProblem = reason
    effects += [.drop, .timer(.retry, after: retryWait)]
    retryWait = min(retryWait * 2, Self.longestRetry)
  }

  // MARK: Interruptions and routes

  /// Whether the stream is held because it is not known yet whether its route was lost.
  private var isLooking: Bool { wasMoved || surroundings.isLookingAtRoute }

  private mutating func lookAround(_ now: PadSurroundings) {
    let wasLooking = isLooking
    surroundings = now
    if now.isServerLost, stream != .absent { disconnect() }
    if isLooking, !wasLooking, stream == .running { effects.append(.cork(true)) }
    if wasLooking { goOn() }
  }

  /// Lets sounds go on that were held, unless there is still a reason to hold them.
  private mutating func goOn() {
    guard !isLooking, stream == .running, refusal == nil else { return }
    effects += [.render, .cork(false)]
  }

  private mutating func streamMoved() {
    // It was corked as it was moved.
    wasMoved = true
    effects.append(.timer(.verdict, after: Self.verdictTime))
  }

  /// The listener's device is gone. The next hit is for whoever hears the output that is left.
  private mutating func loseRoute() {
    isSounding = false
    effects.append(.drop)
    disconnect()
  }
}

/// What `PadSession` has to know of the music's session and of the server.
package struct PadSurroundings: Sendable, Hashable {
  /// What keeps music silent, if it is wanted or not.
  package var holds: Set<Interruption.Source> = [.server]
  package var isServerThere = false
  /// Why the server could not be reached, or made no stream, the last time; nil if it has been found since.
  package var serverError: String?
  /// Whether there is an output that anyone could hear.
  package var hasOutput = true

  package init() {}

  /// Whether the server is known to be gone. Before the first answer it is not, and a hit waits for it.
  var isServerLost: Bool { !isServerThere && serverError != nil }

  /// Whether the server makes no stream for the music, and so none for us.
  var isRefused: Bool { holds.contains(.refusal) }

  var isLookingAtRoute: Bool { holds.contains(.route) }

  /// What the listener or the machine needs silence for; the most important if there are several. A program's Pause is meant for the
  /// music alone.
  var interruption: Interruption.Source? {
    for source in [.call, .cork, .microphone, .sleep, .suspend, .stall] as [Interruption.Source]
    where holds.contains(source) { return source }
    return holds.first { if case .role = $0 { true } else { false } }
  }
}

/// Something that happened and that concerns pads.
package enum PadEvent: Sendable {
  /// A pad is struck, counted from 0. Whoever sends it has looked whether there is such a pad.
  case hit(Int)
  /// Pads will be struck soon.
  case prepare
  /// All pads are to be silent.
  case stop
  /// The music's session or the server may have changed.
  case surroundings(PadSurroundings)
  /// The device that the listener heard is gone.
  case routeLost
  /// Another kit is there, or none for this reason.
  case kit(problem: String?)
  /// Everything that was struck has been rendered.
  case fellSilent
  /// The server has played what it was given. PipeWire keeps a rest of less than a quantum, which would be heard before the next hit.
  case ranDry
  /// The server has made the stream.
  case streamMade(isPipeWire: Bool)
  /// The server moved the stream to another output, and the stream corked itself.
  case streamMoved
  /// The stream is gone, or could not be made. `isKilled` is true if somebody had it ended.
  case streamEnded(reason: String, isKilled: Bool)
  /// The server asks our stream to be silent, or no longer does.
  case corkRequested(Bool)
  /// A timer that was asked for has run out.
  case timer(PadTimer)
}

/// What a session of pads wants done.
package enum PadEffect: Sendable, Hashable {
  /// Make the stream. The answer is `streamMade` or `streamEnded`.
  case connect
  /// Give the stream up.
  case disconnect
  /// Cork the stream, or uncork it.
  case cork(Bool)
  /// Strike a pad in the mixer.
  case strike(Int)
  /// Give the stream what the mixer has now.
  case render
  /// Let everything fade out.
  case fadeOut
  /// End everything in the mixer, and what the server has of it.
  case drop
  /// Have the server throw away what it has.
  case flush
  /// The hit is refused.
  case refuse(PadRefusal)
  /// Whether pads can be struck, or why not, is another than before.
  case announce
  /// Send `timer` after this time. A later request for the same timer replaces the earlier one.
  case timer(PadTimer, after: Duration)
  case cancel(PadTimer)
}

/// The timers that `PadSession` asks for.
package enum PadTimer: Sendable, Hashable, CaseIterable {
  /// Nothing has sounded for a while.
  case silence
  /// The server takes long to make the stream.
  case making
  /// The server is asked again for a stream.
  case retry
  /// Nobody said that the output from which the stream was moved is lost.
  case verdict
}

/// Why a hit is not played.
package enum PadRefusal: Sendable, Hashable {
  /// No sound server answers, for this reason.
  case noServer(String)
  /// The sound server makes no stream, for this reason.
  case noStream(String)
  /// There is nothing to sound on.
  case noOutput
  /// Something needs silence.
  case interrupted(by: Interruption.Source)
  /// There is no kit, for this reason.
  case noKit(String)

  /// One word for programs, as in `why` of the music's state.
  package var word: String {
    switch self {
    case .noServer, .noStream: "server"
    case .noOutput: "no-output"
    case .interrupted(let source): source.text
    case .noKit: "kit"
    }
  }
}
