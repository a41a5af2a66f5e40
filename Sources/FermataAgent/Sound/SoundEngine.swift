// SPDX-License-Identifier: MIT
public import AgentLoop
import AudioModel
public import DecodeIO
public import PulseIO

/// Makes sound of requests: the producer's frames go into a stream, and what is heard of them is told.
///
/// It decides nothing. What is to be played, what follows it and whether it sounds is ordered by its owner; it knows where in the
/// sound the listener is. Orders take effect at once and none blocks. One stream is heard at a time; a second one is made
/// ready where the next track has another format.
@AgentLoop
public final class SoundEngine {
  /// What the engine tells its owner.
  public enum Report {
    /// A playing was opened; its length, if the file tells it.
    case opened(play: UInt64, length: Duration?)
    /// Where the listener was just now, and whether sound was moving.
    case position(play: UInt64, Duration, isMoving: Bool)
    /// The server took frames of what is heard.
    case progressed
    /// The first frame of this playing is heard now.
    case heard(play: UInt64)
    /// The last frame of this playing was heard, and nothing followed.
    case ended(play: UInt64)
    /// A sound could not be opened, or not be played on; what it had made until then will be heard.
    case failed(play: UInt64, DecodeError)
    /// The source does not deliver and the buffer is dry; or it delivers again.
    case stalled(Bool)
    /// Something happened to the stream that is heard.
    case stream(PlaybackStream.Event)
  }

  private let server: PulseServer
  private let properties: [String: String]
  private var producer: SoundProducer?
  /// The first one is heard; the others wait, corked, for its end.
  private var outputs: [Output] = []
  /// The playing that was ordered and has not yet been opened.
  private var starting: SoundRequest?
  /// What is heard, or was last.
  private var heardPlay: UInt64?
  /// The position where nothing better is known.
  private var fallback: (play: UInt64, position: Duration)?
  /// The playing after which, as far as the producer knows, nothing follows.
  private var exhausted: UInt64?
  private var isStalled = false
  private var boundary: LoopTimer?

  /// Whether the stream is to be heard; false is silence at once, and what was heard goes on from there.
  public var isSounding = false {
    didSet { if isSounding != oldValue { soundingChanged() } }
  }

  /// The stream's volume as it is wanted; nil leaves it to what the server remembers.
  public var volume: Double?

  /// Hears what the engine has to tell, on the loop, never from within an order.
  public var report: @AgentLoop (Report) -> Void = { _ in }

  /// An engine that plays on `server` by streams with these properties.
  public init(server: PulseServer, properties: [String: String]) {
    self.server = server
    self.properties = properties
  }

  // MARK: Orders

  /// Drops what is heard and plays `request` instead; sound follows as soon as its first frames are decoded.
  public func play(_ request: SoundRequest) {
    outputs.removeSubrange(min(1, outputs.count)...)
    outputs.first?.clear()
    starting = request
    heardPlay = nil
    exhausted = nil
    isStalled = false
    fallback = (request.id, request.start)
    boundary?.cancel()
    let producer = producer ?? makeProducer()
    self.producer = producer
    producer.play(request)
  }

  private func makeProducer() -> SoundProducer {
    // The one reference that the producer's thread has leads to a task on the loop, and to nothing else.
    SoundProducer { [weak self] in AgentLoop.task { self?.takeEvents() } }
  }

  /// Says what comes after a playing, without a gap where the formats allow; nil takes it back.
  public func follow(_ play: UInt64, with request: SoundRequest?) { producer?.follow(play, with: request) }

  /// Ends all sound and lets go of the streams and the thread.
  public func stop() {
    producer?.stop()
    producer = nil
    outputs = []
    starting = nil
    heardPlay = nil
    fallback = nil
    exhausted = nil
    boundary?.cancel()
  }

  /// Sets the volume, a fraction of the full one; streams made later have it from their beginning.
  public func setVolume(_ fraction: Double) async throws(PulseError) {
    volume = fraction
    for output in outputs { try await output.stream?.setVolume(fraction) }
  }

  /// The stream that is heard, for those who ask where it goes.
  public var stream: PlaybackStream? { outputs.first?.stream }

  // MARK: Where the listener is

  /// Which playing is heard at this moment, and how far; nil where there is none.
  public var position: (play: UInt64, position: Duration)? {
    if starting != nil { return fallback }
    guard let output = outputs.first, let frame = output.heard(at: AgentLoop.now),
      let (part, trackFrame) = output.track(at: frame)
    else { return fallback }
    return (part.track, output.format.duration(ofFrames: max(0, trackFrame)))
  }

  /// Asks the server anew how far the sound is, so that `position` is exact.
  public func refreshPosition() async { await outputs.first?.updateTiming() }

  // MARK: What the producer tells

  private func takeEvents() { for event in producer?.takeEvents() ?? [] { take(event) } }

  private func take(_ event: ProducerEvent) {
    switch event {
    case .began(let part, let segment): began(part, in: segment)
    case .more(let segment): outputs.first { $0.contains(segment) }?.refill()
    case .failed(let play, let error):
      if starting?.id == play { starting = nil }
      report(.failed(play: play, error))
    case .exhausted(let play):
      exhausted = play
      outputs.last?.finish()
      watchBoundary()
    case .cut(let segment, let frame): cut(segment, at: frame)
    }
  }

  private func began(_ part: SoundSegment.Part, in segment: SoundSegment) {
    report(
      .opened(play: part.track, length: part.length.frames.map { segment.format.duration(ofFrames: $0) }))
    starting = nil
    exhausted = nil
    if outputs.contains(where: { $0.contains(segment) }) { return watchBoundary() }
    if let last = outputs.last, last.format == segment.format {
      last.append(segment)
      last.refill()
      // A stream that was cleared, and filled again before it ran dry, says nothing of it.
      if last.timing == nil { sync(last, started: false) }
    } else {
      // What is heard now, if it is not what was just ordered, is heard to its end first.
      if outputs.first?.isEmpty == true { outputs = [] }
      outputs.last?.finish()
      open(Output(format: segment.format) { [weak self] in self?.tookFrames(wantsMore: $0) }, for: segment)
    }
    watchBoundary()
  }

  private func open(_ output: Output, for segment: SoundSegment) {
    output.append(segment)
    var settings = PlaybackStream.Settings(name: "Music", format: segment.format)
    settings.startLength = settings.bufferLength / 2
    settings.startsCorked = !(isSounding && outputs.isEmpty)
    settings.volume = volume
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
    if isSounding { report(.progressed) }
  }

  private func cut(_ segment: SoundSegment, at frame: Int) {
    guard let index = outputs.firstIndex(where: { $0.contains(segment) }) else { return }
    outputs.removeSubrange((index + 1)...)
    outputs[index].cut(segment, at: frame)
    watchBoundary()
  }

  // MARK: What the stream tells

  private func handle(_ event: PlaybackStream.Event, of output: Output) {
    guard output === outputs.first else { return handleWaiting(event, of: output) }
    switch event {
    case .ready, .started: sync(output, started: event == .started)
    case .underflow: ranDry(output)
    case .moved, .suspended: sync(output, started: false)
    case .corkRequested, .uncorkRequested: break
    case .ended: outputs = []
    }
    report(.stream(event))
  }

  /// A stream that is not heard yet has one thing to tell: that it cannot be.
  private func handleWaiting(_ event: PlaybackStream.Event, of output: Output) {
    if case .ended = event { outputs.removeAll { $0 === output } }
  }

  private func sync(_ output: Output, started: Bool) {
    if started, isStalled {
      isStalled = false
      report(.stalled(false))
    }
    AgentLoop.task { [weak self] in
      await output.updateTiming()
      self?.tellPosition(of: output)
      self?.watchBoundary()
    }
  }

  private func tellPosition(of output: Output) {
    guard output === outputs.first, output.timing != nil, let (play, position) = position else { return }
    report(.position(play: play, position, isMoving: output.timing?.isMoving == true))
  }

  /// The end of the sound, or a source that does not keep up.
  private func ranDry(_ output: Output) {
    let isEnd = output.isDrained && (exhausted != nil || outputs.count > 1)
    if !isEnd, !isStalled, isSounding, starting == nil {
      isStalled = true
      report(.stalled(true))
    }
    sync(output, started: false)
  }

  private func soundingChanged() {
    guard let output = outputs.first else { return }
    if isSounding { output.uncork() } else { output.cork() }
    sync(output, started: false)
  }

  // MARK: Boundaries

  private enum Boundary {
    case track(UInt64, at: Int)
    case nextOutput(at: Int)
    case end(UInt64, at: Int)

    var frame: Int {
      switch self {
      case .track(_, let frame), .nextOutput(let frame), .end(_, let frame): frame
      }
    }
  }

  /// Tells of the boundaries that have been heard, and sees to it that the next one is told of in its time.
  private func watchBoundary() {
    boundary?.cancel()
    while let output = outputs.first, let heard = output.heard(at: AgentLoop.now) {
      if let (part, _) = output.track(at: heard), heardPlay != part.track {
        heardPlay = part.track
        report(.heard(play: part.track))
        continue
      }
      guard let next = nextBoundary(of: output, after: heard) else { return }
      guard heard >= next.frame else { return wait(for: next, of: output, from: heard) }
      pass(next)
    }
  }

  private func nextBoundary(of output: Output, after heard: Int) -> Boundary? {
    if let mark = output.marks(after: heard).first { return .track(mark.play, at: mark.frame) }
    guard output.isDrained else { return nil }
    if outputs.count > 1 { return .nextOutput(at: output.written) }
    return exhausted.map { .end($0, at: output.written) }
  }

  private func wait(for next: Boundary, of output: Output, from heard: Int) {
    guard output.timing?.isMoving == true else { return }
    boundary = AgentLoop.after(output.format.duration(ofFrames: next.frame - heard)) { [weak self] in
      self?.watchBoundary()
    }
  }

  private func pass(_ boundary: Boundary) {
    switch boundary {
    case .track: break  // `watchBoundary` sees the new track by itself
    case .nextOutput:
      outputs.removeFirst()
      guard let output = outputs.first else { return }
      if isSounding { output.uncork() }
      sync(output, started: false)
    case .end(let play, _):
      exhausted = nil
      report(.ended(play: play))
    }
  }
}
