// SPDX-License-Identifier: MIT
import FermataTestKit

/// Interleaved samples for tests, with what makes them.
struct Signal: Equatable {
  var rate: Int
  var channels: Int
  var samples: [Float]

  var frames: Int { samples.count / channels }

  /// A sine a channel, each of its own frequency, so that a channel in the wrong place shows.
  static func sines(rate: Int, channels: Int, frames: Int, level: Double = 0.5) -> Signal {
    let steps = (0..<channels).map { 2 * Double.pi * (220 + 90 * Double($0)) / 44_100 }
    var samples: [Float] = []
    samples.reserveCapacity(frames * channels)
    for frame in 0..<frames {
      for channel in 0..<channels {
        samples.append(Float(level * sine(steps[channel] * Double(frame) + Double(channel))))
      }
    }
    return Signal(rate: rate, channels: channels, samples: samples)
  }

  /// White noise from a seed.
  static func noise(rate: Int, channels: Int, frames: Int, seed: UInt64 = 1, level: Float = 0.5) -> Signal {
    var generator = SeededGenerator(seed: seed)
    let samples = (0..<frames * channels).map { _ in Float.random(in: -level...level, using: &generator) }
    return Signal(rate: rate, channels: channels, samples: samples)
  }

  /// A stretch of it.
  subscript(range: Range<Int>) -> Signal {
    Signal(
      rate: rate, channels: channels,
      samples: Array(samples[range.lowerBound * channels..<range.upperBound * channels]))
  }
}
