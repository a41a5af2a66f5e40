// SPDX-License-Identifier: MIT

/// A seek button that is down: short pieces are heard, at distances that grow the longer it is held.
struct HeldSeek: Sendable {
  let direction: SeekDirection
  /// Whether it has been held for longer than a tap.
  var isCueing = false
  private var jumps = 0

  init(_ direction: SeekDirection) { self.direction = direction }

  /// How far the next jump goes: 1 s at first, twice as far after every eight, 16 s at most.
  mutating func nextJump() -> Duration {
    let distance = Duration.seconds(1 << min(jumps / 8, 4))
    jumps += 1
    return direction == .forward ? distance : .zero - distance
  }
}
