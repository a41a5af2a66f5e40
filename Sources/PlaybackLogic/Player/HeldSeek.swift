// SPDX-License-Identifier: MIT

/// A seek button that is held down. Short pieces are heard, with jumps between them that grow the longer it is held.
struct HeldSeek: Sendable {
  let direction: SeekDirection
  /// Whether it has been held for longer than a tap.
  var isCueing = false
  private var jumps = 0

  init(_ direction: SeekDirection) { self.direction = direction }

  /// The distance of the next jump, negative for backward. It is 1 s at first, doubles after every eight jumps, and is at most 16
  /// s.
  mutating func nextJump() -> Duration {
    let distance = Duration.seconds(1 << min(jumps / 8, 4))
    jumps += 1
    return direction == .forward ? distance : .zero - distance
  }
}
