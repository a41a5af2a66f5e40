// SPDX-License-Identifier: MIT

/// How far a stream had been heard at one moment, as the server told it.
package struct StreamTiming: Sendable, Equatable {
  /// The moment that `heard` and `isMoving` describe, by the loop's clock (`AgentLoop.now`).
  package let taken: Duration
  /// Frames that had left the speakers by then, counted from the stream's beginning; frames that a flush threw away count as
  /// if they had been heard.
  package let heard: Int
  /// Whether `heard` grew with time: the stream played, or had run dry while the device still played the rest of it.
  package let isMoving: Bool
  /// How many frames before this stream's end is heard another one has to begin so that it follows without a pause. It is above zero where the server
  /// can't take back what the device holds, so that a stream that begins is heard only after that.
  package let lead: Int
  /// If the stream had run dry: how many frames had been written by then. What is written later is heard only when the server plays again, and then
  /// another answer tells how far.
  private let end: Int?
  private let rate: Int

  init(taken: Duration, heard: Int, isMoving: Bool, lead: Int = 0, end: Int? = nil, rate: Int) {
    self.taken = taken
    self.heard = heard
    self.isMoving = isMoving
    self.lead = lead
    self.end = end
    self.rate = rate
  }

  /// Estimates how many frames have been heard at `now`, assuming that the stream went on playing, or standing still. A
  /// playing stream is never taken past the frames that were `written`, and one that had run dry not past those that had been.
  package func heard(at now: Duration, written: Int) -> Int {
    guard isMoving, now > taken else { return heard }
    let (seconds, attoseconds) = (now - taken).components
    let gone = Int(seconds) * rate + Int(attoseconds / 1_000_000_000) * rate / 1_000_000_000
    return max(heard, min(heard + gone, written, end ?? .max))
  }

  /// How long it takes from `now` until the device has played the rest of a stream that had run dry; zero if it has. Nil for a stream that plays or stands
  /// still.
  package func rest(at now: Duration, written: Int) -> Duration? {
    guard isMoving, let end else { return nil }
    let left = max(0, min(end, written) - heard(at: now, written: written))
    return .nanoseconds((left * 1_000_000_000 + rate - 1) / rate)
  }

  /// How many more frames this answer counts as heard than one would expect from the `former` answer; negative if there are fewer. A large number
  /// means that sound was lost: the server counts frames that an output was given and dropped as heard.
  package func ahead(of former: StreamTiming, written: Int) -> Int {
    heard - former.heard(at: taken, written: written)
  }

  /// The same timing, but with `isMoving` true: the stream is taken to play on from the frame `heard`.
  package var moving: StreamTiming {
    StreamTiming(taken: taken, heard: heard, isMoving: true, lead: lead, end: end, rate: rate)
  }

  /// The timing of this stream if it is stopped at `now`: it stands at the frame that was heard by then.
  package func stopped(at now: Duration, written: Int) -> StreamTiming {
    StreamTiming(taken: now, heard: heard(at: now, written: written), isMoving: false, rate: rate)
  }
}
