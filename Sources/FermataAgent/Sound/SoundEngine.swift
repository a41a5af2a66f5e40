// SPDX-License-Identifier: MIT
package import AgentLoop
package import AudioModel
package import DecodeIO
package import PulseIO

/// Plays requests: the producer's frames go into a stream, and what is heard of them is reported.
///
/// It decides nothing: its owner orders what is played, what follows it and whether it sounds. The engine knows where in the sound
/// the listener is. Orders take effect at once and none blocks. One stream is heard at a time; a second one is made ready if the next
/// track has another format. Loop only; `stop` lets go of everything.
@AgentLoop
package final class SoundEngine {
  private let server: PulseServer
  private let properties: [String: String]
  private var producer: SoundProducer?
  /// The first output is heard. The others wait for its end: their streams are corked, which makes no sound and keeps what is in them.
  private var outputs: [Output] = []
  /// The output before the present one. The server may still be playing the last of it, so it is kept for a moment.
  private var former: Output?
  /// The request that was ordered and has not been opened yet.
  private var starting: SoundRequest?
  private var listener = Listener()
  /// The position to report while nothing better is known.
  private var fallback: (play: PlayID, position: Duration)?
  /// The playing after which, as far as the producer knows, nothing follows.
  private var exhausted: PlayID?
  /// The errors of playings that broke off, until the listener has heard their ends.
  private var breaks: [PlayID: DecodeError] = [:]
  /// Whether the last frame was heard and nothing follows.
  private var isOver = false
  private var boundary: LoopTimer?
  private(set) var ahead = Ahead()
  /// The thread for work that may block; without it nothing is prepared.
  private let thread: BlockingThread?

  /// Whether the stream is to be heard. False is silence at once; true goes on from there.
  package var isSounding = false {
    didSet { if isSounding != oldValue { soundingChanged() } }
  }

  /// The stream's volume as it is wanted; nil leaves it to what the server remembers.
  package var volume: Double?

  /// Whether streams made from now on start muted; nil leaves it to what the server remembers.
  package var isMuted: Bool?

  /// What mixers show that the streams play.
  var name = "Music" {
    didSet {
      guard name != oldValue else { return }
      for stream in outputs.compactMap(\.stream) { stream.setName(name) }
    }
  }

  /// The output that streams made from now on go to; nil lets the server choose.
  package var sink: String?

  /// For how long the place in the sound is reckoned by the machine's clock before the server is asked again. A sound card has a clock of
  /// its own, and in an hour the two may differ by a third of a second.
  package var trustInClock = Duration.seconds(60)

  /// Called on the loop with what the engine reports; never from within an order.
  package var report: @AgentLoop (Report) -> Void = { _ in }

  /// An engine that plays on `server`, in streams with these properties. It prepares what comes next on `thread`.
  package init(server: PulseServer, properties: [String: String], thread: BlockingThread? = nil) {
    self.server = server
    self.properties = properties
    self.thread = thread
  }

  // MARK: Orders

  /// Drops what is heard and plays `request` instead; sound follows as soon as its first frames are decoded.
  package func play(_ request: SoundRequest) {
    former = nil
    outputs.removeSubrange(min(1, outputs.count)...)
    outputs.first?.clear()
    starting = request
    listener = Listener()
    exhausted = nil
    breaks = [:]
    isOver = false
    fallback = (request.id, request.start)
    boundary?.cancel()
    let producer = producer ?? makeProducer()
    self.producer = producer
    if let prepared = ahead.take(request) {
      begin(prepared, as: request, by: producer)
    } else {
      producer.play(request)
    }
  }

  private func makeProducer() -> SoundProducer {
    // The producer's thread refers to the engine by this closure only, which does nothing but start a task on the loop.
    SoundProducer { [weak self] in AgentLoop.task { self?.handleEvents() } }
  }

  /// Says what comes after a playing, without a gap if both have the same format; nil if nothing does, whatever was said before.
  package func follow(_ play: PlayID, with request: SoundRequest?) {
    producer?.follow(play, with: request)
    ahead.expect(request)
    prepareSoon()
  }

  /// Ends all sound, the streams and the producer's thread.
  package func stop() {
    producer?.stop()
    producer = nil
    ahead.forget()
    former = nil
    outputs = []
    starting = nil
    listener = Listener()
    fallback = nil
    exhausted = nil
    breaks = [:]
    boundary?.cancel()
  }

  /// Sets the volume, a fraction of the full one; streams made later have it from their beginning.
  package func setVolume(_ fraction: Double) async throws(PulseError) {
    volume = fraction
    try await forEachStream { stream throws(PulseError) in try await stream.setVolume(fraction) }
  }

  /// Mutes or unmutes the streams; those made later start so.
  func setMuted(_ isMuted: Bool) async throws(PulseError) {
    self.isMuted = isMuted
    try await forEachStream { stream throws(PulseError) in try await stream.setMuted(isMuted) }
  }

  /// Moves the streams to another output; those made later go there as well.
  func move(toSink name: String) async throws(PulseError) {
    sink = name
    try await forEachStream { stream throws(PulseError) in try await stream.move(toSink: name) }
  }

  /// Gives every stream an order. If one refuses it, the others get it all the same; the first error is thrown then.
  private func forEachStream(
    _ order: @AgentLoop (PlaybackStream) async throws(PulseError) -> Void
  ) async throws(PulseError) {
    var first: PulseError?
    for stream in outputs.compactMap(\.stream) {
      do throws(PulseError) { try await order(stream) } catch { first = first ?? error }
    }
    if let first { throw first }
  }

  /// Whether something was ordered that was not opened yet.
  private var isBeginning: Bool { starting != nil }

  /// The stream that is heard; nil if there is none. The server may not have made it yet.
  package var stream: PlaybackStream? { outputs.first?.stream }

  // MARK: Where the listener is

  /// Which playing is heard at this moment, and the place in its track; nil if there is none.
  package var position: (play: PlayID, position: Duration)? {
    if starting != nil { return fallback }
    guard let output = outputs.first, let frame = output.heard(at: AgentLoop.now),
      let (play, trackFrame) = table(of: output).place(of: frame)
    else { return fallback }
    return (play, output.format.duration(ofFrames: max(0, trackFrame)))
  }

  /// Asks the server anew how far the sound is, so that `position` is exact.
  package func refreshPosition() async { await outputs.first?.updateTiming() }
}

// Handles what the producer tells.
extension SoundEngine {
  /// How much a stream needs before it begins to sound: no more than a decoder's first piece.
  private nonisolated static let startLength = Duration.milliseconds(150)

  private func handleEvents() { for event in producer?.takeEvents() ?? [] { handle(event) } }

  private func handle(_ event: ProducerEvent) {
    switch event {
    case .began(let part, let segment): began(part, in: segment)
    case .more(let segment): outputs.first { $0.contains(segment) }?.refill()
    case .failed(let play, let error):
      if starting?.id == play { starting = nil }
      report(.failed(play: play, error))
    case .exhausted(let play) where isLost(play): break
    case .broke(let play, let error):
      // Failures are forgotten if their playing is in no output any more: it was taken back, or left before its end.
      breaks = breaks.filter { broken, _ in outputs.contains { $0.contains(broken) } }
      breaks[play] = error
    case .exhausted(let play):
      exhausted = play
      outputs.last?.finish()
      watchBoundary()
    case .cut(let segment, let frame): cut(segment, at: frame)
    }
  }

  /// Whether a playing will not be heard, because its stream could not be made.
  private func isLost(_ play: PlayID) -> Bool {
    guard let last = exhausted, last != play else { return false }
    return !outputs.contains { $0.contains(play) }
  }

  private func began(_ part: SoundSegment.Part, in segment: SoundSegment) {
    let length = part.length.frames.map { segment.format.duration(ofFrames: $0) }
    report(
      .opened(
        play: part.track, length: length, isExact: part.length.exactFrames != nil, coding: part.coding))
    starting = nil
    exhausted = nil
    isOver = false
    prepareSoon()
    if let output = outputs.first(where: { $0.contains(segment) }) {
      if output.timing == nil { sync(output) }
      return watchBoundary()
    }
    if let last = outputs.last, last.format == segment.format {
      last.append(segment)
      last.refill()
      // A stream that was cleared, and filled again before it ran dry, reports nothing by itself, so it is asked.
      if last.timing == nil { sync(last) }
    } else {
      // An output that was cleared is dropped at once; any other is heard to its end first.
      if outputs.first?.isEmpty == true { outputs = [] }
      outputs.last?.finish()
      open(Output(format: segment.format) { [weak self] in self?.tookFrames(wantsMore: $0) }, for: segment)
    }
    watchBoundary()
  }

  private func open(_ output: Output, for segment: SoundSegment) {
    output.append(segment)
    var settings = PlaybackStream.Settings(name: name, format: segment.format)
    // The server takes half of this at once: two seconds, the most that outputs have room for.
    settings.bufferLength = .milliseconds(4_040)
    settings.startLength = Self.startLength
    settings.startsCorked = !(isSounding && outputs.isEmpty)
    settings.volume = volume
    settings.isMuted = isMuted
    settings.sink = sink
    settings.properties = properties
    do throws(PulseError) {
      try output.open(on: server, settings) { [weak self, weak output] event in
        if let output { self?.handle(event, of: output) }
      }
      outputs.append(output)
    } catch {
      report(.stream(.ended(error)))
    }
  }

  private func tookFrames(wantsMore: Bool) {
    if wantsMore { producer?.resume() }
    // Once the last frames are written, it is known when they will have been heard.
    if outputs.first?.isComplete == true { watchBoundary() }
    if let output = outputs.first, let timing = output.timing, AgentLoop.now - timing.taken > trustInClock {
      sync(output)
    }
    if isSounding { report(.progressed) }
  }

  private func cut(_ segment: SoundSegment, at frame: Int) {
    guard let index = outputs.firstIndex(where: { $0.contains(segment) }) else { return }
    outputs.removeSubrange((index + 1)...)
    outputs[index].cut(segment, at: frame)
    watchBoundary()
  }
}

// Handles what the streams tell.
extension SoundEngine {
  private func handle(_ event: PlaybackStream.Event, of output: Output) {
    guard output === outputs.first else { return handleWaiting(event, of: output) }
    switch event {
    case .ready, .started: sync(output)
    case .moved, .suspended: sync(output, from: output.timing)
    case .underflow:
      output.ranDry()
      sync(output)
    case .corkRequested, .uncorkRequested: break
    case .ended: outputs = []
    }
    report(.stream(event))
    // A stream that is moved corks itself. Whoever hears the report decides whether there is to be silence; if not, it goes on here.
    if case .moved = event, isSounding { output.uncork() }
  }

  /// Handles an event of a stream that is not heard yet. Only the end of the stream matters: then it will never be heard. The sound
  /// that it was to play is begun anew when all before it has been heard.
  private func handleWaiting(_ event: PlaybackStream.Event, of output: Output) {
    guard case .ended = event, let index = outputs.firstIndex(where: { $0 === output }) else { return }
    outputs.removeSubrange(index...)
    guard let last = outputs.last, let play = last.lastPlay else { return }
    last.finish()
    exhausted = play
    watchBoundary()
  }

  /// Asks how far the sound is. With a `former` timing it is looked whether sound was lost since then, which happens where an output can't
  /// give back what it was given: when the music leaves it for such a one, or when it is suspended.
  private func sync(_ output: Output, from former: StreamTiming? = nil) {
    AgentLoop.task { [weak self] in
      await output.updateTiming()
      guard let self, !self.hasLost(output, since: former) else { return }
      // What begins to be heard counts as moving, until a place says otherwise.
      self.watchBoundary()
      self.reportPosition(of: output)
    }
  }

  /// More than answers and clocks are wrong by.
  private nonisolated static let noticeable = Duration.milliseconds(500)

  private func hasLost(_ output: Output, since former: StreamTiming?) -> Bool {
    guard output === outputs.first, let former, former.isMoving, let fresh = output.timing,
      fresh.ahead(of: former, written: output.written) > output.format.frames(in: Self.noticeable)
    else { return false }
    loseSound()
    return true
  }

  /// Drops the stream, and has what was not heard of it loaded anew, unless something else is ordered until then.
  private func loseSound() {
    outputs = []
    boundary?.cancel()
    AgentLoop.after(.zero) { [weak self] in
      guard let self, self.producer != nil, self.outputs.isEmpty, !self.isBeginning else { return }
      self.report(.soundLost)
    }
  }

  private func reportPosition(of output: Output) {
    guard output === outputs.first, output.timing != nil, let (play, position) = position else { return }
    report(.position(play: play, position, isMoving: output.timing?.isMoving == true))
  }

  /// Drops a stream that the server has not made yet. Returns whether there was one. PipeWire 0.3.65 never makes a stream whose sink
  /// goes away meanwhile, and does not say so.
  func dropUnmadeStream() -> Bool {
    guard let stream, stream.index == nil else { return false }
    outputs = []
    return true
  }

  private func soundingChanged() {
    former = nil
    guard let output = outputs.first else { return }
    // Where the server has run dry at the end, the device has the rest of the sound, and a cork would leave it there: it would be heard,
    // and be over. A stream that is dropped takes it along.
    if !isSounding, output.isOver { return loseSound() }
    if isSounding { output.uncork() } else { output.cork() }
    sync(output)
  }
}

// Reports the end of one track and the beginning of another when the listener gets there.
extension SoundEngine {
  /// Which playings the frames of an output belong to, and what comes after them.
  private func table(of output: Output) -> SoundTable {
    output.table(before: outputs.count > 1 ? outputs[1] : nil, exhausted: exhausted)
  }

  /// Reports the boundaries that have been heard, and sets a timer for the next one.
  private func watchBoundary() {
    boundary?.cancel()
    while let output = outputs.first, let heard = output.heard(at: AgentLoop.now) {
      switch listener.step(at: heard, in: table(of: output)) {
      case .heard(let play): report(.heard(play: play))
      case .left(let play): left(play)
      case .nextStream: beginNextStream()
      case .ended(let play):
        exhausted = nil
        isOver = true
        report(.ended(play: play))
      case .wait(let frames): return wait(for: frames, of: output)
      case nil: return
      }
    }
  }

  private func wait(for frames: Int, of output: Output) {
    guard output.timing?.isMoving == true else { return }
    boundary = AgentLoop.after(output.format.duration(ofFrames: frames)) { [weak self] in
      self?.watchBoundary()
    }
  }

  /// Reports the failure of a sound that broke off. Only now has the listener heard all that there was of it.
  private func left(_ play: PlayID) {
    if let error = breaks.removeValue(forKey: play) { report(.failed(play: play, error)) }
  }

  /// More than a server and a device hold of an output whose end has been reckoned.
  private static let longestRest = Duration.milliseconds(500)

  private func beginNextStream() {
    let last = outputs.removeFirst()
    former = last
    AgentLoop.after(Self.longestRest) { [weak self] in if self?.former === last { self?.former = nil } }
    guard let output = outputs.first else { return }
    if isSounding { output.uncork() }
    sync(output)
    // Events of a stream that waits are not passed on. So its owner looks at it now: a call may have muted it, or it may be on
    // another output.
    if output.stream?.index != nil { report(.stream(.ready)) }
  }
}

// Opens what is expected next and decodes its beginning before anybody asks for it, so that a Next is heard at once.
extension SoundEngine {
  /// How much is decoded ahead: a little more than a stream begins with.
  private nonisolated static let beginning = startLength + .milliseconds(10)
  /// How long to wait before preparing. By then the current track is decoded as far as it can be, and the processors are free.
  private static let patience = Duration.milliseconds(50)
  /// How long the producer waits when a prepared sound begins, so that the processors are free to bring it out.
  private static let quiet = Duration.milliseconds(5)

  /// Prepares what is expected, a little later: what plays comes first.
  private func prepareSoon() {
    guard thread != nil, !isBeginning else { return }
    ahead.wait(for: Self.patience) { [weak self] in self?.prepare() }
  }

  private func prepare() {
    guard let thread, let wanted = ahead.begin() else { return }
    AgentLoop.task { [weak self] in
      let made = try? await thread.run { _ in PreparedSound(wanted, length: Self.beginning) }
      if let made { self?.ahead.keep(made) }
    }
  }

  /// Plays a prepared sound. It is written in this turn, before anything else is done about it.
  private func begin(_ prepared: PreparedSound, as request: SoundRequest, by producer: SoundProducer) {
    let segment = producer.play(prepared, as: request)
    guard let output = outputs.first, output.format == segment.format else { return producer.goOn() }
    output.append(segment)
    output.refill()
    AgentLoop.after(Self.quiet) { [weak producer] in producer?.goOn() }
  }
}

extension SoundEngine {
  /// What the engine tells its owner.
  package enum Report {
    /// A playing was opened. Its length is exact if the file states it; otherwise it is an estimate, or nil.
    case opened(play: PlayID, length: Duration?, isExact: Bool, coding: SoundCoding?)
    /// Where the listener was just now, and whether the sound was moving.
    case position(play: PlayID, Duration, isMoving: Bool)
    /// The server took frames of what is heard.
    case progressed
    /// The first frame of this playing is heard now.
    case heard(play: PlayID)
    /// The last frame of this playing was heard, and nothing followed.
    case ended(play: PlayID)
    /// The rest of what was loaded was lost before it was heard: it has to be loaded once more, where the listener is.
    case soundLost
    /// A sound could not be opened, or not be decoded to its end; all that was decoded of it has been heard.
    case failed(play: PlayID, DecodeError)
    /// Something happened to the stream that is heard.
    case stream(PlaybackStream.Event)
  }
}
