// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

@testable import PadModel

@Suite("The pads' mixer")
struct MixerTests {
  @Test("it sounds as a naive mixer does, whatever is struck, stopped and turned, in pieces of any size")
  func likeNaive() {
    for seed in 0..<60 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let (kit, sounds) = Self.randomKit(&random)
      var mixer = PadMixer(kit, sounds)
      var naive = NaiveMixer(kit, sounds)
      for _ in 0..<120 {
        let pad = Int.random(in: 0..<kit.pads.count, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
          mixer.stop()
          naive.stop()
        case 1:
          let volume = Double.random(in: 0...1, using: &random)
          mixer.set(volume: volume, of: pad)
          naive.set(volume: volume, of: pad)
        case 2:
          mixer.volume = 0.7
          naive.setOverall(0.7)
        case 3:
          mixer.drop()
          naive.drop()
        default:
          mixer.strike(pad)
          naive.strike(pad)
        }
        let count = Int.random(in: 0...300, using: &random)
        let made = mixer.rendered(count)
        let expected = naive.render(count)
        #expect(made.count <= expected.count)
        let padded = made + [Float](repeating: 0, count: expected.count - made.count)
        let error = zip(padded, expected).reduce(0) { max($0, abs($1.0 - $1.1)) }
        guard error < 0.000_2 else {
          Issue.record("seed \(seed): \(error)")
          return
        }
        #expect(mixer.voiceCount <= PadMixer.mostVoices)
      }
    }
  }

  private static func randomKit(_ random: inout SeededGenerator) -> (Kit, [PadSound]) {
    let pads = (0..<Int.random(in: 1...6, using: &random)).map { number in
      Pad(
        name: "\(number)", volume: Double(Int.random(in: 1...4, using: &random)) / 4,
        polyphony: [1, 1, 2, 5, 64].randomElement(using: &random) ?? 1,
        choke: [nil, nil, "a", "b"].randomElement(using: &random) ?? nil)
    }
    let sounds = pads.map { _ in
      let channels = Int.random(in: 1...2, using: &random)
      let frames = Int.random(in: 0...900, using: &random)
      return PadSound(
        rate: 48_000, channels: channels,
        samples: (0..<frames * channels).map { _ in Float.random(in: -1...1, using: &random) })
    }
    return (Kit(name: "random", pads: pads), sounds)
  }

  private static let sine = PadSound(
    rate: 48_000, channels: 1, samples: (0..<24_000).map { Float(0.8 * Wave.sine(turns: Double($0) / 109)) })

  @Test("10,000 random hits: no step is above those of the sounds that are heard there")
  func noClick() {
    var random = SeededGenerator(seed: 4)
    let kit = Kit(name: "one", pads: [Pad(name: "sine", polyphony: 1)])
    var mixer = PadMixer(kit, [Self.sine])
    // A sound and one that fades are heard at most, and a fade adds a 97th of what it fades from.
    let own = zip(Self.sine.samples, Self.sine.samples.dropFirst()).reduce(0) { max($0, abs($1.0 - $1.1)) }
    var last: Float = 0
    var fadesHeard = 0.0
    for _ in 0..<10_000 {
      mixer.strike(0)
      // Longer than a fade, so that no more than one is heard at a time.
      let frames = mixer.rendered(Int.random(in: 97...700, using: &random))
      for frame in stride(from: 0, to: frames.count, by: 2) {
        let step = abs(frames[frame] - last)
        #expect(step <= 2 * own + 0.8 / 97 + 0.000_01)
        fadesHeard = max(fadesHeard, Double(step))
        last = frames[frame]
      }
    }
    #expect(fadesHeard > Double(own))
  }

  @Test("a sound begins with its first frame, and is not changed")
  func exact() {
    var mixer = PadMixer(Kit(name: "one", pads: [Pad(name: "sine")]), [Self.sine])
    mixer.strike(0)
    let made = mixer.rendered(30_000)
    #expect(stride(from: 0, to: made.count, by: 2).map { made[$0] } == Self.sine.samples)
    #expect(stride(from: 1, to: made.count, by: 2).map { made[$0] } == Self.sine.samples)
    #expect(mixer.isSilent && mixer.rendered(10).isEmpty)
  }

  @Test("with a polyphony of 1 a hit starts the sound anew; the rest of the old one fades within 2 ms")
  func restart() {
    let steady = PadSound(rate: 48_000, channels: 1, samples: [Float](repeating: 0.5, count: 4_800))
    var mixer = PadMixer(Kit(name: "one", pads: [Pad(name: "steady")]), [steady])
    mixer.strike(0)
    _ = mixer.rendered(100)
    mixer.strike(0)
    let made = mixer.rendered(4_800)
    #expect(made[0] > 0.99 && made[0] < 1)
    #expect(made[94 * 2] > 0.5 && made[96 * 2] == 0.5)
    #expect(made.count == 9_600)
  }

  @Test("the 65th sound takes the oldest's place")
  func sixtyFive() {
    let pads = [Pad(name: "a", polyphony: 1), Pad(name: "b", polyphony: 64)]
    let quiet = PadSound(rate: 48_000, channels: 1, samples: [Float](repeating: 0.001, count: 48_000))
    let loud = PadSound(rate: 48_000, channels: 1, samples: [Float](repeating: 0.5, count: 48_000))
    var mixer = PadMixer(Kit(name: "two", pads: pads), [loud, quiet])
    mixer.strike(0)
    for _ in 0..<63 { mixer.strike(1) }
    #expect(mixer.voiceCount == 64)
    #expect((mixer.rendered(200).last ?? 0) > 0.5)
    mixer.strike(1)
    #expect(mixer.voiceCount == 64)
    #expect((mixer.rendered(200).last ?? 1) < 0.1)
  }

  @Test("a choke group's pads silence each other, and not themselves")
  func choke() {
    let steady = PadSound(rate: 48_000, channels: 1, samples: [Float](repeating: 0.25, count: 48_000))
    let pads = [
      Pad(name: "open", polyphony: 2, choke: "hat"), Pad(name: "closed", choke: "hat"), Pad(name: "other"),
    ]
    var mixer = PadMixer(Kit(name: "hats", pads: pads), [steady, steady, steady])
    for pad in [0, 0, 2] { mixer.strike(pad) }
    #expect(mixer.rendered(200).last == 0.75)
    mixer.strike(1)
    #expect(mixer.rendered(200).last == 0.5)
  }

  @Test("a volume is the cube of what the slider shows, for a pad and for all")
  func volume() {
    let steady = PadSound(rate: 48_000, channels: 1, samples: [Float](repeating: 1, count: 48_000))
    var mixer = PadMixer(Kit(name: "one", pads: [Pad(name: "a", volume: 0.5)]), [steady], volume: 0.5)
    mixer.strike(0)
    #expect(mixer.rendered(1) == [1.0 / 64, 1.0 / 64])
    mixer.volume = 1
    #expect(mixer.rendered(200).last == 0.125)
    mixer.set(volume: 1, of: 0)
    #expect(mixer.rendered(200).last == 1)
  }

  @Test("a hundred hits between two frames are one")
  func burst() {
    var mixer = PadMixer(Kit(name: "one", pads: [Pad(name: "sine")]), [Self.sine])
    for _ in 0..<100 { mixer.strike(0) }
    let made = mixer.rendered(24_000)
    #expect(stride(from: 0, to: made.count, by: 2).map { made[$0] } == Self.sine.samples)
  }
}

extension PadMixer {
  /// The next frames in stereo; fewer where all has been heard.
  mutating func rendered(_ frames: Int) -> [Float] {
    [Float](unsafeUninitializedCapacity: frames * 2) { buffer, count in
      var span = OutputSpan(buffer: buffer, initializedCount: 0)
      render(into: &span)
      count = span.finalize(for: buffer)
    }
  }
}

/// The mixer as one would write it who has all the time and memory there is: each sound that was ever struck, and what happened to it.
private struct NaiveMixer {
  private struct Voice {
    let pad: Int
    let gain: Float
    var frame = 0
    /// How many frames of its fade were heard; nil while it does not fade.
    var faded: Int?
  }

  private let kit: Kit
  private let sounds: [PadSound]
  private var volumes: [Double]
  private var overall = 1.0
  private var voices: [Voice] = []
  private let fade = 96

  init(_ kit: Kit, _ sounds: [PadSound]) {
    (self.kit, self.sounds, volumes) = (kit, sounds, kit.pads.map(\.volume))
  }

  private func gain(_ pad: Int) -> Float {
    let product = volumes[pad] * overall
    return Float(product * product * product)
  }

  mutating func strike(_ pad: Int) {
    for index in voices.indices where voices[index].faded == nil && voices[index].pad != pad {
      let other = kit.pads[voices[index].pad].choke
      if other != nil, other == kit.pads[pad].choke { end(index) }
    }
    let own = voices.indices.filter { voices[$0].faded == nil && voices[$0].pad == pad }
    if own.count >= kit.pads[pad].polyphony { end(own[0]) }
    let all = voices.indices.filter { voices[$0].faded == nil }
    if all.count == 64 { end(all[0]) }
    voices.append(Voice(pad: pad, gain: gain(pad)))
  }

  private mutating func end(_ index: Int) { voices[index].faded = voices[index].frame == 0 ? fade : 0 }

  mutating func stop() { for index in voices.indices where voices[index].faded == nil { end(index) } }

  mutating func drop() { voices = [] }

  mutating func set(volume: Double, of pad: Int) { change { $0.volumes[pad] = volume } }

  mutating func setOverall(_ volume: Double) { change { $0.overall = volume } }

  /// A sound goes on at its new gain, and the difference to the old one fades.
  private mutating func change(_ body: (inout Self) -> Void) {
    let old = voices
    body(&self)
    voices = []
    for voice in old {
      guard voice.faded == nil else {
        voices.append(voice)
        continue
      }
      let new = gain(voice.pad)
      voices.append(Voice(pad: voice.pad, gain: new, frame: voice.frame))
      if voice.frame > 0 {
        voices.append(Voice(pad: voice.pad, gain: voice.gain - new, frame: voice.frame, faded: 0))
      }
    }
  }

  mutating func render(_ count: Int) -> [Float] {
    var made: [Float] = []
    for _ in 0..<count {
      var (left, right): (Float, Float) = (0, 0)
      for index in voices.indices {
        let sound = sounds[voices[index].pad]
        guard voices[index].frame < sound.frames else { continue }
        var level = voices[index].gain
        if let faded = voices[index].faded {
          guard faded < fade else { continue }
          level *= Float(fade - faded) / Float(fade + 1)
          voices[index].faded = faded + 1
        }
        let frame = voices[index].frame
        left += sound.samples[frame * sound.channels] * level
        right += sound.samples[frame * sound.channels + sound.channels - 1] * level
        voices[index].frame += 1
      }
      made += [left, right]
      voices.removeAll { $0.frame >= sounds[$0.pad].frames }
    }
    return made
  }
}
