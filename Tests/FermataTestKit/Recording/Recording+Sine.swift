// SPDX-License-Identifier: MIT
import AudioModel
import Glibc

extension Recording {
  /// A place where a recorded sine does not continue as it should.
  package struct Click: Sendable, Equatable {
    /// The first wrong frame.
    package var frame: Int
    /// How far the sine after the click is ahead of the one before, in frames, between minus and plus half a period:
    /// 3 if three frames were left out, -1 if there was one too many, 0 if the sine continues in step.
    package var skipped: Double
  }

  /// Finds where a recorded sine breaks: where samples were left out, repeated or are wrong. It checks one channel
  /// between the first sound and the last. A gap in between counts as a click at each of its ends.
  ///
  /// In a sine each sample follows from the two before: x₂ = 2·cos(ω)·x₁ − x₀. `tolerance` is how far a sample may be
  /// off, where full scale is 1. With the default, 16-bit sound passes and lossy codecs fail.
  package func clicks(
    inSineOf frequency: Double, channel number: Int = 0, tolerance: Double = 0.000_5
  ) -> [Click] {
    guard let first = firstSound(), let last = lastSound(), last - first >= 2 else { return [] }
    let wave = channel(number)
    let step = 2 * Double.pi * frequency / Double(format.rate)
    let factor = 2 * cos(step)
    let wrong = (first + 2...last).filter { frame in
      abs(Double(wave[frame]) - factor * Double(wave[frame - 1]) + Double(wave[frame - 2])) > tolerance
    }
    // One break shows in two neighbouring frames.
    let starts = wrong.indices.filter { $0 == 0 || wrong[$0] - wrong[$0 - 1] > 2 }.map { wrong[$0] }
    return starts.map { Click(frame: $0, skipped: skipped(at: $0, wave, step)) }
  }

  private func skipped(at frame: Int, _ wave: [Float], _ step: Double) -> Double {
    let reach = max(8, Int(2 * Double.pi / step))
    let before = max(0, frame - reach)..<frame
    let behind = min(wave.count, frame + 2)..<min(wave.count, frame + 2 + reach)
    guard let one = phase(before, wave, step), let other = phase(behind, wave, step) else { return 0 }
    let turn = (other - one).remainder(dividingBy: 2 * Double.pi)
    return turn / step
  }

  /// The phase at frame 0 of the sine in this range, if it is extended backwards: a least-squares fit of a·sin +
  /// b·cos. Nil if there is no sine.
  private func phase(_ range: Range<Int>, _ wave: [Float], _ step: Double) -> Double? {
    var (ss, sc, cc, sx, cx) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for frame in range {
      let (s, c, x) = (sin(step * Double(frame)), cos(step * Double(frame)), Double(wave[frame]))
      ss += s * s
      sc += s * c
      cc += c * c
      sx += s * x
      cx += c * x
    }
    let determinant = ss * cc - sc * sc
    guard determinant > 1e-9, sx != 0 || cx != 0 else { return nil }
    return atan2((cx * ss - sx * sc) / determinant, (sx * cc - cx * sc) / determinant)
  }
}
