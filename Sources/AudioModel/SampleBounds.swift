// SPDX-License-Identifier: MIT

/// Keeps samples within bounds, for decoders that could be made to return any. Numbers beyond all measure are heard at full scale however low the
/// volume is.
package enum SampleBounds {
  /// The largest sample that is played, 36 dB above full scale. Lossy codecs overshoot by a few dB.
  package static let largest: Float = 64

  /// A sample of at most this height; silence if it is not a number, or infinite.
  package static func bounded(_ sample: Float, by limit: Float = largest) -> Float {
    sample.isFinite ? min(max(sample, -limit), limit) : 0
  }

  /// Brings the first `count` samples within the bounds.
  package static func bound(_ samples: inout MutableSpan<Float>, count: Int) {
    guard areBeyond(samples, count: count) else { return }
    for index in 0..<count { samples[index] = bounded(samples[index]) }
  }

  /// Whether any sample must be changed: it is beyond the bounds, infinite, or not a number. In most sounds none is.
  ///
  /// Without its sign bit, a float with a larger value has larger bits, read as an integer; infinity and "not a number" have the largest. So integers are
  /// compared. The loop has no branch for each sample, so that the compiler can have the processor compare eight of them at once.
  private static func areBeyond(_ samples: borrowing MutableSpan<Float>, count: Int) -> Bool {
    precondition(count <= samples.count, "more samples than there are")
    let limit = largest.bitPattern
    var differences: UInt32 = 0
    for index in 0..<count { differences |= limit &- (samples[index].bitPattern & 0x7FFF_FFFF) }
    // A difference is below zero where a sample is beyond.
    return differences >> 31 != 0
  }
}
