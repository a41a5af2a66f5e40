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
    for index in 0..<count where !(abs(samples[index]) <= largest) {
      samples[index] = bounded(samples[index])
    }
  }
}
