// SPDX-License-Identifier: MIT
package import AudioModel
import Glibc

/// Sounds for tests, as interleaved samples that are the same in all channels.
package enum Tone {
  /// A sine of this many frames. It begins at phase 0, or as if `offset` frames had come before.
  package static func sine(
    _ frequency: Double = 1000, frames: Int, _ format: AudioFormat, amplitude: Double = 0.5, offset: Int = 0
  ) -> [Float] {
    let step = 2 * Double.pi * frequency / Double(format.rate)
    return spread(frames, format) { amplitude * sin(step * Double($0 + offset)) }
  }

  /// A sine whose frequency rises evenly. No two parts of it are alike, so every sample of a recording shows its
  /// place in it.
  package static func chirp(
    from low: Double = 200, to high: Double = 2000, frames: Int, _ format: AudioFormat,
    amplitude: Double = 0.5
  ) -> [Float] {
    let climb = (high - low) / (2 * Double(max(1, frames)))
    return spread(frames, format) { frame in
      let time = Double(frame)
      return amplitude * sin(2 * Double.pi / Double(format.rate) * (low + climb * time) * time)
    }
  }

  /// Silence of this many frames.
  package static func silence(frames: Int, _ format: AudioFormat) -> [Float] {
    Array(repeating: 0, count: frames * format.channels)
  }

  private static func spread(_ frames: Int, _ format: AudioFormat, _ wave: (Int) -> Double) -> [Float] {
    var samples: [Float] = []
    samples.reserveCapacity(frames * format.channels)
    for frame in 0..<frames {
      samples.append(contentsOf: repeatElement(Float(wave(frame)), count: format.channels))
    }
    return samples
  }
}
