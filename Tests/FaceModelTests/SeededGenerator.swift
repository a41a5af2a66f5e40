// SPDX-License-Identifier: MIT

/// Randomness that a failure can be repeated with: SplitMix64 from a seed that the test prints.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// So many bytes at most, out of an alphabet.
  mutating func bytes(upTo count: Int, of alphabet: [UInt8]) -> [UInt8] {
    (0..<Int.random(in: 0...count, using: &self)).map { _ in alphabet.randomElement(using: &self) ?? 0 }
  }
}
