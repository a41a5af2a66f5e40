// SPDX-License-Identifier: MIT
import AgentLoop
import DecodeIO

/// The sound that is expected to be played next, and its prepared beginning, if that is ready. Loop only.
@AgentLoop
struct Ahead {
  private var wanted: SoundRequest?
  private var prepared: PreparedSound?
  private var timer: LoopTimer?

  nonisolated init() {}

  /// Sets what is expected next; nil is nothing.
  mutating func expect(_ request: SoundRequest?) {
    wanted = request
    timer?.cancel()
  }

  /// Calls `begin` after `delay`, unless the right sound is prepared already, or there is none to prepare and none to drop.
  mutating func wait(for delay: Duration, _ begin: @escaping @AgentLoop () -> Void) {
    timer?.cancel()
    timer = isDone ? nil : AgentLoop.after(delay, begin)
  }

  private var isDone: Bool { isReady || (wanted?.name == nil && prepared == nil) }

  /// Whether what is expected is prepared, and can be heard at once.
  var isReady: Bool { wanted.flatMap { prepared?.fits($0) } ?? false }

  /// Drops the prepared sound. Returns the request that has to be prepared now; nil if there is none.
  mutating func begin() -> SoundRequest? {
    prepared = nil
    return wanted?.name == nil ? nil : wanted
  }

  /// Keeps a sound that is ready, if it is still wanted.
  mutating func keep(_ made: PreparedSound) {
    if let wanted, made.fits(wanted) { prepared = made }
  }

  /// Gives away the prepared sound for a request that is played now; nil if it is not prepared. Also forgets what was expected: what
  /// comes after the request is not known yet.
  mutating func take(_ request: SoundRequest) -> PreparedSound? {
    wanted = nil
    timer?.cancel()
    guard let prepared, prepared.fits(request) else { return nil }
    self.prepared = nil
    return prepared
  }

  mutating func forget() {
    timer?.cancel()
    self = Ahead()
  }
}
