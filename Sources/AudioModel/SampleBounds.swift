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

  /// Whether one of the samples is beyond the bounds or is no number, which is almost never so.
  ///
  /// Without its sign, the bits of a larger number are a larger integer, and those of infinity and of what is no number are larger still. Written like
  /// this, without a branch for each sample, the compiler has the processor look at eight of them at once.
  private static func areBeyond(_ samples: borrowing MutableSpan<Float>, count: Int) -> Bool {
    precondition(count <= samples.count, "more samples than there are")
    let limit = largest.bitPattern
    var differences: UInt32 = 0
    for index in 0..<count { differences |= limit &- (samples[index].bitPattern & 0x7FFF_FFFF) }
    // A difference is below zero where a sample is beyond.
    return differences >> 31 != 0
  }
}
