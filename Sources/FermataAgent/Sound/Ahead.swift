// SPDX-License-Identifier: MIT
import AgentLoop
import DecodeIO

/// What is expected to be played next, and what is ready of it.
@AgentLoop
struct Ahead {
  private var wanted: SoundRequest?
  private var prepared: PreparedSound?
  private var timer: LoopTimer?

  nonisolated init() {}

  /// This is expected now.
  mutating func expect(_ request: SoundRequest?) {
    wanted = request
    timer?.cancel()
  }

  /// Has `begin` called after a while, if something is to be done.
  mutating func wait(for delay: Duration, _ begin: @escaping @AgentLoop () -> Void) {
    timer?.cancel()
    timer = isDone ? nil : AgentLoop.after(delay, begin)
  }

  private var isDone: Bool { isReady || (wanted?.name == nil && prepared == nil) }

  /// Whether what is expected can be heard at once.
  var isReady: Bool { wanted.flatMap { prepared?.fits($0) } ?? false }

  /// What is to be prepared now, if anything. What was is let go of.
  mutating func begin() -> SoundRequest? {
    prepared = nil
    return wanted?.name == nil ? nil : wanted
  }

  /// It is ready; kept if it is still wanted.
  mutating func keep(_ made: PreparedSound) {
    if let wanted, made.fits(wanted) { prepared = made }
  }

  /// What is ready of this, which is played now; what comes after it is not known yet.
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
