// SPDX-License-Identifier: MIT

/// The kit that comes with the program. Its four sounds are computed, so it needs no file, and always sounds the same.
package enum Drums {
  package static let kit = Kit(
    name: "Drums",
    pads: [
      Pad(name: "Snare", colour: PadColour("red")), Pad(name: "Bass", colour: PadColour("blue")),
      Pad(name: "Tambourine", colour: PadColour("yellow")), Pad(name: "Maraca", colour: PadColour("green")),
    ])

  /// The sounds of the pads, in their order.
  package static func sounds() -> [PadSound] { [snare(), bass(), tambourine(), maraca()] }

  private static let rate = 48_000

  /// Two tones of the drum's skin, and the noise of the wires below it, which rattle longer than the tones last.
  static func snare() -> PadSound {
    var noise = Noise(seed: 11)
    var (low, high) = (Swing(), Swing())
    var wires = Resonance(at: 4_300, decay: 0.000_9)
    var floor = HighPass(at: 900)
    var (body, ring, rattle, crack) = (Decay(0.16), Decay(0.1), Decay(0.3), Decay(0.022))
    return sound(0.42) { _ in
      let (stroke, hiss) = (crack.next(), noise.next())
      let bend = 1 + 0.35 * stroke
      let tone = 0.55 * body.next() * low.next(186 * bend) + 0.3 * ring.next() * high.next(332 * bend)
      let buzz = floor.next(0.65 * hiss + 0.5 * wires.next(hiss)) * (0.55 * rattle.next() + 0.6 * stroke)
      return soft(1.15 * (tone + 0.62 * buzz))
    }
  }

  /// A sine wave whose pitch falls from the beater's knock to the drum's tone within a few hundredths of a second.
  static func bass() -> PadSound {
    var noise = Noise(seed: 7)
    var swing = Swing()
    var dull = LowPass(at: 2_600)
    var (level, fall, knock) = (Decay(0.52), Decay(0.14), Decay(0.018))
    return sound(0.6) { _ in
      let stroke = knock.next()
      let tone = swing.next(47 + 58 * fall.next() + 190 * stroke)
      return soft(1.5 * level.next() * tone + 0.5 * stroke * dull.next(noise.next()))
    }
  }

  /// Pairs of small metal plates that hit each other several times in a stroke, each with a high tone of its own.
  static func tambourine() -> PadSound {
    var noise = Noise(seed: 23)
    let tones = [(5_230.0, 0.03), (6_810, 0.025), (7_970, 0.028), (9_420, 0.02), (11_300, 0.016)]
    var plates = tones.map { Resonance(at: $0.0, decay: $0.1) }
    var edge = HighPass(at: 3_000)
    var slap = LowPass(at: 900)
    var (hand, shake) = (Decay(0.03), Decay(0.028, from: 0))
    // The times of the hits, in frames, and their strengths.
    let meetings = [0: 1, 530: 0.5, 1_150: 0.75, 1_900: 0.35, 2_900: 0.45, 4_300: 0.22, 6_100: 0.12]
    return sound(0.5) { frame in
      if let force = meetings[frame] { shake.level += force }
      let hiss = noise.next() * shake.next()
      var ring = 0.0
      for plate in plates.indices { ring += plates[plate].next(hiss) }
      return soft(edge.next(0.34 * ring + 0.12 * hiss) + 0.5 * hand.next() * slap.next(noise.next()))
    }
  }

  /// Many seeds that hit the shell one after another while the hand's motion ends.
  static func maraca() -> PadSound {
    var noise = Noise(seed: 5)
    var shell = Resonance(at: 3_150, decay: 0.001)
    var thin = Resonance(at: 7_200, decay: 0.000_6)
    var edge = HighPass(at: 2_000)
    var (energy, seeds) = (Decay(0.15), Decay(0.006, from: 0))
    return sound(0.2) { frame in
      let motion = energy.next()
      if noise.chance() < 0.045 { seeds.level += motion * (0.4 + 0.6 * noise.chance()) }
      // The seeds fly before they hit the shell, so the sound swells for a hundredth of a second.
      let hiss = noise.next() * seeds.next() * min(1, Double(frame + 1) / 420)
      return soft(edge.next(0.5 * hiss + 0.25 * shell.next(hiss) + 0.35 * thin.next(hiss)))
    }
  }

  // MARK: The workshop

  /// A sound of this length, of which `make` computes each frame. The end is faded out, so that it does not click. All is scaled to a peak of three
  /// quarters of full scale, which leaves some room for a second drum that is struck at the same time.
  private static func sound(_ seconds: Double, _ make: (Int) -> Double) -> PadSound {
    let count = Int(seconds * Double(rate))
    var samples = (0..<count).map(make)
    let fade = count / 8
    for frame in count - fade..<count { samples[frame] *= Double(count - frame) / Double(fade) }
    let peak = samples.reduce(0) { max($0, abs($1)) }
    return PadSound(rate: rate, channels: 1, samples: samples.map { Float($0 * 0.75 / max(peak, 0.001)) })
  }

  /// Limits peaks softly, as a skin that cannot swing any further.
  private static func soft(_ value: Double) -> Double { value / (1 + 0.35 * abs(value)) }

  /// Noise that is the same each time.
  private struct Noise {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }

    /// A random number from 0 to 1.
    mutating func chance() -> Double {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Double(state >> 11) / Double(1 << 53)
    }

    /// A random number from -1 to 1.
    mutating func next() -> Double { 2 * chance() - 1 }
  }

  /// A level that falls exponentially.
  private struct Decay {
    var level: Double
    private let factor: Double

    /// A level that falls to a thousandth in this time.
    init(_ seconds: Double, from level: Double = 1) {
      self.level = level
      factor = Wave.power(-6.907_755_279 / (seconds * Double(rate)))
    }

    mutating func next() -> Double {
      defer { level *= factor }
      return level
    }
  }

  /// A sine whose pitch may change.
  private struct Swing {
    private var turns = 0.0

    mutating func next(_ pitch: Double) -> Double {
      turns += pitch / Double(rate)
      turns -= turns.rounded(.down)
      return Wave.sine(turns: turns)
    }
  }

  /// A body that rings at its own pitch when it is struck.
  private struct Resonance {
    private let (one, two, gain): (Double, Double, Double)
    private var (last, before) = (0.0, 0.0)

    /// Rings at this pitch, and falls to a thousandth in about seven times `decay`, in seconds.
    init(at pitch: Double, decay: Double) {
      let radius = Wave.power(-1 / (decay * Double(rate)))
      one = 2 * radius * Wave.cosine(turns: pitch / Double(rate))
      two = -radius * radius
      // This makes a short ring as loud as a long one.
      gain = (1 - radius * radius).squareRoot()
    }

    mutating func next(_ input: Double) -> Double {
      let value = gain * input + one * last + two * before
      (before, last) = (last, value)
      return value
    }
  }

  private struct LowPass {
    private let share: Double
    private var last = 0.0

    init(at pitch: Double) { share = 1 - Wave.power(-2 * .pi * pitch / Double(rate)) }

    mutating func next(_ input: Double) -> Double {
      last += share * (input - last)
      return last
    }
  }

  private struct HighPass {
    private var low: LowPass

    init(at pitch: Double) { low = LowPass(at: pitch) }

    mutating func next(_ input: Double) -> Double { input - low.next(input) }
  }
}
