// SPDX-License-Identifier: MIT
import Testing

@testable import PadModel

@Suite("Sounds of pads")
struct SoundTests {
  @Test("the four drums begin at once, are loud, never clip and end in silence")
  func drums() {
    let sounds = Drums.sounds()
    #expect(sounds.count == Drums.kit.pads.count)
    for (pad, sound) in zip(Drums.kit.pads, sounds) {
      let peak = sound.samples.reduce(0) { max($0, abs($1)) }
      #expect(abs(peak - 0.75) < 0.001, "\(pad.name)")
      let isSoon = sound.samples.prefix(240).contains { abs($0) > 0.01 }
      #expect(isSoon, "\(pad.name) begins late")
      #expect(abs(sound.samples.last ?? 1) < 0.001, "\(pad.name) is cut off")
    }
  }

  @Test(
    "the drums differ as drums do: the bass is the deepest, the tambourine the highest, the maraca the shortest"
  )
  func characters() {
    let sounds = Drums.sounds()
    let (snare, bass, tambourine, maraca) = (sounds[0], sounds[1], sounds[2], sounds[3])
    #expect(brightness(bass) < brightness(snare))
    #expect(brightness(snare) < brightness(maraca))
    #expect(brightness(maraca) < brightness(tambourine) * 1.5)
    #expect(maraca.frames < sounds.dropLast().map(\.frames).min() ?? 0)
  }

  /// How often a sound crosses zero, per frame, weighted by nothing.
  private func brightness(_ sound: PadSound) -> Double {
    let part = sound.samples.prefix(4_800)
    return Double(zip(part, part.dropFirst()).count { ($0 < 0) != ($1 < 0) }) / Double(part.count)
  }

  @Test("the drums are the same each time")
  func same() { #expect(Drums.sounds().map(\.samples) == Drums.sounds().map(\.samples)) }

  @Test(
    "a resampled sine is the same sine",
    arguments: [(44_100, 48_000), (48_000, 44_100), (8_000, 48_000), (96_000, 48_000), (384_000, 48_000)])
  func resampling(from old: Int, to new: Int) {
    let pitch = 440.0
    let sine = (0..<old / 4).map { Float(0.5 * Wave.sine(turns: pitch * Double($0) / Double(old))) }
    let made = PadSound(rate: old, channels: 1, samples: sine).resampled(to: new)
    #expect(abs(made.frames - new / 4) <= 1)
    // Beyond the reach of the weights at both ends.
    let middle = new / 40..<made.frames - new / 40
    let error = middle.reduce(0.0) {
      max($0, abs(Double(made.samples[$1]) - 0.5 * Wave.sine(turns: pitch * Double($1) / Double(new))))
    }
    #expect(error < 0.001, "\(error)")
  }

  @Test("what the lower rate cannot carry is left out")
  func aliases() {
    let high = (0..<9_600).map { Float(Wave.sine(turns: 40_000 * Double($0) / 96_000)) }
    let made = PadSound(rate: 96_000, channels: 1, samples: high).resampled(to: 48_000)
    let loudest = made.samples[1_000..<3_800].reduce(0) { max($0, abs($1)) }
    #expect(loudest < 0.002)
  }

  @Test("sounds of one usual rate are mixed as they are, others at 48,000")
  func rates() {
    func sound(_ rate: Int) -> PadSound { PadSound(rate: rate, channels: 2, samples: [0, 0]) }
    #expect(PadSound.commonRate(of: [sound(44_100), sound(44_100)]) == 44_100)
    #expect(PadSound.commonRate(of: [sound(44_100), sound(48_000)]) == 48_000)
    #expect(PadSound.commonRate(of: [sound(8_000)]) == 48_000)
    #expect(PadSound.commonRate(of: [sound(384_000)]) == 48_000)
    #expect(PadSound.commonRate(of: []) == 48_000)
  }

  @Test("sine and power are those of mathematics")
  func waves() {
    for (turns, value) in [
      (0.0, 0.0), (0.25, 1), (0.5, 0), (0.75, -1), (1.0 / 12, 0.5), (-3.25, -1), (7.125, 0.5.squareRoot()),
    ] {
      #expect(abs(Wave.sine(turns: turns) - value) < 1e-8)
    }
    #expect(abs(Wave.power(-1) - 0.367_879_441_171) < 1e-8)
  }
}
