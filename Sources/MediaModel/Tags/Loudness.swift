// SPDX-License-Identifier: MIT

/// A histogram of a sound's loudness: how many of its blocks have which loudness, in steps of 0.1 LU.
///
/// EBU R 128 defines the loudness of a sound by its blocks: each lasts 400 ms, and one begins every 100 ms. Quiet blocks don't count, and which ones
/// are quiet depends on all of them. So the loudness of an album can't be computed from that of its tracks, but it can be computed from their blocks,
/// without decoding anything again.
package struct LoudnessBlocks: Sendable, Equatable {
  /// Blocks quieter than this never count, in LUFS.
  private static let lowest = -70.0
  private static let step = 0.1
  /// The number of steps in the histogram, up to +30 LUFS, which no sound reaches.
  private static let steps = 1_000
  /// A block counts only if it is at most this much quieter than the mean of all blocks.
  private static let relativeGate = -10.0
  /// The loudness, in LUFS, that counts for all that is louder.
  private static let highest = lowest + Double(steps) * step
  /// The most bytes that the stored blocks take: a small number and a large one for each step.
  package static let mostBytes = steps * 7

  private var counts = [UInt32](repeating: 0, count: steps)
  /// The sum of the blocks' powers for each step. It is exact while a sound is measured, and exact to half a step after being stored.
  private var powers = [Double](repeating: 0, count: steps)

  package init() {}

  package static func == (left: Self, right: Self) -> Bool { left.counts == right.counts }

  /// Whether no block counts, as in silence.
  package var isEmpty: Bool { counts.allSatisfy { $0 == 0 } }

  /// Counts one more block, 400 ms of the sound, which has this loudness in LUFS.
  package mutating func add(_ loudness: Double) {
    guard loudness.isFinite, loudness >= Self.lowest else { return }
    let loudness = min(loudness, Self.highest)
    let step = min(Int((loudness - Self.lowest) / Self.step), Self.steps - 1)
    counts[step] &+= counts[step] == .max ? 0 : 1
    powers[step] += Decibels.power(loudness)
  }

  /// Adds the blocks of another sound, so that both are measured as one, as the tracks of an album are.
  package mutating func add(_ other: LoudnessBlocks) {
    for step in 0..<Self.steps {
      counts[step] = UInt32(clamping: UInt64(counts[step]) + UInt64(other.counts[step]))
      powers[step] += other.powers[step]
    }
  }

  /// The loudness of the whole sound in LUFS; nil if no block counts.
  package var integrated: Double? {
    guard let mean = mean(from: 0) else { return nil }
    // A step counts if its blocks' mean power is above the gate.
    let gate = mean * Decibels.power(Self.relativeGate)
    let first = counts.indices.first { counts[$0] > 0 && powers[$0] >= gate * Double(counts[$0]) }
    // A mean of powers may come out a little beyond the loudest of them.
    return first.flatMap(mean(from:)).map { min(Decibels.of(power: $0), Self.highest) }
  }

  /// The mean power of the blocks from a step on.
  private func mean(from first: Int) -> Double? {
    let count = counts[first...].reduce(0.0) { $0 + Double($1) }
    return count > 0 ? powers[first...].reduce(0, +) / count : nil
  }

  // MARK: Stored

  /// The blocks as bytes, for storing: for each step with blocks, how many empty steps come before it, and how many blocks it has. Small numbers take
  /// one byte.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    var next = 0
    for step in 0..<Self.steps where counts[step] > 0 {
      Self.add(UInt32(step - next), to: &bytes)
      Self.add(counts[step], to: &bytes)
      next = step + 1
    }
    return bytes
  }

  /// The blocks from stored bytes; nil if the bytes are not valid.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count <= Self.mostBytes else { return nil }
    var rest = bytes[...]
    var next = 0
    while !rest.isEmpty {
      guard let gap = Self.take(&rest), let count = Self.take(&rest), count > 0, Int(gap) < Self.steps - next
      else { return nil }
      let step = next + Int(gap)
      counts[step] = count
      powers[step] = Double(count) * Decibels.power(Self.lowest + (Double(step) + 0.5) * Self.step)
      next = step + 1
    }
  }

  /// Writes seven bits per byte, the lowest first; the highest bit says that more bytes follow.
  private static func add(_ number: UInt32, to bytes: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private static func take<Bytes: Collection<UInt8>>(_ bytes: inout Bytes) -> UInt32?
  where Bytes.SubSequence == Bytes {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 35, by: 7) {
      guard let byte = bytes.popFirst() else { return nil }
      number |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return UInt32(exactly: number) }
    }
    return nil
  }
}

/// The result of measuring one sound.
package struct MeasuredLoudness: Sendable, Equatable {
  /// The loudness of the whole sound in LUFS; nil for silence, and for a sound too short to have a block.
  package var integrated: Double?
  /// The highest sample; 1 is full scale.
  package var peak: Float
  package var blocks: LoudnessBlocks

  package init(integrated: Double?, peak: Float, blocks: LoudnessBlocks) {
    (self.integrated, self.peak, self.blocks) = (integrated, peak, blocks)
  }
}

extension Loudness {
  /// The loudness in LUFS to which the gains bring all sounds.
  private static let reference = -18.0

  /// The gain in decibels that brings a sound of this loudness in LUFS to the reference loudness.
  package static func gain(for integrated: Double) -> Float { Float(reference - integrated) }

  /// Whether no gain is known for the item.
  package var isUnknown: Bool { trackGain == nil && albumGain == nil }
}

/// Decibels and the ratios that they mean. The standard library has neither powers nor logarithms.
package enum Decibels {
  private static let ln2 = 0.693_147_180_559_945_3
  private static let ln10 = 2.302_585_092_994_046

  /// The ratio of two powers: ten to the power of a tenth of the decibels.
  package static func power(_ decibels: Double) -> Double {
    let natural = decibels / 10 * ln10
    let doublings = (natural / ln2).rounded()
    let rest = natural - doublings * ln2
    // `rest` is at most half of ln 2, so these terms of the series are exact to the last place of a double.
    var term = 1.0
    var sum = 1.0
    for number in 1...18 {
      term *= rest / Double(number)
      sum += term
    }
    return sum * Double(sign: .plus, exponent: Int(doublings), significand: 1)
  }

  /// The ratio of two amplitudes: ten to the power of a twentieth of the decibels.
  package static func amplitude(_ decibels: Double) -> Double { power(decibels / 2) }

  /// The decibels of a ratio of powers, which must be positive and finite.
  package static func of(power: Double) -> Double {
    precondition(power > 0 && power.isFinite, "\(power) has no decibels")
    var (exponent, significand) = (Double(power.exponent), power.significand)
    if significand > 1.414 { (exponent, significand) = (exponent + 1, significand / 2) }
    // The logarithm of the rest, as a series in a number below 0.172: twelve terms are exact to the last place of a double.
    let base = (significand - 1) / (significand + 1)
    var (term, sum) = (base, 0.0)
    for number in 0..<12 {
      sum += term / Double(2 * number + 1)
      term *= base * base
    }
    return 10 * (exponent * ln2 + 2 * sum) / ln10
  }
}
