// SPDX-License-Identifier: MIT

/// How far a stream had been heard at one moment, as the server told it.
public struct StreamTiming: Sendable, Equatable {
  /// When this was so, on the loop's clock.
  public let taken: Duration
  /// Frames that had left the speakers by then, counted from the stream's beginning; frames that a flush threw away count as
  /// if they had been heard.
  public let heard: Int
  /// Frames that were written and not yet heard.
  public let ahead: Int
  /// Whether sound was moving.
  public let isMoving: Bool
  private let rate: Int

  init(taken: Duration, heard: Int, ahead: Int, isMoving: Bool, rate: Int) {
    self.taken = taken
    self.heard = heard
    self.ahead = ahead
    self.isMoving = isMoving
    self.rate = rate
  }

  /// How far the stream is at `now`, going on as it did, but never past what was written.
  public func heard(at now: Duration) -> Int {
    guard isMoving, now > taken else { return heard }
    let (seconds, attoseconds) = (now - taken).components
    let gone = Int(seconds) * rate + Int(attoseconds / 1_000_000_000) * rate / 1_000_000_000
    return heard + min(gone, ahead)
  }
}
