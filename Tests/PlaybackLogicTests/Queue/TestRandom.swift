// SPDX-License-Identifier: MIT
@testable import PlaybackLogic

/// Chance for tests: a seed, so that a failure can be had again.
struct TestRandom: RandomNumberGenerator {
  private var source: QueueRandom
  init(_ seed: UInt64) { source = QueueRandom(state: seed &* 0x9e37_79b9_7f4a_7c15) }
  mutating func next() -> UInt64 {
    UInt64(source.below(1 << 32)) << 32 | UInt64(source.below(1 << 32))
  }
}
