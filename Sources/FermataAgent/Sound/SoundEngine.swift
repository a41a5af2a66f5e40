// SPDX-License-Identifier: MIT
package import AgentLoop
package import AudioModel
package import DecodeIO
package import PlaybackLogic
package import PulseIO

/// Plays requests: writes the producer's frames into a stream, and reports what the listener hears of them.
///
/// Its owner decides which request is played, which one follows and whether they sound. The engine knows where in the sound the listener is. Orders
/// take effect at once and none blocks. One stream is heard at a time; if the next track has another format, a second stream is made ready for it.
/// Loop only; `stop` releases everything.
@AgentLoop
package final class SoundEngine {
  private let server: PulseServer
  private let properties: [String: String]
  private var producer: SoundProducer?
  /// The first output is the one that is heard. The streams of the others are corked until then, which keeps them silent and their frames in place.
  private var outputs: [Output] = []
  /// The stream that ended last, with its buffer. The server may still be playing the last of its sound, so it is kept for a moment.
  private var former: Output?
  /// True while `report` tells the owner that all sound has ended. The owner then orders silence or an end, and neither may cut off what the server
  /// still has to play.
  private var isEnding = false
  /// The request that was ordered and has not been opened yet.
  private var starting: SoundRequest?
  private var listener = Listener()
  /// The playing of an entry, and the position in it, to report while it is not known which frame is heard.
  private var fallback: (play: PlayID, position: Duration)?
  /// The playing of an entry after which nothing follows, as the producer has reported.
  private var exhausted: PlayID?
  /// The errors of playings that could be decoded only in part. Each is reported when the listener has heard that part.
  private var breaks: [PlayID: DecodeError] = [:]
  private var boundary: LoopTimer?
  /// When the server last took frames.
  private var lastTaking = Duration.zero
  private(set) var nextSound = NextSound()
  /// The thread that opens the next sound ahead of time; nil if that is not to be done.
  private let thread: BlockingThread?

  /// Whether the stream is to be heard. False makes it silent at once; true lets it go on from the same place.
  package var isSounding = false {
    didSet { if isSounding != oldValue { soundingChanged() } }
  }

  /// The stream's volume; nil leaves it to what the server remembers for us.
  package var volume: BalancedVolume?

  /// Whether streams made from now on start muted; nil leaves it to what the server remembers for us.
  package var isMuted: Bool?
  /// What is special about the output.
  private var traits = OutputTraits()

  /// The name that mixers show for the streams.
  var name = "Music" {
    didSet {
      guard name != oldValue else { return }
      for stream in streams { stream.setName(name) }
    }
  }

  /// The output that streams made from now on go to; nil lets the server choose.
  package var sink: String?

  /// How long the position is computed with the machine's clock before the server is asked again. A sound card has a clock of its own, and in an hour
  /// the two may differ by a third of a second.
  package var trustInClock = Duration.seconds(60)

  /// How long the server takes no frames at most while a stream plays: it renders two seconds of them at once. If it has taken none for longer, it stood
  /// still, and the position cannot be computed.
  private static let longestSilence = Duration.seconds(3)

  /// Called on the loop with what the engine reports; never while `play` or another order is being carried out.
  package var report: @AgentLoop (Report) -> Void = { _ in }

  /// An engine that plays on `server`, in streams with these properties. On `thread` it opens the next sound ahead and decodes its beginning, so that
  /// Next is heard at once; without one it does not. A track that follows by itself needs none.
  package init(server: PulseServer, properties: [String: String], thread: BlockingThread? = nil) {
    self.server = server
    self.properties = properties
    self.thread = thread
  }

  // MARK: Orders

  /// Drops the present sound and plays `request` instead; it is heard as soon as its first frames are decoded.
  package func play(_ request: SoundRequest) {
    former = nil
    outputs.removeSubrange(min(1, outputs.count)...)
    outputs.first?.clear()
    starting = request
    listener = Listener()
    exhausted = nil
    breaks = [:]
    fallback = (request.play, request.start)
    boundary?.cancel()
    let producer = producer ?? makeProducer()
    self.producer = producer
    if let prepared = nextSound.take(request) {
      begin(prepared, as: request, by: producer)
    } else {
      producer.play(request)
    }
  }

  private func makeProducer() -> SoundProducer {
    // The producer's thread has no reference to the engine except in this closure, which only starts a task on the loop.
    SoundProducer { [weak self] in AgentLoop.task { self?.handleEvents() } }
  }

  /// Sets the request that follows a playing, without a gap if both have the same format; nil if none does. Replaces what was set before.
  package func follow(_ play: PlayID, with request: SoundRequest?) {
    producer?.follow(play, with: request)
    nextSound.expect(request)
    prepareSoon()
  }

  /// Ends all sound, the streams and the producer's thread.
  package func stop() {
    producer?.stop()
    producer = nil
    nextSound.forget()
    former = nil
    outputs = []
    starting = nil
    listener = Listener()
    fallback = nil
    exhausted = nil
    breaks = [:]
    boundary?.cancel()
  }

  /// Sets the volume; streams made later start with it.
  package func setVolume(_ wanted: BalancedVolume) async throws(PulseError) {
    volume = wanted
    try await forEachStream { stream throws(PulseError) in try await stream.setVolume(wanted) }
  }

  /// Mutes or unmutes the streams; those made later start the same way.
  func setMuted(_ isMuted: Bool) async throws(PulseError) {
    self.isMuted = isMuted
    try await forEachStream { stream throws(PulseError) in try await stream.setMuted(isMuted) }
  }

  /// Takes the server's mute off the streams, of those that wait too: it mutes all for a call. Streams that are made later are left to it as before.
  func unmuteStreams() async throws(PulseError) {
    try await forEachStream { stream throws(PulseError) in try await stream.setMuted(false) }
  }

  /// Call when somebody changed the volume of the stream that is heard in a mixer. The streams that wait get the same volume, and later ones start
  /// with it.
  func followVolume(_ found: BalancedVolume) {
    volume = found
    haveWaitingStreams { stream throws(PulseError) in try await stream.setVolume(found) }
  }

  /// Call when what is special about the output is known, or has changed.
  func note(_ traits: OutputTraits) {
    self.traits = traits
    for stream in streams { stream.keepsWhatItHas = traits.keepsWhatItHas }
  }

  /// Call when somebody muted or unmuted the stream that is heard in a mixer. A mixer changes one stream at a time, so the
  /// same is done to those that wait. For later ones it is left to the server, which remembers what mixers do, and mutes streams for calls: a mute of its
  /// own that were taken for a person's would last.
  func followMute(_ isMuted: Bool) {
    self.isMuted = nil
    haveWaitingStreams { stream throws(PulseError) in try await stream.setMuted(isMuted) }
  }

  /// Gives the streams that wait to be heard an order. Errors are ignored: a stream that is going away needs none.
  private func haveWaitingStreams(
    obey order: @escaping @AgentLoop (PlaybackStream) async throws(PulseError) -> Void
  ) {
    for stream in outputs.dropFirst().compactMap(\.stream) {
      AgentLoop.task { try? await order(stream) }
    }
  }

  /// Asks the server to move this engine's streams to another sink, as far as the server knows them already. The server may answer that it has done so,
  /// and do nothing.
  func move(toSink name: String) async throws(PulseError) {
    try await forEachStream { stream throws(PulseError) in
      if stream.index != nil { try await stream.move(toSink: name) }
    }
  }

  /// Gives every stream an order. If one refuses it, the others still get it, and then the first error is thrown.
  private func forEachStream(
    _ order: @AgentLoop (PlaybackStream) async throws(PulseError) -> Void
  ) async throws(PulseError) {
    var first: PulseError?
    for stream in streams {
      do throws(PulseError) { try await order(stream) } catch { first = first ?? error }
    }
    if let first { throw first }
  }

  /// The stream that is heard, and those that are made ready for the sounds after it.
  var streams: [PlaybackStream] { outputs.compactMap(\.stream) }

  /// Whether a request was ordered and is not opened yet.
  private var isBeginning: Bool { starting != nil }

  /// The stream that is heard; nil if there is none. The server may not have created it yet.
  package var stream: PlaybackStream? { outputs.first?.stream }

  // MARK: Where the listener is

  /// The playing that is heard now, and the position in its track; nil if there is none.
  package var position: (play: PlayID, position: Duration)? {
    if starting != nil { return fallback }
    guard let output = outputs.first, let frame = output.heard(at: AgentLoop.now),
      let (play, trackFrame) = table(of: output).place(of: frame)
    else { return fallback }
    return (play, output.format.duration(ofFrames: max(0, trackFrame)))
  }

  /// Asks the server again how far the stream has played, so that `position` is exact.
  package func refreshPosition() async { await outputs.first?.updateTiming() }
}

// Handles the producer's events.
extension SoundEngine {
  /// How much sound a stream needs before it begins to play: no more than the first piece that a decoder gives.
  private nonisolated static let startLength = Duration.milliseconds(150)

  private func handleEvents() { for event in producer?.takeEvents() ?? [] { handle(event) } }

  private func handle(_ event: ProducerEvent) {
    switch event {
    case .began(let part, let segment): began(part, in: segment)
    case .more(let segment):
      if let output = outputs.first(where: { $0.contains(segment) }) { refill(output) }
    case .failed(let play, let error):
      if starting?.play == play { starting = nil }
      report(.sound(.failed(play: play, reason: error.reason)))
    case .exhausted(let play) where isLost(play): break
    case .broke(let play, let error):
      // An error is dropped if its playing is in no output any more: it was cut off, or the listener left it before its end.
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
    let isExact = part.length.exactFrames != nil
    report(.sound(.opened(play: part.play, length: length, isExact: isExact, coding: part.coding)))
    starting = nil
    exhausted = nil
    prepareSoon()
    if let output = outputs.first(where: { $0.contains(segment) }) {
      if output.timing == nil { sync(output) }
      return watchBoundary()
    }
    if let last = outputs.last, last.format == segment.format {
      last.append(segment)
      refill(last)
      // A stream that was cleared, and filled again before it ran dry, sends no event by itself, so it is asked.
      if last.timing == nil { sync(last) }
    } else {
      // An output that was cleared is dropped at once; any other output is heard to its end first.
      if outputs.first?.isEmpty == true { outputs = [] }
      outputs.last?.finish()
      open(Output(format: segment.format) { [weak self] in self?.tookFrames(wantsMore: $0) }, for: segment)
    }
    watchBoundary()
  }

  private func open(_ output: Output, for segment: SoundSegment) {
    output.append(segment)
    var settings = PlaybackStream.Settings(name: name, format: segment.format)
    // The server fills half of this ahead: 2 s, the largest buffer that a device has.
    settings.bufferLength = .milliseconds(4_040)
    settings.startLength = Self.startLength
    settings.startsCorked = !(isSounding && outputs.isEmpty)
    settings.volume = traits.hasFlatVolume ? nil : volume
    settings.isMuted = isMuted
    settings.sink = sink
    settings.keepsWhatItHas = traits.keepsWhatItHas
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

  /// Writes decoded frames into an output's stream, as far as the server takes them. If the server no longer asks for frames, it is asked how far it
  /// has played, because sound may have been lost.
  private func refill(_ output: Output) {
    output.refill()
    if output.isForgotten { sync(output) }
  }

  private func tookFrames(wantsMore: Bool) {
    if wantsMore { producer?.resume() }
    // Once the last frames are written, it is known when they will have been heard.
    if outputs.first?.isComplete == true { watchBoundary() }
    let now = AgentLoop.now
    let stoodStill = now - lastTaking > Self.longestSilence
    lastTaking = now
    if let output = outputs.first, let timing = output.timing, stoodStill || now - timing.taken > trustInClock
    {
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

// Handles the streams' events.
extension SoundEngine {
  private func handle(_ event: PlaybackStream.Event, of output: Output) {
    guard output === outputs.first else { return handleWaiting(event, of: output) }
    switch event {
    case .ready, .started: sync(output)
    case .moved:
      sync(output, from: output.timing)
      AgentLoop.after(Self.longestMove) { [weak self] in self?.dropStrays() }
    case .suspended: sync(output, from: output.timing)
    case .underflow:
      output.ranDry()
      sync(output)
    case .corkRequested, .uncorkRequested: break
    case .ended: outputs = []
    }
    report(.stream(event))
    // A stream that is moved corks itself. The owner gets the report and decides whether to be silent; if it does not, the stream goes on here.
    if case .moved = event, isSounding { output.uncork() }
  }

  /// Handles an event of a stream that is not heard yet. Only its end matters, for instance because the server refused it: the stream is dropped, and
  /// its sound is begun again when all sound before it has been heard.
  private func handleWaiting(_ event: PlaybackStream.Event, of output: Output) {
    guard case .ended = event, let index = outputs.firstIndex(where: { $0 === output }) else { return }
    dropWaiting(from: index)
  }

  /// How long it may take until a server that moves all our streams to another sink has moved the last one.
  private static let longestMove = Duration.milliseconds(500)

  /// Drops the streams that wait to be heard on another sink than the one that is heard: a mixer moves only that one. They are made anew when their
  /// turn comes, and then the server puts them where it put that one.
  private func dropStrays() {
    guard let sink = stream?.sink else { return }
    let stray = outputs.dropFirst().firstIndex { output in
      output.stream.map { $0.index != nil && $0.sink != sink } ?? false
    }
    if let stray { dropWaiting(from: stray) }
  }

  private func dropWaiting(from index: Int) {
    outputs.removeSubrange(index...)
    guard let last = outputs.last, let play = last.lastPlay else { return }
    last.finish()
    exhausted = play
    watchBoundary()
  }

  /// Asks the server how far the stream has played, and whether the server still plays it. With the `former` timing it also checks whether sound
  /// was lost since. That happens when the stream is suspended, or moved away from a device that cannot give back the frames in its buffer.
  private func sync(_ output: Output, from former: StreamTiming? = nil) {
    AgentLoop.task { [weak self] in
      await output.updateTiming()
      guard let self, !self.hasLost(output, since: former) else { return }
      // A stream that begins counts as moving until a position says otherwise.
      self.watchBoundary()
      self.reportPosition(of: output)
    }
  }

  /// If the server counts this much more sound as heard than the clock allows, sound was lost: answers and clocks are never so wrong.
  private nonisolated static let noticeable = Duration.milliseconds(500)

  private func hasLost(_ output: Output, since former: StreamTiming?) -> Bool {
    guard output === outputs.first, output.isForgotten || hasLeapt(output, since: former) else {
      return false
    }
    loseSound()
    return true
  }

  /// Whether the server counts far more of the sound as heard than can have been heard since the `former` answer.
  private func hasLeapt(_ output: Output, since former: StreamTiming?) -> Bool {
    guard let former, former.isMoving, let fresh = output.timing else { return false }
    return fresh.ahead(of: former, written: output.written) > output.format.frames(in: Self.noticeable)
  }

  /// Drops the stream, and has its frames that were not heard loaded again, unless another request comes first.
  private func loseSound() {
    outputs = []
    boundary?.cancel()
    AgentLoop.after(.zero) { [weak self] in
      guard let self, self.producer != nil, self.outputs.isEmpty, !self.isBeginning else { return }
      self.report(.sound(.soundLost))
    }
  }

  private func reportPosition(of output: Output) {
    guard output === outputs.first, let timing = output.timing, let (play, position) = position else {
      return
    }
    let rest = timing.rest(at: AgentLoop.now, written: output.written)
    report(.sound(.position(play: play, position, isMoving: timing.isMoving && rest != .zero)))
    // The position stands when the last of what the server had is heard, unless it has been given more by then.
    guard let rest, rest > .zero else { return }
    AgentLoop.after(rest) { [weak self, weak output] in
      if let output, output.timing == timing { self?.reportPosition(of: output) }
    }
  }

  /// Drops a stream that the server has not created yet. Returns whether there was one. If the sink goes away meanwhile, PipeWire 0.3.65 never
  /// creates the stream and does not say so.
  func dropUnmadeStream() -> Bool {
    guard let stream, stream.index == nil else { return false }
    outputs = []
    return true
  }

  private func soundingChanged() {
    if isEnding { return }
    former = nil
    guard let output = outputs.first else { return }
    // If the server has run dry, at the end of the sound or because a disk is slow, the device still plays the rest. A cork would not silence that rest,
    // so the stream is dropped, and the rest is loaded again later.
    if !isSounding, output.isOver || output.isEbbing(at: AgentLoop.now) { return loseSound() }
    if isSounding { output.uncork() } else { output.cork() }
    sync(output)
  }
}

// Reports the end of one track and the beginning of the next when the listener gets there.
extension SoundEngine {
  /// Which playings the frames of an output belong to, and what comes after them.
  private func table(of output: Output) -> SoundTable {
    output.table(before: outputs.count > 1 ? outputs[1] : nil, exhausted: exhausted)
  }

  /// Reports the boundaries between tracks that have been heard, and sets a timer for the next one.
  private func watchBoundary() {
    boundary?.cancel()
    while let output = outputs.first {
      // The same moment for both questions. Otherwise the last frames may be heard between the two, and nobody is told of the end.
      let now = AgentLoop.now
      guard let heard = output.heard(at: now) else { return }
      switch listener.step(at: heard, in: table(of: output)) {
      case .heard(let play): report(.sound(.heard(play: play)))
      case .left(let play): left(play)
      case .nextStream: beginNextStream()
      case .ended(let play):
        exhausted = nil
        reportEnd(of: play, in: output)
      case .wait(let frames): return wait(for: frames, of: output, at: now)
      case nil: return
      }
    }
  }

  /// Reports that a playing has ended and nothing follows. The owner then silences the engine or ends all sound. The last cycle of the server may not
  /// have been rendered by then, although it counts as heard, so the stream plays on to its end.
  private func reportEnd(of play: PlayID, in output: Output) {
    isEnding = true
    report(.sound(.ended(play: play)))
    isEnding = false
    if outputs.isEmpty { return keep(output) }
    if !isSounding { outputs.first?.cork() }
  }

  private func wait(for frames: Int, of output: Output, at now: Duration) {
    guard let timing = output.timing, timing.isMoving else { return }
    // What lies behind the end of a stream that ran dry is heard when it plays again, and that is told.
    if timing.rest(at: now, written: output.written) == .zero { return }
    boundary = AgentLoop.after(output.format.duration(ofFrames: frames)) { [weak self] in
      self?.watchBoundary()
    }
  }

  /// Reports the error of a sound that could be decoded only in part, now that the listener has heard all of that part.
  private func left(_ play: PlayID) {
    if let error = breaks.removeValue(forKey: play) {
      report(.sound(.failed(play: play, reason: error.reason)))
    }
  }

  /// How long an output is kept after its end should have been heard: more than the server and a card can still have to play of it. A device that keeps
  /// what it has, such as one on a network, may have more.
  private static let longestRest = Duration.milliseconds(500)

  /// Keeps an output that is over until the server has played the last of it.
  private func keep(_ last: Output) {
    former = last
    let ahead = Duration.seconds(Double(last.timing?.lead ?? 0) / Double(last.format.rate))
    AgentLoop.after(Self.longestRest + ahead) { [weak self] in if self?.former === last { self?.former = nil }
    }
  }

  /// Returns when the server has played what it still had of an output that is over; at once if there is none.
  func restIsHeard() async { try? await former?.stream?.drain() }

  private func beginNextStream() {
    keep(outputs.removeFirst())
    guard let output = outputs.first else { return }
    if isSounding { output.uncork() }
    sync(output)
    // Events of a stream that waits are not passed on. So its owner checks it now: meanwhile a call may have muted it, or it may have been moved.
    if output.stream?.index != nil { report(.stream(.ready)) }
  }
}

// Opens the next sound and decodes its beginning ahead of time, so that Next is heard at once.
extension SoundEngine {
  /// How much of the next sound is decoded ahead: a little more than a stream needs to begin.
  private nonisolated static let preparedLength = startLength + .milliseconds(10)
  /// How long to wait before the next sound is opened ahead. By then the decoder has filled its buffer for the current track, and the processors are
  /// free.
  private static let delayBeforePreparing = Duration.milliseconds(50)
  /// How long decoding waits after a prepared sound has begun, so that the processors are free until that sound is heard.
  private static let delayBeforeDecoding = Duration.milliseconds(5)

  /// Prepares the expected sound a little later, because the sound that plays comes first.
  private func prepareSoon() {
    guard thread != nil, !isBeginning else { return }
    nextSound.wait(for: Self.delayBeforePreparing) { [weak self] in self?.prepare() }
  }

  private func prepare() {
    guard let thread, let wanted = nextSound.begin() else { return }
    AgentLoop.task { [weak self] in
      let made = try? await thread.run { _ in PreparedSound(wanted, length: Self.preparedLength) }
      if let made { self?.nextSound.keep(made) }
    }
  }

  /// Plays a prepared sound. Its frames are written into the stream at once, before anything else happens.
  private func begin(_ prepared: PreparedSound, as request: SoundRequest, by producer: SoundProducer) {
    let segment = producer.play(prepared, as: request)
    guard let output = outputs.first, output.format == segment.format else { return producer.goOn() }
    output.append(segment)
    output.refill()
    AgentLoop.after(Self.delayBeforeDecoding) { [weak producer] in producer?.goOn() }
  }
}

extension SoundEngine {
  /// What the engine tells its owner.
  package enum Report {
    case sound(SoundReport)
    /// The server took frames of the stream that is heard.
    case progressed
    /// Something happened to the stream that is heard.
    case stream(PlaybackStream.Event)
  }
}
