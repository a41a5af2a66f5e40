// SPDX-License-Identifier: MIT

/// The queue's own random generator (SplitMix64). The same seed gives the same shuffles, also after a restart.
struct QueueRandom: Sendable, Equatable {
  /// The whole state of the generator. A generator made with it continues the same sequence.
  private(set) var state: UInt64

  init(state: UInt64) { self.state = state }

  private mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }

  /// A random number from 0 up to, but not including, the bound; all have the same probability. Traps if the bound is not
  /// positive.
  mutating func below(_ bound: Int) -> Int {
    precondition(bound > 0, "a random number below \(bound)")
    let bound = UInt64(bound)
    // The high half of the product is evenly distributed except for a few values of the low half. Those are drawn again.
    var product = next().multipliedFullWidth(by: bound)
    if product.low < bound {
      let uneven = (0 &- bound) % bound
      while product.low < uneven { product = next().multipliedFullWidth(by: bound) }
    }
    return Int(product.high)
  }

  /// Shuffles elements. Every order has the same probability.
  mutating func shuffle<Element>(_ elements: inout [Element]) {
    for last in stride(from: elements.count - 1, to: 0, by: -1) { elements.swapAt(last, below(last + 1)) }
  }
}
