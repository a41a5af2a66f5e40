// SPDX-License-Identifier: MIT
package import PlaybackLogic

/// Decides when struck pads sound: whether they are allowed to, and when their stream is made, held back, and closed.
///
/// A value without side effects: events go in, effects come out, to be carried out in order. Pads follow the music's session, but nothing is
/// remembered for them: sounds that an interruption or a lost route has ended do not come back, and the next hit starts afresh.
package struct PadSession: Sendable {
  /// How long a stream is kept while nothing sounds. On PulseAudio a stream with a short buffer makes the music's stream wake the server often, so it
  /// is closed soon. On PipeWire it costs nothing while it is corked, and makes the next hit sound in half the time.
  package static let keptOnPulseAudio = Duration.seconds(10)
  package static let keptOnPipeWire = Duration.seconds(60)
  /// How long after the last sound a stream on PipeWire is corked: by then the server has certainly played it.
  package static let drainTime = Duration.milliseconds(250)
  /// How long the server may take to make a stream.
  package static let patience = Duration.seconds(3)
  /// How long a stream that the server has moved stays silent while it is found out whether its old output was lost.
  package static let verdictTime = Duration.milliseconds(300)
  /// How long the output is suspended before that counts: a server that opens a card at another rate suspends it for a moment.
  package static let suspensionTime = Duration.milliseconds(300)
  private static let longestRetry = Duration.seconds(15)

  private enum Stream {
    case absent, making
    /// The stream plays the sound that it gets.
    case running
    /// The stream is corked until the next hit.
    case resting
  }

  private var stream = Stream.absent
  private var surroundings = PadSurroundings()
  /// Why there is no kit; nil if there is one.
  private var kitProblem: String?
  /// Why the server made no stream at the last try.
  private var streamProblem: String?
  private var retryWait = Duration.seconds(1)
  /// Whether the server has asked that the pads' stream be silent.
  private var isCorkRequested = false
  /// Whether the server has suspended the stream's output, as it also does while nothing wants to play there.
  private var isOutputSuspended = false
  /// Whether the output stayed suspended although the stream plays. The server will play nothing before it resumes the output.
  private var isSuspended = false
  /// Whether the server has moved the stream, and it is not known yet whether the old output was lost.
  private var wasMoved = false
  /// Whether the next look at the outputs tells if the old output was lost.
  private var isJudging = false
  /// The output of the stream at the last look; nil if it is not known.
  private var place: Route?
  private var isPipeWire = false
  /// Whether pads sound, or will as soon as there is a stream.
  private var isSounding = false
  private var effects: [PadEffect] = []

  package init() {}

  /// Why a hit would be refused now; nil if it would sound.
  package var refusal: PadRefusal? {
    outerRefusal ?? streamProblem.map { .noStream($0) }
  }

  /// Why a hit would be refused, without regard to the server's refusal of a stream at the last try.
  private var outerRefusal: PadRefusal? {
    if surroundings.isServerLost { return .noServer(surroundings.serverError ?? "it does not answer") }
    if let source = surroundings.interruption ?? (isCorkRequested ? .cork : isSuspended ? .suspend : nil) {
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
    // The server may have muted the stream for the interruption, and nothing tells whether it was unmuted. So a new one is made.
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
      guard stream != .absent else { break }
      disconnect()
      // The pads are in use, so the first hit of the new kit is to be heard as fast as those before.
      if refusal == nil { connect() }
    case .fellSilent: fallSilent()
    case .ranDry: if !isSounding, isPipeWire, stream == .running { effects.append(.flush) }
    case .streamMade(let isPipeWire): streamMade(isPipeWire)
    case .streamMoved: streamMoved()
    case .outputs(let outputs): looked(at: outputs)
    case .streamEnded(let reason, let isKilled): streamEnded(reason, isKilled: isKilled)
    case .corkRequested(let isAsked): isCorkRequested = isAsked
    case .suspended(let isSuspended):
      isOutputSuspended = isSuspended
      if isSuspended { return awaitResumption() }
      (self.isSuspended, effects) = (false, effects + [.cancel(.suspension)])
    case .timer(let timer): take(timer)
    }
  }

  private mutating func take(_ timer: PadTimer) {
    switch timer {
    case .silence:
      guard !isSounding else { return }
      if isPipeWire, stream == .running { rest() } else { disconnect() }
    case .suspension: isSuspended = isOutputSuspended && stream == .running
    case .verdict:
      isJudging = true
      effects.append(.look)
    case .making:
      disconnect()
      fail("it does not make one in time")
    case .retry:
      if outerRefusal == nil, surroundings.isServerThere { return connect() }
      // No stream can be made now for another reason, so the old error counts no more. The next hit asks the server again.
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
      awaitResumption()
    }
  }

  /// Where the output is suspended and the stream plays: gives the server a moment to resume it.
  private mutating func awaitResumption() {
    if isOutputSuspended, stream == .running {
      effects.append(.timer(.suspension, after: Self.suspensionTime))
    }
  }

  /// Makes a stream if sounds wait for one and the server answers.
  private mutating func connectIfWanted() {
    if isSounding, stream == .absent, refusal == nil, surroundings.isServerThere { connect() }
  }

  private mutating func fallSilent() {
    guard isSounding else { return }
    isSounding = false
    if stream == .running { awaitNextHit() }
  }

  /// Sets the timer after which a silent stream is corked or closed.
  private mutating func awaitNextHit() {
    effects.append(.timer(.silence, after: isPipeWire ? Self.drainTime : Self.keptOnPulseAudio))
  }

  private mutating func rest() {
    stream = .resting
    let time = isPipeWire ? Self.keptOnPipeWire - Self.drainTime : Self.keptOnPulseAudio
    effects += [.cork(true), .flush, .timer(.silence, after: time)]
  }

  /// Ends all sounds at once, also those in the server's buffer.
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
    (isCorkRequested, isOutputSuspended, isSuspended) = (false, false, false)
    (wasMoved, isJudging, place) = (false, false, nil)
    effects += [.cancel(.silence), .cancel(.making), .cancel(.verdict), .cancel(.suspension)]
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
    // Only now, so that the first sound does not wait for the answer.
    effects.append(.look)
  }

  private mutating func streamEnded(_ reason: String, isKilled: Bool) {
    guard stream != .absent else { return }
    forgetStream()
    isSounding = false
    effects += [.drop, .disconnect]
    // If somebody ended the stream in a mixer, the next hit makes another one at once.
    if !isKilled, surroundings.isServerThere { fail(reason) }
  }

  /// Notes that the server made no stream. It is asked again after a wait, which becomes longer each time.
  private mutating func fail(_ reason: String) {
    isSounding = false
    streamProblem = reason
    effects += [.drop, .timer(.retry, after: retryWait)]
    retryWait = min(retryWait * 2, Self.longestRetry)
  }

  // MARK: Interruptions and routes

  /// Whether the stream is held back because it is not known yet whether its route was lost.
  private var isLooking: Bool { wasMoved || surroundings.isLookingAtRoute }

  private mutating func lookAround(_ now: PadSurroundings) {
    let wasLooking = isLooking
    surroundings = now
    if now.isServerLost, stream != .absent { disconnect() }
    if isLooking, !wasLooking, stream == .running { effects.append(.cork(true)) }
    if wasLooking { goOn() }
  }

  /// Lets sounds go on that were held back, unless there is still a reason for that.
  private mutating func goOn() {
    guard !isLooking, stream == .running, refusal == nil else { return }
    effects += [.render, .cork(false)]
  }

  private mutating func streamMoved() {
    // The stream corked itself when it was moved.
    wasMoved = true
    effects.append(.timer(.verdict, after: Self.verdictTime))
  }

  /// Takes the outputs as they were just read; nil if the server could not be read. If the stream was moved because its old output is gone, all sounds end;
  /// after any other move they go on.
  private mutating func looked(at outputs: Outputs?) {
    let former = place
    if let outputs { place = outputs.currentRoute }
    guard isJudging else { return }
    (isJudging, wasMoved) = (false, false)
    if let former, let outputs, outputs.hasLost(former) { return loseRoute() }
    // If the route classifier is still looking, the sounds go on only when it has decided.
    goOn()
  }

  /// Call when the listener's device is gone. Ends all sounds; the next hit is for somebody who hears the remaining output.
  private mutating func loseRoute() {
    isSounding = false
    effects.append(.drop)
    disconnect()
  }
}

/// The facts about the music's session and the server that `PadSession` needs.
package struct PadSurroundings: Sendable, Hashable {
  /// The interruptions of the music, whether music is wanted or not.
  package var holds: Set<Interruption.Source> = [.server]
  package var isServerThere = false
  /// Why the server could not be reached, or made no stream, at the last try; nil once a try succeeds.
  package var serverError: String?
  /// Whether there is an output that anyone could hear.
  package var hasOutput = true

  package init() {}

  /// Whether the server is known to be gone. Before the first answer it is not, and hits wait for it.
  var isServerLost: Bool { !isServerThere && serverError != nil }

  /// Whether the server refuses to make a stream for the music, so that it would make none for the pads either.
  var isRefused: Bool { holds.contains(.refusal) }

  var isLookingAtRoute: Bool { holds.contains(.route) }

  /// The interruption that also applies to pads; the most important one if there are several. A program's Pause applies to the music only, so it is
  /// left out.
  var interruption: Interruption.Source? {
    for source in [.call, .cork, .microphone, .sleep, .suspend, .stall] as [Interruption.Source]
    where holds.contains(source) { return source }
    return holds.first { if case .role = $0 { true } else { false } }
  }
}

/// Something that happened and that concerns pads.
package enum PadEvent: Sendable {
  /// A pad is struck, counted from 0. The sender has checked that there is such a pad.
  case hit(Int)
  /// Pads will be struck soon, so a stream is made already.
  case prepare
  /// All pads are to be silent.
  case stop
  /// The music's session or the server may have changed.
  case surroundings(PadSurroundings)
  /// The device that the listener heard is gone.
  case routeLost
  /// Another kit was loaded. `problem` says why there is none; nil if there is one.
  case kit(problem: String?)
  /// All sounds of the mixer have been rendered to their end.
  case fellSilent
  /// The server has played everything that it was given. PipeWire keeps what does not fill one of its cycles, and that would be heard before the next
  /// hit.
  case ranDry
  /// The server has made the pads' stream.
  case streamMade(isPipeWire: Bool)
  /// The server moved the pads' stream to another output, and the stream corked (silenced) itself.
  case streamMoved
  /// The answer to `PadEffect.look`; nil if the server could not be read.
  case outputs(Outputs?)
  /// The pads' stream is gone, or could not be made. `isKilled` is true if somebody ended it, in a mixer for example.
  case streamEnded(reason: String, isKilled: Bool)
  /// The server asks that the pads' stream be silent, or no longer does.
  case corkRequested(Bool)
  /// The server has suspended the output of the pads' stream, or has resumed it.
  case suspended(Bool)
  /// A timer that `PadEffect.timer` set has run out.
  case timer(PadTimer)
}

/// What `PadSession` has its owner do.
package enum PadEffect: Sendable, Hashable {
  /// Make the pads' stream at the sound server. The answer is the event `streamMade` or `streamEnded`.
  case connect
  /// Close the pads' stream.
  case disconnect
  /// Read which outputs there are, and to which of them the pads' stream goes. The answer is the event `outputs`.
  case look
  /// Cork the pads' stream, which silences it, or uncork it.
  case cork(Bool)
  /// Have the mixer begin the sound of this pad, counted from 0.
  case strike(Int)
  /// Write the mixer's next frames into the pads' stream.
  case render
  /// Have the mixer fade out all sounds.
  case fadeOut
  /// End all sounds in the mixer, and drop those in the server's buffer.
  case drop
  /// Make the server drop what it was given of the pads' sound and has not played.
  case flush
  /// Answer whoever struck a pad that the hit is refused.
  case refuse(PadRefusal)
  /// Tell others that hits have begun or ceased to be refused, or that the reason has changed.
  case announce
  /// Set a timer: send the event `PadEvent.timer` after this time. A later request for the same timer replaces the earlier one.
  case timer(PadTimer, after: Duration)
  case cancel(PadTimer)
}

/// What `PadSession` has timers for: it has no clock of its own, so its owner sets them and tells when one runs out.
package enum PadTimer: Sendable, Hashable, CaseIterable {
  /// Nothing has sounded for a while, so the stream is corked or closed.
  case silence
  /// The server takes too long to make the stream, so it is given up.
  case making
  /// It is time to ask the server for a stream again.
  case retry
  /// The stream was moved some time ago, so the server can be asked why.
  case verdict
  /// The output has been suspended for so long that it is not for a moment only.
  case suspension
}

/// Why a hit is not played.
package enum PadRefusal: Sendable, Hashable {
  /// No sound server answers, for this reason.
  case noServer(String)
  /// The sound server makes no stream, for this reason.
  case noStream(String)
  case noOutput
  /// This interruption needs silence.
  case interrupted(by: Interruption.Source)
  /// There is no kit, for this reason.
  case noKit(String)

  /// The reason as one word for programs. The music's state gives its reasons in the same words.
  package var word: String {
    switch self {
    case .noServer, .noStream: "server"
    case .noOutput: "no-output"
    case .interrupted(let source): source.text
    case .noKit: "kit"
    }
  }
}
