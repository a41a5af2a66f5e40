// SPDX-License-Identifier: MIT

/// A random number generator whose sequence can be repeated to reproduce a failure: SplitMix64 from a seed, which the
/// test prints.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator that starts from a seed.
  package init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }

  /// True with this probability in percent.
  package mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

  /// Up to `count` random bytes from an alphabet.
  package mutating func bytes(upTo count: Int, of alphabet: [UInt8]) -> [UInt8] {
    (0..<Int.random(in: 0...count, using: &self)).map { _ in alphabet.randomElement(using: &self) ?? 0 }
  }
}
