// SPDX-License-Identifier: MIT
package import AgentLoop
import AudioModel
package import DecodeIO
package import PulseIO

/// Makes sound of requests: the producer's frames go into a stream, and what is heard of them is told.
///
/// It decides nothing. What is to be played, what follows it and whether it sounds is ordered by its owner; it knows where in the
/// sound the listener is. Orders take effect at once and none blocks. One stream is heard at a time; a second one is made
/// ready where the next track has another format.
@AgentLoop
package final class SoundEngine {
  let server: PulseServer
  let properties: [String: String]
  var producer: SoundProducer?
  /// The first one is heard; the others wait, corked, for its end.
  var outputs: [Output] = []
  /// The playing that was ordered and has not yet been opened.
  var starting: SoundRequest?
  var listener = Listener()
  /// The position where nothing better is known.
  var fallback: (play: UInt64, position: Duration)?
  /// The playing after which, as far as the producer knows, nothing follows.
  var exhausted: UInt64?
  /// Why playings break off whose ends have not been heard yet.
  var breaks: [UInt64: DecodeError] = [:]
  /// The last of all was heard.
  var isOver = false
  var isStalled = false
  var boundary: LoopTimer?
  var ahead = Ahead()
  /// What may block; without it nothing is prepared.
  let thread: BlockingThread?

  /// Whether the stream is to be heard; false is silence at once, and what was heard goes on from there.
  package var isSounding = false {
    didSet { if isSounding != oldValue { soundingChanged() } }
  }

  /// The stream's volume as it is wanted; nil leaves it to what the server remembers.
  package var volume: Double?

  /// Hears what the engine has to tell, on the loop, never from within an order.
  package var report: @AgentLoop (Report) -> Void = { _ in }

  /// An engine that plays on `server` by streams with these properties. On the thread it prepares what comes next.
  package init(server: PulseServer, properties: [String: String], thread: BlockingThread? = nil) {
    self.server = server
    self.properties = properties
    self.thread = thread
  }

  // MARK: Orders

  /// Drops what is heard and plays `request` instead; sound follows as soon as its first frames are decoded.
  package func play(_ request: SoundRequest) {
    outputs.removeSubrange(min(1, outputs.count)...)
    outputs.first?.clear()
    starting = request
    listener = Listener()
    exhausted = nil
    breaks = [:]
    isOver = false
    isStalled = false
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
    // The one reference that the producer's thread has leads to a task on the loop, and to nothing else.
    SoundProducer { [weak self] in AgentLoop.task { self?.takeEvents() } }
  }

  /// Says what comes after a playing, without a gap where the formats allow; nil takes it back.
  package func follow(_ play: UInt64, with request: SoundRequest?) {
    producer?.follow(play, with: request)
    ahead.expect(request)
    prepareSoon()
  }

  /// Ends all sound and lets go of the streams and the thread.
  package func stop() {
    producer?.stop()
    producer = nil
    ahead.forget()
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
    for output in outputs { try await output.stream?.setVolume(fraction) }
  }

  /// Whether something was ordered that was not opened yet.
  var isBeginning: Bool { starting != nil }

  /// The stream that is heard, for those who ask where it goes.
  package var stream: PlaybackStream? { outputs.first?.stream }

  // MARK: Where the listener is

  /// Which playing is heard at this moment, and how far; nil where there is none.
  package var position: (play: UInt64, position: Duration)? {
    if starting != nil { return fallback }
    guard let output = outputs.first, let frame = output.heard(at: AgentLoop.now),
      let (play, trackFrame) = table(of: output).place(of: frame)
    else { return fallback }
    return (play, output.format.duration(ofFrames: max(0, trackFrame)))
  }

  /// Asks the server anew how far the sound is, so that `position` is exact.
  package func refreshPosition() async { await outputs.first?.updateTiming() }
}
