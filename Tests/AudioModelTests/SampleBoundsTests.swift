// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@Suite("The bounds of samples")
struct SampleBoundsTests {
  /// The samples brought within the bounds, of which the first `count` are looked at.
  private func bound(_ samples: [Float], count: Int? = nil) -> [Float] {
    var samples = samples
    var span = samples.mutableSpan
    SampleBounds.bound(&span, count: count ?? span.count)
    return samples
  }

  @Test(
    "what is beyond is brought back, and what is no number is silence, wherever it stands among others",
    arguments: [
      (64.001, 64), (-64.001, -64), (.greatestFiniteMagnitude, 64), (.infinity, 0), (-.infinity, 0),
      (.nan, 0), (-.nan, 0),
    ] as [(Float, Float)])
  func beyond(sample: Float, bounded: Float) {
    for length in 1...20 {
      for place in 0..<length {
        var samples = [Float](repeating: -0.5, count: length)
        samples[place] = sample
        let result = bound(samples)
        samples[place] = bounded
        #expect(result == samples)
      }
    }
  }

  @Test("what is within stays as it is, bit for bit, and so does what is not looked at")
  func within() {
    let samples: [Float] = [0, -0, 1, -1, 64, -64, .leastNonzeroMagnitude, -.leastNormalMagnitude, 63.999]
    #expect(bound(samples).map(\.bitPattern) == samples.map(\.bitPattern))
    #expect(bound([1, 100], count: 1) == [1, 100])
    #expect(bound([], count: 0).isEmpty)
  }
}
