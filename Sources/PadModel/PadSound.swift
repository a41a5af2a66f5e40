// SPDX-License-Identifier: MIT

/// A decoded sound of one or two channels, held in memory.
package struct PadSound: Sendable {
  /// The sample rate: samples per second.
  package let rate: Int
  /// 1, which is heard on both sides, or 2: left and right.
  package let channels: Int
  /// The samples, interleaved.
  package let samples: [Float]

  package var frames: Int { samples.count / channels }

  /// A sound of these samples. Traps unless it has one or two channels and only whole frames.
  package init(rate: Int, channels: Int, samples: [Float]) {
    precondition((1...2).contains(channels) && samples.count.isMultiple(of: channels), "a torn sound")
    (self.rate, self.channels, self.samples) = (rate, channels, samples)
  }

  /// The rate at which these sounds are mixed: their own if they all have the same, so that they need not be resampled; otherwise 48,000.
  package static func commonRate(of sounds: [PadSound]) -> Int {
    guard let first = sounds.first?.rate, mixable.contains(first), sounds.allSatisfy({ $0.rate == first })
    else { return 48_000 }
    return first
  }

  /// The rates that are used for mixing. Higher ones cost the server work that nobody hears; with lower ones its buffer's steps would be too long.
  private static let mixable = 32_000...96_000

  /// The sound at another rate. Each new sample is a weighted sum of the old ones around it. The weights are a windowed sinc, which removes
  /// frequencies that the new rate cannot represent.
  package func resampled(to rate: Int) -> PadSound {
    guard rate != self.rate, frames > 0 else { return self }
    let kernel = SincKernel(from: self.rate, to: rate)
    let count = (frames * rate + self.rate - 1) / self.rate
    var made = [Float](repeating: 0, count: count * channels)
    for frame in 0..<count {
      let (whole, part) = (frame * self.rate).quotientAndRemainder(dividingBy: rate)
      let offset = Double(part) / Double(rate)
      let reach = max(0, whole - kernel.reach + 1)...min(frames - 1, max(0, whole + kernel.reach))
      for source in reach {
        let weight = kernel.weight(at: Double(source - whole) - offset)
        for channel in 0..<channels {
          made[frame * channels + channel] += samples[source * channels + channel] * weight
        }
      }
    }
    return PadSound(rate: rate, channels: channels, samples: made)
  }
}

/// The weights for resampling, in a table, because computing a sine for each would take as long as decoding.
private struct SincKernel {
  /// How many frames of the original sound on each side of a new frame are summed for it.
  let reach: Int

  private static let steps = 256
  private let table: [Float]

  init(from old: Int, to new: Int) {
    // A little below the highest frequency of the lower of the two rates, so that the window's slope ends there.
    let cutoff = 0.95 * min(1, Double(new) / Double(old))
    let reach = Int((16 / cutoff).rounded(.up))
    self.reach = reach
    table = (0...reach * Self.steps + 1).map { step in
      let place = Double(step) / Double(Self.steps)
      let part = min(1, place / Double(reach))
      // Blackman's window.
      let window = 0.42 + 0.5 * Wave.cosine(turns: part / 2) + 0.08 * Wave.cosine(turns: part)
      let turns = place * cutoff / 2
      let sinc = step == 0 ? 1 : Wave.sine(turns: turns) / (2 * .pi * turns)
      return Float(cutoff * sinc * window)
    }
  }

  func weight(at distance: Double) -> Float {
    let place = min(abs(distance), Double(reach)) * Double(Self.steps)
    let step = Int(place)
    let part = Float(place - Double(step))
    return table[step] + (table[step + 1] - table[step]) * part
  }
}

/// Sines, cosines and powers of e, which the standard library lacks.
enum Wave {
  /// The sine of an angle given in turns, exact to a billionth.
  static func sine(turns: Double) -> Double {
    var part = turns - turns.rounded()
    // Within a quarter of a turn the series needs only a few terms.
    if part > 0.25 { part = 0.5 - part } else if part < -0.25 { part = -0.5 - part }
    let angle = part * 2 * .pi
    var (term, sum) = (angle, angle)
    for number in 1...7 {
      term *= -angle * angle / Double((2 * number) * (2 * number + 1))
      sum += term
    }
    return sum
  }

  static func cosine(turns: Double) -> Double { sine(turns: turns + 0.25) }

  /// e to the power of a number near zero.
  static func power(_ exponent: Double) -> Double {
    var (term, sum) = (1.0, 1.0)
    for number in 1...12 {
      term *= exponent / Double(number)
      sum += term
    }
    return sum
  }
}
