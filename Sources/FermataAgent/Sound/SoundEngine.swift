// SPDX-License-Identifier: MIT
package import AgentLoop
import AudioModel
package import DecodeIO
package import PulseIO

/// Plays requests: the producer's frames go into a stream, and what is heard of them is reported.
///
/// It decides nothing: its owner orders what is played, what follows it and whether it sounds. The engine knows where in the sound
/// the listener is. Orders take effect at once and none blocks. One stream is heard at a time; a second one is made ready if the next
/// track has another format. Loop only; `stop` lets go of everything.
@AgentLoop
package final class SoundEngine {
  let server: PulseServer
  let properties: [String: String]
  var producer: SoundProducer?
  /// The first one is heard; the others wait, corked, for its end.
  var outputs: [Output] = []
  /// The request that was ordered and has not been opened yet.
  var starting: SoundRequest?
  var listener = Listener()
  /// The position to report while nothing better is known.
  var fallback: (play: UInt64, position: Duration)?
  /// The playing after which, as far as the producer knows, nothing follows.
  var exhausted: UInt64?
  /// The errors of playings that broke off, until the listener has heard their ends.
  var breaks: [UInt64: DecodeError] = [:]
  /// Whether the last frame of all was heard.
  var isOver = false
  var isStalled = false
  var boundary: LoopTimer?
  var ahead = Ahead()
  /// The thread for work that may block; without it nothing is prepared.
  let thread: BlockingThread?

  /// Whether the stream is to be heard. False is silence at once; true goes on from there.
  package var isSounding = false {
    didSet { if isSounding != oldValue { soundingChanged() } }
  }

  /// The stream's volume as it is wanted; nil leaves it to what the server remembers.
  package var volume: Double?

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
    // The producer's thread refers to the engine by this closure only, which does nothing but start a task on the loop.
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
