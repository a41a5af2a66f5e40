// SPDX-License-Identifier: MIT

/// How far a stream had been heard at one moment, as the server told it.
package struct StreamTiming: Sendable, Equatable {
  /// The moment that is described, on the loop's clock.
  package let taken: Duration
  /// Frames that had left the speakers by then, counted from the stream's beginning; frames that a flush threw away count as
  /// if they had been heard.
  package let heard: Int
  /// Whether `heard` grew with time: the stream played, or had run dry while the device still played the rest of it.
  package let isMoving: Bool
  private let rate: Int

  init(taken: Duration, heard: Int, isMoving: Bool, rate: Int) {
    self.taken = taken
    self.heard = heard
    self.isMoving = isMoving
    self.rate = rate
  }

  /// Estimates how many frames have been heard at `now`, assuming that the stream went on playing, or standing still. A
  /// playing stream is never taken past the frames that were `written`.
  package func heard(at now: Duration, written: Int) -> Int {
    guard isMoving, now > taken else { return heard }
    let (seconds, attoseconds) = (now - taken).components
    let gone = Int(seconds) * rate + Int(attoseconds / 1_000_000_000) * rate / 1_000_000_000
    return min(heard + gone, written)
  }

  /// A copy for a stream that plays on from the same frame at the same moment.
  package var moving: StreamTiming { StreamTiming(taken: taken, heard: heard, isMoving: true, rate: rate) }

  /// A copy for a stream that was stopped at `now`: it stands at the frame that was heard by then.
  package func stopped(at now: Duration, written: Int) -> StreamTiming {
    StreamTiming(taken: now, heard: heard(at: now, written: written), isMoving: false, rate: rate)
  }
}
