// SPDX-License-Identifier: MIT
import AudioModel
import Glibc

extension Recording {
  /// A place where a sine does not go on as it should.
  package struct Click: Sendable, Equatable {
    /// The first frame that is wrong.
    package var frame: Int
    /// How far the sine behind it is ahead of the one before, in frames between minus and plus half a period:
    /// 3 when three were left out, -1 when one came too many, 0 when the sine goes on in step.
    package var skipped: Double
  }

  /// Finds where a recorded sine breaks: samples left out, repeated, or wrong. Looks at one channel between the
  /// first sound and the last; a gap therein is a click at each of its ends.
  ///
  /// In a sine each sample follows from the two before: x₂ = 2·cos(ω)·x₁ − x₀. `tolerance` is how far, at full scale, one
  /// may be off; the default passes 16 bit and lossy codecs fail it.
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
    // One wrong join shows in two neighbouring frames.
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

  /// The phase that a sine had at frame 0 if it went on backwards from this range: least squares for a·sin + b·cos.
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
