// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import DecodeIO
import PlaybackLogic
import PulseIO

/// The request that is expected to be played next, and its opened sound with the first decoded frames once that is ready.
@AgentLoop
struct NextSound {
  private var wanted: SoundRequest?
  private var prepared: PreparedSound?
  private var timer: LoopTimer?

  nonisolated init() {}

  /// Sets the request that is expected next; nil if none is.
  mutating func expect(_ request: SoundRequest?) {
    wanted = request
    timer?.cancel()
  }

  /// Calls `begin` after `delay`, unless nothing has to be done: the right sound is prepared already, or none is expected and none has to be dropped.
  mutating func wait(for delay: Duration, _ begin: @escaping @AgentLoop () -> Void) {
    timer?.cancel()
    timer = isDone ? nil : AgentLoop.after(delay, begin)
  }

  private var isDone: Bool { isReady || (wanted?.key == nil && prepared == nil) }

  /// Whether the expected sound is prepared and can be heard at once.
  var isReady: Bool { wanted.flatMap { prepared?.fits($0) } ?? false }

  /// Drops the prepared sound. Returns the request to prepare now; nil if none is expected, or if the expected one cannot be prepared.
  mutating func begin() -> SoundRequest? {
    prepared = nil
    return wanted?.key == nil ? nil : wanted
  }

  /// Keeps a sound that was prepared, if it is still expected.
  mutating func keep(_ made: PreparedSound) {
    if let wanted, made.fits(wanted) { prepared = made }
  }

  /// Gives away the prepared sound for a request that is played now; nil if it is not prepared. Also forgets the expected request: which one comes
  /// after this one is not known yet.
  mutating func take(_ request: SoundRequest) -> PreparedSound? {
    wanted = nil
    timer?.cancel()
    guard let prepared, prepared.fits(request) else { return nil }
    self.prepared = nil
    return prepared
  }

  mutating func forget() {
    timer?.cancel()
    self = NextSound()
  }
}
