// SPDX-License-Identifier: MIT
import Glibc

/// A sine of known frequency, fitted to a stretch of samples by least squares.
struct SineFit {
  private let step: Double
  private let sine: Double
  private let cosine: Double

  /// Fits `period` frames a turn to the samples of a range.
  init(_ samples: [Float], _ range: Range<Int>, period: Double) {
    step = 2 * Double.pi / period
    var (ss, sc, cc, sx, cx) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for frame in range {
      let (s, c, x) = (sin(step * Double(frame)), cos(step * Double(frame)), Double(samples[frame]))
      ss += s * s
      sc += s * c
      cc += c * c
      sx += s * x
      cx += c * x
    }
    let determinant = ss * cc - sc * sc
    sine = (cc * sx - sc * cx) / determinant
    cosine = (ss * cx - sc * sx) / determinant
  }

  /// The sine at a frame.
  func value(at frame: Int) -> Double {
    sine * sin(step * Double(frame)) + cosine * cos(step * Double(frame))
  }

  /// How far another sine is ahead of this one, in frames between minus and plus half a period.
  func lead(of other: SineFit) -> Double {
    let turn = atan2(other.cosine, other.sine) - atan2(cosine, sine)
    return turn.remainder(dividingBy: 2 * Double.pi) / step
  }

  /// The greatest distance of samples in a range from this sine.
  func error(_ samples: [Float], _ range: Range<Int>) -> Double {
    range.map { abs(Double(samples[$0]) - value(at: $0)) }.max() ?? 0
  }
}
